import type { ProofAlert, ProofOrder } from './queries/first-steps.ts';

/** What the alert of the proof says of the account, where something else is recorded. */
export type Correction = { accountId: string; bank: string; digits: string | null };

/** As many as an account records. */
const mostDigits = 6;

/** The proof's own amount, told by a genuine alert of another bank or of other digits than those recorded. */
export function findCorrection(order: ProofOrder, alerts: readonly ProofAlert[]): Correction | null {
  const alert = alerts.find(
    one => one.verdict === 'wrong_account' && one.amount_paise === order.payable_paise && one.bank !== null,
  );
  if (!alert || alert.bank === null || order.status === 'paid') return null;
  const digits = alert.account_digits?.slice(-mostDigits) ?? null;
  const isRecorded =
    alert.bank === order.bank && (digits === null || (order.account_digits ?? '').endsWith(digits));
  return isRecorded ? null : { accountId: order.account_id, bank: alert.bank, digits };
}
