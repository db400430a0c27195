import assert from 'node:assert/strict';
import { paise } from '../../../src/base/money.ts';
import { qrSvg } from '../../../src/orders/upi-link.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { accessibilityProblems, phone } from '../../support/browser.ts';
import { owner, shop, useBusyBrowser, visit, world } from '../../support/busy-browser.ts';
import { storedCredit } from '../../support/credit.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useBusyBrowser();

/** Genuine money that belongs to no order, by a wording that always names the payer's UPI ID, but for `change`. */
async function came(change: Partial<Credit> = {}): Promise<Credit> {
  const credit = await storedCredit(world, shop.merchantId, {
    amount: paise(751_50),
    template: 'upi-by-vpa',
    payer: 'Ravi.Kumar@okhdfcbank',
    ...change,
  });
  await confirmPayment(world, { ...credit, bank: 'hdfc' });
  await world.sql`update alerts set bank = ${credit.bank} where alert_id = ${credit.alertId}`;
  return credit;
}

test('“I gave it back” shows a QR code for this payer and sum, and says to scan it with one’s own app and check the name', async () => {
  const { alertId, reference } = await came();
  const link = `upi://pay?pa=ravi.kumar@okhdfcbank&pn=ravi.kumar@okhdfcbank&am=751.50&cu=INR&tn=Refund%20${reference}`;
  for (const width of [320, 360, 1280]) {
    const { page, go, troubles, close } = await visit(owner, { ...phone, viewport: { width, height: 640 } });
    await go(`/dashboard/money/${alertId}`);
    await page.getByRole('link', { name: 'Give back', exact: true }).click();
    const card = page.locator('.pay-back');
    const qr = card.getByRole('img', { name: 'QR code to pay ₹751.50 back to ravi.kumar@okhdfcbank' });
    const drawn = (markup: string) => /<path[^>]* d="([^"]+)"/.exec(markup)?.[1];
    assert.equal(drawn(await qr.innerHTML()), drawn(qrSvg(link)));
    await card.getByText(/Scan with your own UPI app. It sends ₹751\.50 from your account/).waitFor();
    await card.getByText(/check that your app shows the name/).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
    if (width === 360) assert.deepEqual(await accessibilityProblems(page), []);
    assert.deepEqual(troubles, []);
    await close();
  }
});

test('there is no refund QR if the ID may be another’s: a name that looks like one, odd or hidden characters, money on trial', async () => {
  const { page, go, close } = await visit(owner, phone);
  const cases: Record<string, Partial<Credit>> = {
    'nobody is named': { payer: null },
    'a name': { payer: 'RAVI KUMAR' },
    'a wording that names no ID, whose payer is called like one': {
      template: 'neft-deposit',
      payer: 'thief@ybl',
    },
    'a wording that leaves it out at times': { bank: 'nkgsb', template: 'upi', payer: 'thief@ybl' },
    'a wording nobody knows any more': { template: 'gone' },
    'another bank’s wording of that name': { bank: 'gone' },
    'further parameters': { payer: 'ravi@okbank&am=9999' },
    'a second ID': { payer: 'ravi@okbank,thief@ybl' },
    'letters of another script': { payer: 'rаvi@okbank' },
    'a direction mark': { payer: 'ravi@ok\u202ebank' },
    'a full stop at its end': { payer: 'ravi@okbank.' },
    'a hidden part': { payer: 'xxxxxx1234@okbank' },
    'a wording on trial': { trust: 'trial' },
    'a bank that only tells': { trust: 'review_only' },
  };
  let amount = 900_00;
  for (const [name, change] of Object.entries(cases)) {
    const { alertId } = await came({ amount: paise(++amount), ...change });
    await go(`/dashboard/money/${alertId}/give-back`);
    await page.getByText('1. Pay it back').waitFor();
    assert.equal(await page.locator('.proof-qr').count(), 0, name);
  }
  // Perhaps one payment: whoever pays twice back has paid once.
  const twice = [
    await came({ amount: paise(888_00), reference: null }),
    await came({ amount: paise(888_00), reference: null }),
  ];
  await world.sql`update alerts set printed_at = '15-11-26 10:00' where amount_paise = 88800`;
  for (const { alertId } of twice) {
    await go(`/dashboard/money/${alertId}/give-back`);
    assert.equal(await page.locator('.proof-qr').count(), 0);
  }
  await close();
});
