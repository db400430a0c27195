import assert from 'node:assert/strict';
import { type DoubtedShop, newKey } from './doubted-shop.ts';

let written = 0;

/** A genuine credit below a line that nobody has listed for the test bank. */
export async function heldPayment(shop: DoubtedShop, line: string) {
  const order = await shop.order();
  const body = [
    'Dear Ravi Kumar,',
    line,
    `Rs.${order.payable_amount.toFixed(2)} is credited to your account XX4321 by ravi@okbank. UPI reference ${800_000_000_000 + ++written}.`,
    'Call 1800 123 456 or see https://test.bank.in/help?id=77. Thank you.',
    '',
  ].join('\r\n');
  const alertId = await shop.mail(order.payable_amount, { key: newKey, body });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
  return { order, alertId };
}
