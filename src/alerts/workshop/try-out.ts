import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { alertAddresses } from '../addresses/alert-addresses.ts';
import { rememberedKeys } from '../judging/remembered-keys.ts';
import { startJudges } from '../judging/start-judges.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { type EntryDraft, wordingOf } from './draft-entry.ts';
import { selectKept, selectMailsOf } from './queries.ts';
import { type StoredMail, type Tried, tryEntry } from './try-entry.ts';
import { type Filled, tryFillings } from './try-fillings.ts';

export type Trial = { readonly fillings: Filled; readonly stored: Tried; readonly maySave: boolean };

type TrialWorld = Pick<World, 'sql' | 'clock' | 'dns' | 'log' | 'metrics' | 'banks'>;

/** Newest first; a person waits for it. */
const mostMails = 500;
const trialTime = 20 * second;

/** What a drafted entry would do here: with the slots of its wording in hostile hands, and to the mails that are kept. */
export async function tryOut(world: TrialWorld, draft: EntryDraft): Promise<Trial> {
  const bank = draft.banks.find(({ id }) => id === draft.entry.id)!;
  const fillings = await tryFillings(world.clock, bank, wordingOf(draft));
  const keys = rememberedKeys(world).ask;
  const options = { keys, log: world.log, threads: 1 };
  const before = startJudges({ ...options, banks: world.banks.current });
  const after = startJudges({ ...options, banks: () => draft.banks });
  try {
    const stored = await tryEntry(
      { before: before.judge, after: after.judge },
      mailsOf(world, bank.id),
      world.clock.now(),
    );
    const maySave = fillings.moved.length === 0 && stored.spoiled.length === 0;
    return { fillings, stored, maySave };
  } finally {
    await Promise.all([before.close(), after.close()]);
  }
}

/** One at a time, so that few of them are in memory. */
async function* mailsOf({ sql, clock }: TrialWorld, bank: string): AsyncGenerator<StoredMail> {
  const until = clock.now().getTime() + trialTime;
  const addresses = new Map<number, string[]>();
  for (const one of await selectMailsOf(sql, bank, mostMails)) {
    if (clock.now().getTime() > until) return;
    const kept = await selectKept(sql, one);
    if (kept === null) continue;
    const { merchant_id: merchantId, alert_id: alertId, arrived_at: arrivedAt } = kept;
    const own = addresses.get(merchantId) ?? (await alertAddresses(sql, merchantId));
    addresses.set(merchantId, own);
    const raw = await promisify(inflate)(kept.raw, { maxOutputLength: mostMailBytes });
    yield { merchantId, alertId, raw, addresses: own, arrivedAt };
  }
}
