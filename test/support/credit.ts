import { randomBytes } from 'node:crypto';
import { paise } from '../../src/base/money.ts';
import type { Credit } from '../../src/payments/matching/credit.ts';
import type { TestWorld } from './test-world.ts';

/** A stored alert that passed every gate, waiting to meet its order. */
export async function storedCredit(
  world: TestWorld,
  merchantId: number,
  change: Partial<Credit> & { amount: Credit['amount'] },
): Promise<Credit> {
  const credit: Credit = {
    merchantId,
    alertId: `alert_${randomBytes(8).toString('hex')}`,
    alertTime: world.clock.now(),
    bank: 'hdfc',
    trust: 'confirmed',
    signatureIds: [randomBytes(16).toString('hex')],
    // A 9 in the second place names no day of any year, so that no day of the tests' own is an earlier one.
    reference: `69${String(randomBytes(6).readUIntBE(0, 6) % 1e10).padStart(10, '0')}`,
    accountDigits: '4321',
    payeeVpa: null,
    template: 'test',
    payer: null,
    signingDomain: 'hdfcbank.bank.in',
    selector: 's1',
    recipient: null,
    ...change,
  };
  await world.sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, bank, amount_paise,
      bank_reference, payer, account_digits, payee_vpa, alert_time, signature_id)
    values (${merchantId}, ${credit.alertId}, 3, ${world.clock.now()}, 'test', 'unjudged', ${credit.bank},
      ${credit.amount}, ${credit.reference}, ${credit.payer}, ${credit.accountDigits}, ${credit.payeeVpa}, ${credit.alertTime}, ${credit.signatureIds[0] ?? null})`;
  await world.sql`insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    values (${merchantId}, ${credit.alertId}, ${world.clock.now()}, 'raw')`;
  return credit;
}

/** The payable amount of a created order in paise. */
export function payableOf(order: { payable_amount: number }): Credit['amount'] {
  return paise(Math.round(order.payable_amount * 100));
}
