import assert from 'node:assert/strict';
import { phone } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import {
  browser,
  customerPays,
  merchant,
  newOrder,
  ownerAccepts,
  shop,
  shopHears,
  useRoundedPayments,
  world,
} from '../support/rounded-payment-stage.ts';

const { test } = needs('Chromium');

/** The commonest accident, with two browsers: a customer leaves the paise out, and the owner looks at it. */

useRoundedPayments();

test('a rounded payment is held for the owner: the customer is notified, the owner accepts, shop and customer hear of it', async () => {
  await world.sql`update merchants set hold_near_misses = true where merchant_id = ${merchant.merchantId}`;
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(order.payment_url);
  await page.getByText('Pay exactly ₹').waitFor();
  await customerPays(500_00, '691900000001');
  await page.locator('#review').getByText('The shop has received ₹500.00 for this order of').waitFor();
  // Asked for beforehand: four seconds later she is back in the shop.
  const thanked = page.locator('#paid').getByText('Chai Point has received ₹500.00. Thank you.').waitFor();
  await ownerAccepts(order.order_id);
  await shopHears(order.order_id, order.payable_amount);
  await thanked;
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  assert.deepEqual(troubles, []);
  await close();
});
