import type { Bank } from '../alerts/bank.ts';
import { loadBanks } from '../alerts/load-banks.ts';
import type { Config } from '../config.ts';
import type { World } from '../world.ts';

const loaded = new WeakMap<Config, readonly Bank[]>();

/** The banks of this installation, read from their files once. */
export function knownBanks({ config }: Pick<World, 'config'>): readonly Bank[] {
  const banks = loaded.get(config) ?? loadBanks(config.banksFile);
  loaded.set(config, banks);
  return banks;
}

/** A bank's name for people; one that is no longer listed keeps its short key. */
export function bankNames(world: Pick<World, 'config'>): (id: string) => string {
  const names = new Map(knownBanks(world).map(bank => [bank.id, bank.name]));
  return id => names.get(id) ?? id;
}
