import { Worker } from 'node:worker_threads';
import type { Bank } from '../alerts/bank.ts';
import { type KeyAnswer, type KeySource, keyId } from '../alerts/key-source.ts';
import { parseMailDate } from '../alerts/parse-mail-date.ts';
import { parseSignature } from '../alerts/parse-signature.ts';
import { fieldNamed, splitHeaders } from '../alerts/split-headers.ts';
import { keyName } from '../alerts/weigh-signature.ts';
import { second } from '../clock.ts';
import type { InspectedMail, Uninspected } from './inspect-mail.ts';
import type { InspectTask } from './inspect-worker.ts';

/** A thread is loaded for one mail; on a busy machine that is most of the time. */
const timeLimit = 30 * second;
const memoryMb = 192;

/** `inspectMail` beside the event loop: a mail bomb costs its thread some time and nobody else any. */
export async function inspectAside(
  world: { readonly banks: readonly Bank[]; readonly keys: KeySource },
  raw: Buffer,
  { arrivedAt, now }: { arrivedAt: Date | null; now: Date },
): Promise<InspectedMail | Uninspected | 'gave_up'> {
  const split = splitHeaders(raw);
  if (split.outcome === 'refused') return { outcome: 'refused', reason: split.reason };
  // A saved file does not tell when it arrived, and an old one's signature may have expired since.
  const dated = parseMailDate(fieldNamed(split.fields, 'date')?.value ?? '');
  const at = arrivedAt ?? (dated !== null && dated < now ? dated : now);
  const keys = new Map<string, KeyAnswer>();
  for (const field of split.fields) {
    const tags = field.name === 'dkim-signature' ? parseSignature(field.value) : null;
    if (tags === null) continue;
    const name = keyName(tags);
    const isBanks = world.banks.some(bank => bank.signingDomains.includes(tags.domain));
    // The key of a stranger is asked for and not remembered.
    keys.set(keyId({ name, purpose: 'bank' }), await world.keys(name, isBanks ? 'bank' : 'unlisted', at));
  }
  return await inThread({ raw, banks: world.banks, keys, arrivedAt: at, now });
}

async function inThread(task: InspectTask): Promise<InspectedMail | Uninspected | 'gave_up'> {
  const worker = new Worker(new URL('./inspect-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  try {
    return await new Promise(resolve => {
      const timer = setTimeout(() => resolve('gave_up'), timeLimit);
      const settle = (answer: InspectedMail | Uninspected | 'gave_up') => {
        clearTimeout(timer);
        resolve(answer);
      };
      worker.on('message', settle);
      worker.on('error', () => settle('gave_up'));
      worker.on('exit', () => settle('gave_up'));
    });
  } finally {
    await worker.terminate();
  }
}
