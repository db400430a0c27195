import { needs } from '../../support/needs.ts';
import { openWidgetStage, type WidgetStage } from '../../support/widget-stage.ts';
import { addScreens, type Screens, stepsOnFirstScreen, walkScreens, walkWidget } from './language-screens.ts';

const { test, before, after } = needs('Chromium');

let stage: WidgetStage;
let screens: Screens;
before(async () => {
  stage = await openWidgetStage();
  screens = await addScreens(stage);
});
after(() => stage?.stop());

test('payment, receipt and link fit small phones in Tamil, whose words are long, and axe finds nothing', async () => {
  const { byHand, receipt, link } = screens;
  await walkScreens(stage, 'ta', { byHand: byHand!, receipt: receipt!, link: link! });
  await stepsOnFirstScreen(stage, 'ta', byHand!);
});

test('a widget that the shop sets to Tamil says everything in it, also on 402', () =>
  walkWidget(stage, 'ta'));
