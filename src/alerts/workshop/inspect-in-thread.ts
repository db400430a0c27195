import { second } from '../../base/clock.ts';
import { runInThread } from '../../base/run-in-thread.ts';
import type { Bank } from '../banks/bank.ts';
import { parseMailDate } from '../mail/parse-fields.ts';
import { headerValue, splitHeaders } from '../mail/split-headers.ts';
import { type KeyAnswer, type KeySource, keyId } from '../origin/key-source.ts';
import { signaturesOf } from '../origin/parse-signature.ts';
import { keyName } from '../origin/weigh-signature.ts';
import type { InspectedMail, Uninspected } from './inspect-mail.ts';
import type { InspectTask } from './inspect-worker.ts';

/** A thread is loaded for one mail; on a busy machine that takes most of the time. */
const limits = { timeLimit: 30 * second, memoryMb: 192 };

/** Runs `inspectMail` in a worker thread, because a mail bomb could block the event loop. */
export async function inspectInThread(
  world: { readonly banks: readonly Bank[]; readonly keys: KeySource },
  raw: Buffer,
  { arrivedAt, now }: { arrivedAt: Date | null; now: Date },
): Promise<InspectedMail | Uninspected | 'gave_up'> {
  const split = splitHeaders(raw);
  if (split.outcome === 'refused') return { outcome: 'refused', reason: split.reason };
  // A saved file has no arrival time, and an old mail's signature may have expired since.
  const dated = parseMailDate(headerValue(split, 'date') ?? '');
  const at = arrivedAt ?? (dated !== null && dated < now ? dated : now);
  const keys = new Map<string, KeyAnswer>();
  for (const tags of signaturesOf(split)) {
    const name = keyName(tags);
    const isBanks = world.banks.some(bank => bank.signingDomains.includes(tags.domain));
    // A stranger's key is asked for but not remembered.
    keys.set(keyId({ name, purpose: 'bank' }), await world.keys(name, isBanks ? 'bank' : 'unlisted', at));
  }
  const task: InspectTask = { raw, banks: world.banks, keys, arrivedAt: at, now };
  return await runInThread(new URL('./inspect-worker.ts', import.meta.url), task, limits);
}
