import assert from 'node:assert/strict';
import { customerTexts } from '../../../src/texts/customer-texts.ts';
import { furtherTags } from '../../../src/texts/language-tags.ts';
import { iphone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { json, mount, openWidgetStage, pay, type WidgetStage } from '../../support/widget-stage.ts';
import { addScreens, type Screens, stepsOnFirstScreen, walkScreens, walkWidget } from './language-screens.ts';

const { test, before, after } = needs('Chromium');

let stage: WidgetStage;
let screens: Screens;
before(async () => {
  stage = await openWidgetStage();
  screens = await addScreens(stage);
});
after(() => stage?.stop());

// English and Hindi have their own tests.
for (const tag of furtherTags) {
  test(`every screen fits small phones in ${tag}, its letters are there, and axe finds nothing`, async () => {
    await walkScreens(stage, tag, screens);
    await stepsOnFirstScreen(stage, tag, screens['byHand']!);
    await walkWidget(stage, tag);
  });
}

test('a browser chooses a language of the widget only where the shop names it, and 402 stays the specification’s', async () => {
  const { page, close } = await stage.browser.open({ ...iphone, locale: 'kn-IN' });
  stage.shop.answer('/create-402', json(402, { error: 'plan_limit_reached' }));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-402' }`)));
  await page.getByRole('button', { name: 'Show the QR code' }).waitFor();
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-402', languages: ['ta', 'kn'] }`)));
  await page.getByRole('button', { name: customerTexts('kn').widget.pay }).waitFor();
  await page.getByRole('heading', { name: 'Pay with UPI' }).waitFor();
  await pay(page);
  assert.equal(
    await page.getByRole('alert').textContent(),
    "This shop can't take new UPI payments here right now. Please contact the shop.",
  );
  await close();
});

test('English and Hindi stay one tap away, and the others are reached by scrolling the line', async () => {
  const { page, close } = await stage.browser.open({ ...iphone, viewport: { width: 320, height: 640 } });
  await page.goto(`${stage.site.origin}${screens['byHand']}?lang=kn`);
  for (const name of ['English', 'हिन्दी']) {
    const box = (await page.getByRole('link', { name }).boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= 320, name);
  }
  await page.getByRole('link', { name: 'ગુજરાતી' }).click();
  await page.getByText(customerTexts('gu').page.safety).waitFor();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByText('Never tell anyone your UPI PIN').waitFor();
  await close();
});
