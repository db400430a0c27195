import type { Texts } from '../../texts/languages.ts';
import type { Trust } from '../../texts/verdicts.ts';
import type { Bank, Cannot, Template } from './bank.ts';

/**
 * How well a bank is supported. `confirmed`: its mails about UPI money were seen and a wording that reads them is
 * confirmed; one for IMPS is not enough. `unconfirmed`: they should be readable, but no such wording is confirmed.
 * `unknown`: no such mail is known. `cannot`: see `Cannot`.
 */
export type Support = 'confirmed' | 'unconfirmed' | 'unknown' | 'cannot' | 'closed';

/** Templates and senders count for more than the field `cannot`, so that a file that adds both takes effect. */
export function supportOf(bank: Bank): Support {
  if (bank.closed !== null) return 'closed';
  const paying = payingTemplates(bank);
  if (paying.length === 0) return bank.cannot === null ? 'unknown' : 'cannot';
  if (bank.senders.length === 0) return 'cannot';
  const isMailed = bank.upiMails !== 'unknown' && bank.upiMails !== 'likely';
  const isRead = paying.some(({ channel, unconfirmed }) => channel !== 'imps' && !unconfirmed);
  return isMailed && isRead ? 'confirmed' : 'unconfirmed';
}

/** How far a template is trusted. `reviewOnly` of the bank comes before the template's own state. */
export function trustOf(bank: Bank, { unconfirmed }: Template): Trust {
  return bank.reviewOnly ? 'review_only' : unconfirmed ? 'trial' : 'confirmed';
}

export function canConfirm(bank: Bank): boolean {
  const support = supportOf(bank);
  return support === 'confirmed' || support === 'unconfirmed';
}

/** Why payments cannot be confirmed; null if they can be, or if the reason is unknown. */
export function whyNot(bank: Bank): Cannot | null {
  return supportOf(bank) === 'cannot' ? (bank.cannot ?? 'no_sender') : null;
}

export function payingTemplates({ templates }: Bank): Bank['templates'] {
  return templates.filter(({ channel }) => channel !== 'other');
}

export function whyUnread({ banks }: Texts, bank: Bank): string {
  if (bank.closed !== null) return `${banks.noConfirming({ bank: bank.name })} ${banks.closed}`;
  const why = whyNot(bank);
  return `${banks.noConfirming({ bank: bank.name })} ${why === null ? banks.unknown : banks.cannot[why]}`;
}

const usualDigits = 4;
/** With so few digits, one account in a hundred looks like the shop's own. */
const fewDigits = 2;

/** How many trailing digits of an account this bank's alerts print; 0 if they print none. */
export function printedDigits(bank: Bank): number {
  return bank.accountDigits ?? (payingTemplates(bank).some(one => hasSlot(one, 'account')) ? usualDigits : 0);
}

/** Whether the printed digits hardly distinguish accounts. Then only a secret alert address protects the shop. */
export function printsFewDigits(bank: Bank): boolean {
  return payingTemplates(bank).length > 0 && printedDigits(bank) <= fewDigits;
}

export function hasSlot({ written }: Pick<Template, 'written'>, slot: string): boolean {
  return [written.body, ...written.rows.map(([, value]) => value)].some(text => text.includes(`{${slot}}`));
}

/** If a bank sometimes leaves it out, the payer could put a name or remark there that looks like a UPI ID. */
export function printsPayerId({ body }: Pick<Template, 'body'>): boolean {
  return body.every(parts => parts.some(part => part.kind === 'payer' && part.slot === 'payer_vpa'));
}

type Known = { banks: { current(): readonly Bank[] } };

/** A bank's display name; a bank that is no longer listed keeps its id. */
export function bankNames({ banks }: Known): (id: string) => string {
  const names = new Map(banks.current().map(bank => [bank.id, bank.name]));
  return id => names.get(id) ?? id;
}

export function openBanks({ banks }: Known): Bank[] {
  return banks
    .current()
    .filter(bank => bank.closed === null)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Only banks whose mails can be read: an order on any other account would take the customer's money unconfirmed. */
export function bankChoices(banks: readonly Bank[]): { id: string; printedDigits: number }[] {
  return banks.filter(canConfirm).map(bank => ({ id: bank.id, printedDigits: printedDigits(bank) }));
}
