import type { Bank } from '../alerts/bank.ts';
import { canConfirm } from '../alerts/bank-support.ts';
import { loadBanks } from '../alerts/load-banks.ts';
import { printedDigits } from '../alerts/printed-digits.ts';
import type { Config } from '../config.ts';
import type { BankChoice } from '../merchants/read-upi-account.ts';
import type { World } from '../world.ts';

const loaded = new WeakMap<Config, readonly Bank[]>();

/** The banks of this installation, read from their files once. */
export function knownBanks({ config }: Pick<World, 'config'>): readonly Bank[] {
  const banks = loaded.get(config) ?? loadBanks(config.banksFile);
  loaded.set(config, banks);
  return banks;
}

/** Those that this process judges by: the sandbox has one more. */
export function useBanks({ config }: Pick<World, 'config'>, banks: readonly Bank[]): void {
  loaded.set(config, banks);
}

/** A bank's name for people; one that is no longer listed keeps its short key. */
export function bankNames(world: Pick<World, 'config'>): (id: string) => string {
  const names = new Map(knownBanks(world).map(bank => [bank.id, bank.name]));
  return id => names.get(id) ?? id;
}

/** The banks that an account may be at, for people to choose from: by name, without those that are gone. */
export function openBanks(world: Pick<World, 'config'>): Bank[] {
  return knownBanks(world)
    .filter(bank => bank.closed === null)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Only those whose mails can be read: an order on any other account would rob whoever pays it. */
export function bankChoices(banks: readonly Bank[]): BankChoice[] {
  return banks.filter(canConfirm).map(bank => ({ id: bank.id, printedDigits: printedDigits(bank) }));
}
