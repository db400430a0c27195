import type { World } from '../../base/world.ts';
import type { BankChoice } from '../../business/merchants/read-upi-account.ts';
import type { Bank } from './bank.ts';
import { canConfirm } from './bank-support.ts';
import { printedDigits } from './printed-digits.ts';

/** A bank's name for people; one that is no longer listed keeps its short key. */
export function bankNames(world: Pick<World, 'banks'>): (id: string) => string {
  const names = new Map(world.banks.current().map(bank => [bank.id, bank.name]));
  return id => names.get(id) ?? id;
}

/** The banks that an account may be at, for people to choose from: by name, without those that are gone. */
export function openBanks(world: Pick<World, 'banks'>): Bank[] {
  return world.banks
    .current()
    .filter(bank => bank.closed === null)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Only banks whose mails can be read: an order on any other account would rob its customer. */
export function bankChoices(banks: readonly Bank[]): BankChoice[] {
  return banks.filter(canConfirm).map(bank => ({ id: bank.id, printedDigits: printedDigits(bank) }));
}
