import type { Texts } from '../../texts/languages.ts';
import type { Trust } from '../../texts/verdicts.ts';
import type { Bank, Cannot, Template } from './bank.ts';

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

/** Whether a wording names this value, in its sentence or in one of its rows. */
export function hasSlot({ written }: Pick<Template, 'written'>, slot: string): boolean {
  return [written.body, ...written.rows.map(([, value]) => value)].some(text => text.includes(`{${slot}}`));
}

/**
 * Whether every mail of this wording names the payer's UPI ID. Where a bank leaves it out at times, what stands in its
 * place can be a name or a remark that the payer made look like one.
 */
export function printsPayerId({ body }: Pick<Template, 'body'>): boolean {
  return body.every(parts => parts.some(part => part.kind === 'payer' && part.slot === 'payer_vpa'));
}

/** The banks as they are known now. */
type Known = { banks: { current(): readonly Bank[] } };

/** A bank's name for people; one that is no longer listed keeps its short key. */
export function bankNames({ banks }: Known): (id: string) => string {
  const names = new Map(banks.current().map(bank => [bank.id, bank.name]));
  return id => names.get(id) ?? id;
}

/** The banks that an account may be at, for people to choose from: by name, without those that are gone. */
export function openBanks({ banks }: Known): Bank[] {
  return banks
    .current()
    .filter(bank => bank.closed === null)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Only banks whose mails can be read: an order on any other account would rob its customer. */
export function bankChoices(banks: readonly Bank[]): { id: string; printedDigits: number }[] {
  return banks.filter(canConfirm).map(bank => ({ id: bank.id, printedDigits: printedDigits(bank) }));
}
