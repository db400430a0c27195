import { needs } from '../../support/needs.ts';
import { openWidgetStage } from '../../support/widget-stage.ts';
import { addScreens, stepsOnFirstScreen, walkScreens, walkWidget } from './language-screens.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);
const screens = use(() => addScreens(stage));

test('payment, receipt and link fit small phones in Tamil, whose words are long, and axe finds nothing', async () => {
  const { byHand, receipt, link } = screens;
  await walkScreens(stage, 'ta', { byHand: byHand!, receipt: receipt!, link: link! });
  await stepsOnFirstScreen(stage, 'ta', byHand!);
});

test('a widget that the shop sets to Tamil has all texts in it, also on 402', () => walkWidget(stage, 'ta'));
