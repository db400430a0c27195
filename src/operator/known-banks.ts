import type { Bank } from '../alerts/bank.ts';
import { loadBanks } from '../alerts/load-banks.ts';
import type { Config } from '../config.ts';

/** The banks of this installation. The sandbox's own bank exists in the sandbox alone. */
export async function knownBanks({ banksFile, mode, dataDir }: Config): Promise<Bank[]> {
  const banks = loadBanks(banksFile);
  if (mode === 'live') return banks;
  const { openBank } = await import('../sandbox/open-bank.ts');
  return [...banks, openBank(dataDir).entry];
}
