import type { Texts } from '../../texts/languages.ts';
import type { Trust } from '../../texts/verdicts.ts';
import type { Bank, Cannot, Template } from './bank.ts';
import { hasSlot } from './has-slot.ts';

/**
 * What an owner may expect of a bank. `confirmed`: its mails about UPI money were seen and are read. `unconfirmed`:
 * they should be read, and nobody has seen one. `unknown`: nobody has shown such a mail. `cannot`: see `Cannot`.
 */
export type Support = 'confirmed' | 'unconfirmed' | 'unknown' | 'cannot' | 'closed';

/** What can be read counts for more than what was written about it: a file that adds wording and sender is believed. */
export function supportOf(bank: Bank): Support {
  if (bank.closed !== null) return 'closed';
  const paying = payingTemplates(bank);
  if (paying.length === 0) return bank.cannot === null ? 'unknown' : 'cannot';
  if (bank.senders.length === 0) return 'cannot';
  const isMailed = bank.upiMails !== 'unknown' && bank.upiMails !== 'likely';
  return isMailed && paying.some(({ unconfirmed }) => !unconfirmed) ? 'confirmed' : 'unconfirmed';
}

/** How far the word of a wording goes; what the bank is known for counts for more than how it was learnt. */
export function trustOf(bank: Bank, { unconfirmed }: Template): Trust {
  return bank.reviewOnly ? 'review_only' : unconfirmed ? 'trial' : 'confirmed';
}

/** Whether a payment to an account at this bank can be confirmed at all. */
export function canConfirm(bank: Bank): boolean {
  const support = supportOf(bank);
  return support === 'confirmed' || support === 'unconfirmed';
}

/** Why not; null where there is a way, or where nobody knows. */
export function whyNot(bank: Bank): Cannot | null {
  return supportOf(bank) === 'cannot' ? (bank.cannot ?? 'no_sender') : null;
}

export function payingTemplates({ templates }: Bank): Bank['templates'] {
  return templates.filter(({ channel }) => channel !== 'other');
}

/** That payments at this bank cannot be confirmed, and why. */
export function whyUnread({ banks }: Texts, bank: Bank): string {
  if (bank.closed !== null) return `${banks.noConfirming({ bank: bank.name })} ${banks.closed}`;
  const why = whyNot(bank);
  return `${banks.noConfirming({ bank: bank.name })} ${why === null ? banks.unknown : banks.cannot[why]}`;
}

const usualDigits = 4;
/** With so few, one account in a hundred looks like the shop's own. */
const fewDigits = 2;

/** How many trailing digits of an account this bank's alerts print; 0 where they name none. */
export function printedDigits(bank: Bank): number {
  return bank.accountDigits ?? (payingTemplates(bank).some(prints) ? usualDigits : 0);
}

/** Whether the digits of its alerts hardly tell one account from another: an address nobody knows is what is left. */
export function printsFewDigits(bank: Bank): boolean {
  return payingTemplates(bank).length > 0 && printedDigits(bank) <= fewDigits;
}

function prints(template: Bank['templates'][number]): boolean {
  return hasSlot(template, 'account');
}
