import { changeAccountBank } from '../business/merchants/change-account-bank.ts';
import type { Playground } from './playground.ts';
import { readDefaultAccount } from './queries.ts';
import { invalid } from './read-requests.ts';
import { readSandboxFile, type SandboxFile, writeSandboxFile } from './sandbox-file.ts';
import type { AccountJson } from './schemas.ts';

type Told = Partial<Pick<SandboxFile, 'bank' | 'account_digits' | 'forward_to'>>;

/** The demo business's default account as one of any listed bank, so that a test can play that bank. */
export async function changeDemoAccount(
  playground: Pick<Playground, 'world' | 'demo'>,
  { bank, digits }: { bank: string; digits: string | null },
): Promise<AccountJson> {
  const { world, demo } = playground;
  if (!world.banks.current().some(one => one.id === bank))
    throw invalid(`there is no bank "${bank.slice(0, 40)}"`);
  const account = await readDefaultAccount(world.sql, demo.merchantId);
  if (!account) throw invalid('the demo business has no default UPI account; reset the sandbox');
  const account_digits = digits ?? account.account_digits ?? demo.account_digits;
  const change = { bank, accountDigits: account_digits };
  await world.sql.begin(tx => changeAccountBank(tx, world, demo.merchantId, account.account_id, change));
  tellChange(playground, { bank, account_digits });
  return { payment_account_id: account.account_id, bank, account_digits };
}

/** `sandbox.json` says what is true. */
export function tellChange({ world, demo }: Pick<Playground, 'world' | 'demo'>, told: Told): void {
  Object.assign(demo, told);
  const { dataDir } = world.config;
  const file = readSandboxFile(dataDir);
  if (file.base_url !== undefined) writeSandboxFile(dataDir, { ...(file as SandboxFile), ...told });
}
