import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { second } from '../../base/clock.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { Bank } from '../banks/bank.ts';
import { type KeyAnswer, type KeySource, keyId } from '../origin/key-source.ts';
import { guessKeyNames } from '../origin/parse-signature.ts';
import { type Circumstances, type Judgement, undecided } from './judge-mail.ts';
import type { JudgeReply, JudgeTask } from './judge-worker.ts';

/** A genuine mail takes a few milliseconds. Waiting for DNS does not count. */
const judgingTimeLimit = 10 * second;
/** The time to load a thread's code on a busy machine. */
const startTimeLimit = 60 * second;
/** A time limit is reached after this many parts of it have passed while this process ran. */
const beatsOfLimit = 10;
/** One thread's heap. A message of 1 MiB needs a twentieth of it. */
const judgeMemoryMb = 192;
/** Idle threads kept after their slots close, with their banks, so that the next thread need not load them again. */
const mostSpare = 2;
const spare: { worker: Worker; sentBanks: readonly Bank[] }[] = [];
let lastNumber = 0;
/** Rounds of asking for keys: twice the bank's, and at most one of an unlisted signer. */
const maxKeyRounds = 4;

export type Judges = {
  judge(
    raw: Uint8Array,
    mail: Omit<Circumstances, 'banks' | 'keys'> & { merchantId?: number },
  ): Promise<Judgement>;
  /** Starts one thread, so that the first mail need not wait for it. */
  warm(): void;
  close(): Promise<void>;
};

type Options = {
  /** Called for every mail, so that a saved entry reaches the thread with the next mail. */
  banks: () => readonly Bank[];
  keys: KeySource;
  /** Keys known without DNS are sent with the mail, which saves a round. */
  known?: (name: string, arrivedAt: Date) => KeyAnswer | null;
  log: Pick<Logger, 'error'>;
  threads?: number;
  timeLimit?: number;
};

/** Runs `judgeMail` in worker threads, so that a mail bomb costs a thread some time and the API none. */
export function startJudges({
  banks,
  keys,
  known: remembered = () => null,
  log,
  threads = 2,
  timeLimit = judgingTimeLimit,
}: Options): Judges {
  const pool = Array.from({ length: threads }, () => openThread(banks, timeLimit));
  const waiting: Array<(thread: JudgeThread) => void> = [];
  const free = [...pool];

  async function run(task: Omit<JudgeTask, 'number'>): Promise<ThreadReply> {
    const thread = free.pop() ?? (await new Promise<JudgeThread>(resolve => waiting.push(resolve)));
    try {
      return await thread.run(task);
    } finally {
      const next = waiting.shift();
      if (next) next(thread);
      else free.push(thread);
    }
  }

  function giveUp(reply: ThreadReply): Judgement {
    log.error({ reply }, 'a judging thread failed; its mail was not judged');
    return undecided(reply.kind === 'lost' ? reply.reason : because('our_fault_reading'));
  }

  return {
    async judge(raw, { merchantId, ...mail }) {
      const known = new Map<string, KeyAnswer>();
      for (const name of guessKeyNames(raw)) {
        const answer = remembered(name, mail.arrivedAt);
        if (answer !== null) known.set(keyId({ name, purpose: 'bank' }), answer);
      }
      for (let round = 0; round < maxKeyRounds; round++) {
        const reply = await run({ ...mail, raw, keys: known });
        if (reply.kind === 'judged') return reply.judgement;
        if (reply.kind !== 'keys') return giveUp(reply);
        // The thread is free while DNS is asked.
        await Promise.all(
          reply.wanted.map(async wanted =>
            known.set(keyId(wanted), await keys(wanted.name, wanted.purpose, mail.arrivedAt, merchantId)),
          ),
        );
      }
      return undecided(because('too_many_keys'));
    },
    warm: () => free.at(-1)?.warm(),
    async close() {
      await Promise.all(pool.map(thread => thread.close()));
    },
  };
}

type JudgeThread = ReturnType<typeof openThread>;

/** One thread, replaced when it is stuck or dead: empty → starting → ready → busy → ready, or → empty. */
function openThread(banks: () => readonly Bank[], timeLimit: number) {
  let starting: Promise<Worker> | null = null;
  let current: Worker | null = null;
  let isBusy = false;
  let sentBanks: readonly Bank[] = [];
  const onExit = () => {
    starting = null;
  };

  async function start(): Promise<Worker> {
    const kept = takeSpare();
    if (kept) {
      ({ worker: current, sentBanks } = kept);
      return current.on('exit', onExit);
    }
    sentBanks = banks();
    const worker = new Worker(new URL('./judge-worker.ts', import.meta.url), {
      workerData: { banks: sentBanks },
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: judgeMemoryMb },
    });
    // An idle thread must not keep the process alive. One that dies idle is replaced when the next mail comes.
    worker.unref();
    worker.on('error', () => {});
    current = worker.on('exit', onExit);
    const reply = await nextReply(worker, startTimeLimit, 0);
    if (reply.kind === 'ready') return worker;
    await worker.terminate();
    throw new Error('a thread for judging mails did not start');
  }

  function warm(): void {
    starting ??= start();
    starting.catch(() => {
      starting = null;
    });
  }

  async function close(): Promise<void> {
    const worker = await starting?.catch(() => null);
    if (!worker || worker !== current) return;
    starting = current = null;
    worker.off('exit', onExit);
    if (isBusy || spare.length >= mostSpare) await worker.terminate();
    else spare.push({ worker, sentBanks });
  }

  async function run(task: Omit<JudgeTask, 'number'>): Promise<ThreadReply> {
    // From here on `close` must not keep this thread as a spare, or its late reply would reach another mail.
    isBusy = true;
    starting ??= start();
    let worker: Worker;
    try {
      worker = await starting;
    } catch (error) {
      starting = null;
      isBusy = false;
      throw error;
    }
    const known = banks();
    const news = known === sentBanks ? {} : { banks: known };
    sentBanks = known;
    const number = ++lastNumber;
    const hearing = nextReply(worker, timeLimit, number);
    worker.postMessage({ ...task, ...news, number } satisfies JudgeTask);
    const reply = await hearing;
    if (reply.kind === 'lost') await close();
    isBusy = false;
    return reply;
  }

  return { run, warm, close };
}

/** Without our settings, and so without secrets. The compile cache saves a third of a thread's start and memory. */
function threadEnvironment() {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

function takeSpare(): (typeof spare)[number] | undefined {
  let kept = spare.pop();
  // A thread that ended by itself has no id any more.
  while (kept?.worker.threadId === -1) kept = spare.pop();
  return kept;
}

/** `lost`: the thread is stuck or dead, and is replaced. */
type ThreadReply = JudgeReply | { readonly kind: 'lost'; readonly reason: Reason };

/** Resolves with the thread's reply to this number, with its death, or after the time limit. */
function nextReply(worker: Worker, timeLimit: number, number: number): Promise<ThreadReply> {
  return new Promise(resolve => {
    const hear = (reply: ThreadReply) => {
      clearInterval(timer);
      worker.off('message', listen).off('error', died).off('exit', died);
      resolve(reply);
    };
    const listen = (reply: JudgeReply & { number: number }) => {
      if (reply.number === number) hear(reply);
    };
    const died = () => hear({ kind: 'lost', reason: because('too_much_memory') });
    // Counts beats, because a process that was frozen misses them. One long timer would then blame the thread.
    let beats = 0;
    const timer = setInterval(() => {
      if (++beats >= beatsOfLimit) hear({ kind: 'lost', reason: because('took_too_long') });
    }, timeLimit / beatsOfLimit);
    worker.on('message', listen).on('error', died).on('exit', died);
  });
}
