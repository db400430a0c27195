type AlertSays = { bank: string; accountDigits: string | null; payeeVpa: string | null };
export type Recorded = { bank: string | null; account_digits: string | null; vpa: string };

/** Why an alert cannot be about an account, the nearest miss first. */
export const accountDoubts = ['other_account', 'no_digits', 'no_bank', 'other_bank'] as const;
export type AccountDoubt = (typeof accountDoubts)[number];

/**
 * R13: why an alert cannot be about this account, or null. The bank must be the one that the account names: anybody
 * may open an account at another bank and give the shop's address there. Banks print two to six trailing digits or
 * none. The printed digits must agree with the recorded ones.
 */
export function doubtAboutAccount(alert: AlertSays, account: Recorded): AccountDoubt | null {
  if (account.bank === null) return 'no_bank';
  if (alert.bank !== account.bank) return 'other_bank';
  if (alert.payeeVpa !== null && alert.payeeVpa.toLowerCase() !== account.vpa.toLowerCase())
    return 'other_account';
  if (alert.accountDigits === null) return null;
  if (account.account_digits === null) return 'no_digits';
  const count = Math.min(alert.accountDigits.length, account.account_digits.length);
  return alert.accountDigits.slice(-count) === account.account_digits.slice(-count) ? null : 'other_account';
}
