import type { Bank } from '../alerts/bank.ts';
import { type BankBook, openBankBook } from '../alerts/bank-book.ts';
import type { World } from '../world.ts';

/** The banks of this installation, with what was saved. The sandbox's own bank exists in the sandbox alone. */
export async function openKnownBanks(world: World): Promise<BankBook> {
  const { mode, dataDir } = world.config;
  let { banks } = world;
  if (mode === 'sandbox') {
    const { openBank } = await import('../sandbox/open-bank.ts');
    const base: readonly Bank[] = [...banks.base(), openBank(dataDir).entry];
    banks = openBankBook(() => base);
  }
  await banks.look(world);
  return banks;
}
