import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBankBook } from '../alerts/book/open-bank-book.ts';
import { judgeStoredMails } from '../alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../alerts/judging/open-judging.ts';
import { alertChannel } from '../alerts/queries.ts';
import type { World } from '../base/world.ts';
import { writeOwnFile } from '../base/write-own-file.ts';
import { openBank } from './open-bank.ts';
import { openDemoBusiness, openDemoSeller } from './open-demo-business.ts';
import { type SandboxWorld, sandboxKeys } from './playground.ts';
import { sandboxClock } from './sandbox-clock.ts';
import { sandboxDns } from './sandbox-dns.ts';
import { readSandboxFile } from './sandbox-file.ts';

/** Wraps the outside world: the sandbox has its own clock, DNS and bank, and the demo business. */
export async function openSandbox(outside: World, { judgesItself }: { judgesItself: boolean }) {
  const { mode, dataDir } = outside.config;
  if (mode !== 'sandbox') throw new Error('nothing of the sandbox may run live');
  const bank = openBank(dataDir);
  const state = readKeptState(dataDir);
  const keep = (change: Partial<typeof state>) => keepState(dataDir, Object.assign(state, change));
  const clock = sandboxClock(outside.clock, {
    leadMs: state.clockLeadMs,
    keep: clockLeadMs => keep({ clockLeadMs }),
  });
  const dns = sandboxDns(outside.dns, {
    always: { [bank.keyName]: bank.keyRecord },
    dns: state.dns,
    keep: dns => keep({ dns }),
  });
  const banks = openBankBook(() => [...outside.banks.base(), bank.entry]);
  const world: SandboxWorld = { ...outside, clock, dns, banks };
  const keys = sandboxKeys(world);
  const demo = await openDemoBusiness(world, readSandboxFile(dataDir));
  const seller = await openDemoSeller(world, demo.password);
  const judging = openJudging(world, keys);
  const judge = judgesItself
    ? () => judgeStoredMails(world, judging.tools)
    : () => world.sql.notify(alertChannel, '');
  return { playground: { world, demo, seller, bank, keys, judge: async () => await judge() }, judging };
}

/** State that survives a restart. Without the clock's lead, stored orders would be in the future. */
type KeptState = { clockLeadMs: number; dns: Record<string, string> };

const nothing: KeptState = { clockLeadMs: 0, dns: {} };

export function readKeptState(dataDir: string): KeptState {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(placeOf(dataDir), 'utf8')) as Partial<KeptState>) };
  } catch {
    return nothing;
  }
}

function keepState(dataDir: string, state: KeptState): void {
  writeOwnFile(placeOf(dataDir), JSON.stringify(state));
}

function placeOf(dataDir: string): string {
  return join(dataDir, 'sandbox-state.json');
}
