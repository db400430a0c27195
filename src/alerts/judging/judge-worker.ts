import { parentPort, workerData } from 'node:worker_threads';
import type { Bank } from '../banks/bank.ts';
import { type KeyAnswer, type KeyPurpose, keyId } from '../origin/key-source.ts';
import { type Circumstances, type Judgement, judgeMail } from './judge-mail.ts';

/** One mail and the keys known so far. Dates, buffers and the banks' patterns can be sent between threads. */
export type JudgeTask = Omit<Circumstances, 'keys' | 'banks'> & {
  readonly raw: Uint8Array;
  /** Starts at 1. The reply has the same number, so that no mail gets another's verdict. */
  readonly number: number;
  /** The keys by `keyId`. */
  readonly keys: ReadonlyMap<string, KeyAnswer>;
  /** Sent only if they changed since the last mail. */
  readonly banks?: readonly Bank[];
};

/** `keys`: the verdict depends on missing keys; fetch them and send the mail again. */
export type JudgeReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  | { readonly kind: 'keys'; readonly wanted: readonly WantedKey[] }
  | { readonly kind: 'failed'; readonly message: string };

export type WantedKey = { readonly name: string; readonly purpose: KeyPurpose };

/**
 * Parses hostile mails in a thread without network access. It returns the names of missing keys, so it never waits for
 * DNS, and all caches are in the main thread.
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
