import assert from 'node:assert/strict';
import { findBreaches } from '../../src/operator/verify.ts';
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

/** The same accident, where the payment is not held and the customer names it. */

useRoundedPayments();

test('a rounded payment without holding is found by the customer’s reference, and ends the same', async () => {
  await world.sql`update merchants set hold_near_misses = false where merchant_id = ${merchant.merchantId}`;
  const order = await newOrder();
  await customerPays(500_00, '691900000002');
  const { page, close } = await browser.open(phone);
  await page.goto(`${order.payment_url}?claim=open`);
  await page.getByLabel('UPI reference number (UTR)').fill('Paid. UPI transaction ID: 6919 0000 0002');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.locator('#review').getByText('The shop has received ₹500.00 for this order of').waitFor();
  await ownerAccepts(order.order_id);
  await shopHears(order.order_id, order.payable_amount);
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
  assert.deepEqual(await findBreaches(world), []);
});
