import assert from 'node:assert/strict';
import { type DoubtedShop, newKey } from './doubted-shop.ts';

let written = 0;

/** A genuine credit below a line that nobody has listed for the test bank; short enough to be a payer's if asked. */
export async function heldPayment(shop: DoubtedShop, line: string, { isShort = false, isHeld = true } = {}) {
  const order = await shop.order();
  const rupees = order.payable_amount.toFixed(2);
  const reference = 800_000_000_000 + ++written;
  const body = [
    'Dear Ravi Kumar,',
    line,
    isShort
      ? `Rs.${rupees} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}.`
      : `A payment of Rs.${rupees} by UPI has been credited to the savings account XX4321 that you hold with the branch of your choice, sent from the UPI ID ravi@okbank under the UPI reference ${reference}.`,
    'Call 1800 123 456 or see https://test.bank.in/help?id=77. Thank you.',
    '',
  ].join('\r\n');
  const alertId = await shop.mail(order.payable_amount, { key: newKey, body });
  await shop.judge();
  if (isHeld) assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
  return { order, alertId };
}
