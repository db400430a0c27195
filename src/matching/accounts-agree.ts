type AlertSays = { accountDigits: string | null; payeeVpa: string | null };
type Recorded = { account_digits: string | null; vpa: string };

/**
 * Whether an alert can be about this account. Banks print two to six trailing digits and merchants record as many as
 * they know: what both tell must agree, and what one of them does not tell decides nothing.
 */
export function accountsAgree(alert: AlertSays, account: Recorded): boolean {
  if (alert.payeeVpa !== null && alert.payeeVpa.toLowerCase() !== account.vpa.toLowerCase()) return false;
  if (alert.accountDigits === null || account.account_digits === null) return true;
  const told = Math.min(alert.accountDigits.length, account.account_digits.length);
  return alert.accountDigits.slice(-told) === account.account_digits.slice(-told);
}
