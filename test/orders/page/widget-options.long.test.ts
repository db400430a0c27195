import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { customerTexts } from '../../../src/texts/customer-texts.ts';
import { desktop, phone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';
import { paysInWidget } from './widget-journey.ts';

const { test, use } = needs('Chromium');

/** Our own options, in addition to those of §4.4. */
const stage = use(openWidgetStage);

function complaints(page: Page): string[] {
  const said: string[] = [];
  page.on('console', message => {
    if (message.text().startsWith('[Milaan]')) said.push(message.text());
  });
  return said;
}

test('on a desktop, in a shop with a strict policy: amount, QR, payment, onSuccess once', () =>
  paysInWidget(stage, desktop));

test('with an amount there is a button with the sum instead of a field, and the server decides what is paid', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/closed', () => json(503, { error: 'all_payment_slots_busy' }));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/closed', amount: 99800 }`)));
  await page.getByRole('button', { name: 'Pay ₹99,800 by UPI' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await until('asked twice', () => stage.asked('/closed').length === 2);
  assert.equal(await page.getByRole('textbox').count(), 0);
  assert.deepEqual(JSON.parse(stage.asked('/closed').at(-1)!.body), { amount: 99800 });
  // The server answers with another sum, and that is the one to pay.
  stage.shop.answer('/other', json(201, stage.created()));
  await page.goto(
    stage.shop.page(mount(`{ createOrderUrl: '/other', amount: '640.25', title: 'Your cart' }`)),
  );
  await page.getByRole('heading', { name: 'Your cart' }).waitFor();
  await page.getByRole('button', { name: 'Pay ₹640.25 by UPI' }).press('Enter');
  await page.getByText('Pay exactly ₹499.37').first().waitFor();
  await close();
});

test('autoStart creates the order without a click, and only for a known amount', async () => {
  const { page, close } = await stage.browser.open();
  const said = complaints(page);
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create', amount: 640.25, autoStart: true }`)));
  await page
    .getByText(/^Pay exactly ₹64[01]\.\d\d, paise included$/)
    .first()
    .waitFor();
  assert.deepEqual(said, []);
  for (const amount of ['undefined', '0', '1000001', `'abc'`]) {
    said.length = 0;
    await page.goto(
      stage.shop.page(mount(`{ createOrderUrl: '/never', amount: ${amount}, autoStart: true }`)),
    );
    await page.getByRole('textbox').waitFor();
    assert.match(said.join(), /autoStart needs an amount/);
    assert.equal(said.length, amount === 'undefined' ? 1 : 2);
  }
  assert.equal(stage.asked('/never').length, 0);
  await close();
});

test('a wrong amount keeps its button', async () => {
  const { page, close } = await stage.browser.open();
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create' }`)));
  await pay(page, 'abc');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByRole('button').textContent(), 'Show the QR code');
  await close();
});

test('a Hindi browser gets Hindi, but the specified title and the specified 402 texts exactly', async () => {
  const { page, close } = await stage.browser.open({ ...phone, locale: 'hi-IN' });
  stage.shop.answer('/create-402', json(402, { error: 'plan_limit_reached' }));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-402' }`)));
  await page.getByRole('button', { name: 'QR कोड दिखाएँ' }).waitFor();
  await page.getByRole('heading', { name: 'Pay with UPI' }).waitFor();
  await pay(page);
  assert.equal(
    await page.getByRole('alert').textContent(),
    "This shop can't take new UPI payments here right now. Please contact the shop.",
  );
  await close();
});

test('the shop chooses the language for all texts; an unknown one is named in the console', async () => {
  const { page, close } = await stage.browser.open();
  const said = complaints(page);
  const { title, shopCannot } = customerTexts('hi').widget;
  stage.shop.answer('/create-402', json(402, { error: 'plan_limit_reached' }));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-402', language: 'hi' }`)));
  await page.getByRole('heading', { name: title }).waitFor();
  await pay(page);
  assert.equal(await page.getByRole('alert').textContent(), shopCannot);
  said.length = 0;
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create', language: 'fr' }`)));
  await page.getByRole('heading', { name: 'Pay with UPI' }).waitFor();
  assert.deepEqual(said, ['[Milaan] language fr is not spoken here: en, hi, bn, mr, te, ta, gu, kn']);
  // Mounted twice while the language is on its way: only the one that stays makes an order.
  stage.shop.answer('/create-twice', json(201, stage.created()));
  const twice = mount(`{ createOrderUrl: '/create-twice', amount: 499, autoStart: true, language: 'hi' }`);
  await page.goto(stage.shop.page(`${twice}; ${twice}`));
  await page.getByText('ठीक ₹499.37 चुकाएँ').first().waitFor();
  assert.equal(stage.asked('/create-twice').length, 1);
  // A language that cannot be fetched is no reason not to be paid.
  await page.route('**/texts.hi.json', route => route.abort());
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create', language: 'hi' }`)));
  await page.getByRole('button', { name: 'Show the QR code' }).waitFor();
  await close();
});

test('an accent is used with a readable text colour; an accent without one is named and ignored', async () => {
  const { page, close } = await stage.browser.open();
  const said = complaints(page);
  const worn = async (accent: string) => {
    await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create', accent: ${accent} }`)));
    await page.getByRole('button').waitFor();
    return await page.evaluate(
      `(s => s.backgroundColor + s.color)(getComputedStyle(document.querySelector('#pay').firstChild.shadowRoot.querySelector('button')))`,
    );
  };
  assert.equal(await worn(`'#ffb300'`), 'rgb(255, 179, 0)rgb(18, 33, 27)');
  assert.equal(await worn(`'#a0f'`), 'rgb(170, 0, 255)rgb(255, 255, 255)');
  assert.deepEqual(said, []);
  for (const bad of [`'#808080'`, `'red'`, `'#12'`, `'#ffb300;display:none'`]) {
    assert.equal(await worn(bad), 'rgb(11, 107, 79)rgb(255, 255, 255)', bad);
    assert.match(said.pop() ?? '', /^\[Milaan\] accent .* is not worn/);
  }
  await close();
});

test('unknown options are named in the console, each once', async () => {
  const { page, close } = await stage.browser.open();
  const said = complaints(page);
  const widgets = `{ createOrderUrl: '/create', onsuccess() {}, ammount: 5 }`;
  await page.goto(
    stage.shop.page(
      `${mount(widgets, '#a')}; ${mount(widgets, '#b')}; ${mount(`{ createOrderUrl: '/create', theme: 1 }`, '#b')}`,
      {
        body: '<div id="a"></div><div id="b"></div>',
      },
    ),
  );
  await page.getByRole('textbox').first().waitFor();
  assert.deepEqual(said, ['[Milaan] no such option: onsuccess, ammount', '[Milaan] no such option: theme']);
  await close();
});
