import { parentPort, workerData } from 'node:worker_threads';
import type { Bank } from '../banks/bank.ts';
import { type KeyAnswer, type KeyPurpose, keyId } from '../origin/key-source.ts';
import { type Circumstances, type Judgement, judgeMail } from './judge-mail.ts';

/** One mail and the keys known so far. Dates, buffers and the banks' patterns can be sent between threads. */
export type JudgeTask = Omit<Circumstances, 'keys' | 'banks'> & {
  readonly raw: Uint8Array;
  /** From 1 on. The reply has the same: no mail gets another's verdict. */
  readonly number: number;
  /** By `keyId`. */
  readonly keys: ReadonlyMap<string, KeyAnswer>;
  /** Where they have changed since the last mail. */
  readonly banks?: readonly Bank[];
};

/** `keys`: the verdict depends on keys that were not given; fetch them and send the mail again. */
export type JudgeReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  | { readonly kind: 'keys'; readonly wanted: readonly WantedKey[] }
  | { readonly kind: 'failed'; readonly message: string };

export type WantedKey = { readonly name: string; readonly purpose: KeyPurpose };

/**
 * The thread that takes hostile mails apart. It asks nobody anything: what it lacks it names, so that it is never idle
 * while DNS is slow, and so that caches live in one place, the main thread.
 */
let { banks } = workerData as { banks: readonly Bank[] };
parentPort?.on('message', (task: JudgeTask) => {
  banks = task.banks ?? banks;
  judge(task).then(
    reply => say(reply, task.number),
    error => say({ kind: 'failed', message: String(error) }, task.number),
  );
});
say({ kind: 'ready' }, 0);

function say(reply: JudgeReply, number: number): void {
  parentPort?.postMessage({ ...reply, number });
}

async function judge(task: JudgeTask): Promise<JudgeReply> {
  const wanted: WantedKey[] = [];
  const judgement = await judgeMail(Buffer.from(task.raw), {
    ...task,
    banks,
    keys: async (name, purpose) => {
      const known = task.keys.get(keyId({ name, purpose }));
      if (known) return known;
      wanted.push({ name, purpose });
      return { kind: 'temporary' };
    },
  });
  return wanted.length > 0 ? { kind: 'keys', wanted } : { kind: 'judged', judgement };
}
