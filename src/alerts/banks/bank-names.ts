import type { Bank } from './bank.ts';
import { canConfirm, printedDigits } from './bank-support.ts';

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
