import type { Texts } from '../../texts/languages.ts';
import type { Bank } from './bank.ts';
import { whyNot } from './bank-support.ts';
/** That payments at this bank cannot be confirmed, and why. */
export function whyUnread({ banks }: Texts, bank: Bank): string {
  if (bank.closed !== null) return `${banks.noConfirming(bank.name)} ${banks.closed}`;
  const why = whyNot(bank);
  return `${banks.noConfirming(bank.name)} ${why === null ? banks.unknown : banks.cannot[why]}`;
}
