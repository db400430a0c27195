import { setTimeout as sleep } from 'node:timers/promises';
import { later, stopwatch } from '../../base/clock.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import { because } from '../../texts/verdicts.ts';
import { catchUp } from './catch-up.ts';
import { LostLease, MailFailure } from './explain-failure.ts';
import { mailboxMetrics } from './metrics.ts';
import { type Connection, chooseFolders, openConnection } from './open-connection.ts';
import { openLogin } from './open-login.ts';
import { backOff, backOffBusy } from './pace.ts';
import type { WatchedMailbox } from './queries/settings.ts';
import { readState, recordFailure } from './queries/states.ts';
import {
  atStep,
  hasRest,
  isComparisonDue,
  type Job,
  type Tools,
  type Watch,
  type WatchWorld,
} from './watch-job.ts';

export type Watcher = ReturnType<typeof watchMailbox>;

/**
 * Watches one mailbox until it is stopped or its lease is lost:
 * connect → list the folders → catch up in each → wait for news → catch up again …; any failure → back off → connect.
 * One session does everything: while it reads Junk it does not idle, and it checks INBOX right after.
 */
export function watchMailbox(world: WatchWorld, mailbox: WatchedMailbox, fence: number, tools: Tools) {
  const abort = new AbortController();
  const held = { merchantId: mailbox.merchant_id, fence };
  const it = { world, mailbox, held, tools, metrics: mailboxMetrics(world.metrics), memories: new Map() };
  let over = false;
  const done = watch(it, abort.signal)
    .catch(error => {
      if (abort.signal.aborted) return;
      world.log.error(
        { err: error, merchantId: mailbox.merchant_id },
        "a mailbox's watcher failed; it is started again",
      );
    })
    .finally(() => {
      over = true;
    });
  return {
    /** It ended by itself: the lease was lost, or an error occurred. The mailbox must not stay unwatched. */
    isOver: () => over,
    async stop(): Promise<void> {
      abort.abort();
      await done;
    },
  };
}

async function watch(it: Watch, signal: AbortSignal): Promise<void> {
  const { world, mailbox } = it;
  await waitAfterRefusals(it, signal);
  for (let failures = 0; !signal.aborted; ) {
    const lasted = stopwatch();
    let failure: MailFailure;
    try {
      await session(it, signal);
      continue;
    } catch (error) {
      if (signal.aborted || error instanceof LostLease) return;
      failure = error instanceof MailFailure ? error : new MailFailure('ours', because('our_fault'), error);
      world.log.info(
        {
          merchantId: mailbox.merchant_id,
          kind: failure.kind,
          reason: failure.message,
          ...(failure.kind === 'ours' && { err: error }),
        },
        'a mailbox session failed; it is tried again',
      );
    }
    failures = lasted() > it.tools.pace.goodAfter ? 1 : failures + 1;
    const wait = await noteFailure(it, failure, failures);
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}

/** Stores the failure and returns how long to wait. A refused login is never repeated quickly. */
async function noteFailure(it: Watch, failure: MailFailure, failures: number): Promise<number> {
  const { world, held } = it;
  const { pace } = it.tools;
  const isLogin = failure.kind === 'login' || failure.kind === 'imap_off';
  const now = world.clock.now();
  try {
    const before = (await readState(world.sql, held.merchantId))?.login_failures ?? 0;
    const needsLogin = isLogin && before + 1 >= pace.loginTries;
    await recordFailure(world.sql, held, { reason: failure.reason, isLogin, needsLogin, now });
    if (needsLogin) return pace.refusedLogin;
  } catch (error) {
    world.log.warn(
      { err: error, merchantId: held.merchantId },
      'the failure of a mailbox could not be stored',
    );
    if (isLogin) return pace.refusedLogin;
  }
  if (isLogin) return pace.firstLogins;
  return failure.kind === 'busy' ? backOffBusy(pace, failures) : backOff(pace, failures);
}

/** A process that takes over a mailbox continues its count of refused logins. */
async function waitAfterRefusals({ world, mailbox, tools }: Watch, signal: AbortSignal): Promise<void> {
  const { pace } = tools;
  if (!mailbox.login_failed_at || mailbox.login_failures < pace.loginTries) return;
  const wait = later(mailbox.login_failed_at, pace.refusedLogin).getTime() - world.clock.now().getTime();
  if (wait > 0) await sleep(Math.min(wait, pace.refusedLogin), undefined, { signal }).catch(() => {});
}

async function session(it: Watch, signal: AbortSignal): Promise<void> {
  const { world, mailbox, held, tools, metrics } = it;
  const { pace } = tools;
  const login = await openLogin(world, mailbox, tools, signal);
  const connection = await openConnection(world, mailbox, login, { pace, roots: tools.roots, signal });
  const close = () => connection.close();
  signal.addEventListener('abort', close, { once: true });
  metrics.connected.inc();
  try {
    const job: Job = { ...it, connection };
    const note = () => tools.ledger.recordConnected({ ...held, now: world.clock.now() });
    await unlessDatabaseDown(job, signal, note);
    await atStep(job, 'connected');
    const news = { heard: false, wake: () => {} };
    connection.client.on('exists', () => {
      news.heard = true;
      news.wake();
    });
    connection.client.on('close', () => news.wake());
    for (;;) {
      const folders = await chooseFolders(connection, mailbox.extra_folders);
      await atStep(job, 'listed');
      const sinceListed = stopwatch();
      while (sinceListed() < pace.compare) await round(job, folders, news, signal);
    }
  } finally {
    metrics.connected.dec();
    signal.removeEventListener('abort', close);
    connection.close();
  }
}

type News = { heard: boolean; wake: () => void };

/**
 * Polls all folders, then reads INBOX again at every news until the next poll is due. INBOX comes first: if another
 * folder makes the server end the session, INBOX was already read.
 */
async function round(job: Job, folders: readonly string[], news: News, signal: AbortSignal): Promise<void> {
  const { world, held, connection, metrics, tools } = job;
  const { poll } = tools.pace;
  const sincePoll = stopwatch();
  await unlessDatabaseDown(job, signal, async () => {
    news.heard = false;
    await catchUp(job, 'INBOX', { reopen: true });
    let hasLeft = false;
    for (const folder of folders) {
      if (folder === 'INBOX' || !(await hasNews(job, folder))) continue;
      hasLeft = true;
      await catchUpIfPossible(job, folder);
    }
    // IDLE must wait in INBOX.
    if (hasLeft) await catchUp(job, 'INBOX', { reopen: true });
    await tools.ledger.recordGoodPoll({ ...held, now: world.clock.now() });
  });
  metrics.polls.inc();
  await atStep(job, 'polled');
  for (let left = poll; left > 0; left = poll - sincePoll()) {
    const isBehind = hasRest(job.memories.get('INBOX'));
    if (!isBehind) await waitForNews(connection, left, news);
    const end = connection.ended();
    if (end) throw end;
    if (!news.heard && !isBehind) break;
    news.heard = false;
    await unlessDatabaseDown(job, signal, () => catchUp(job, 'INBOX', { reopen: false }));
    await sleep(tools.pace.breath, undefined, { signal });
  }
  // This detects a dead connection before the next poll's slow commands.
  await connection.run(client => client.noop());
}

/** The session stays while the database is down, because a new login would not help. It retries at least every 8 s. */
async function unlessDatabaseDown(job: Job, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof MailFailure || !isDatabaseDown(error) || signal.aborted) throw error;
      await sleep(backOff(job.tools.pace, Math.min(tries, 4)), undefined, { signal });
    }
  }
}

/** Asks for two numbers instead of opening the folder; if in doubt, yes. */
async function hasNews(job: Job, folder: string): Promise<boolean> {
  const { connection, world, mailbox, tools } = job;
  const memory = job.memories.get(folder);
  if (!memory || memory.holes.size > 0 || hasRest(memory)) return true;
  if (isComparisonDue(memory, world.clock.now(), tools.pace)) return true;
  const status = await connection.run(client => client.status(folder, { uidNext: true, uidValidity: true }));
  if (!status || status.uidNext === undefined || status.uidValidity === undefined) return true;
  const position = await tools.ledger.readPosition({ merchantId: mailbox.merchant_id, folder });
  return position?.next_uid !== status.uidNext || position.uidvalidity !== Number(status.uidValidity);
}

/** A folder that the server refuses must not block the others, as long as the session lives. */
async function catchUpIfPossible(job: Job, folder: string): Promise<void> {
  try {
    await catchUp(job, folder, { reopen: true });
  } catch (error) {
    if (!(error instanceof MailFailure) || job.connection.ended()) throw error;
    const { merchantId } = job.held;
    job.world.log.warn({ merchantId, folder, reason: error.message }, 'a folder of a mailbox cannot be read');
  }
}

/**
 * Waits in IDLE until the server announces mail, `limit` passes, or the session ends. This is only a hint, and the
 * caller checks again. `news` may already be set by mail announced during other work.
 */
async function waitForNews({ client, ended }: Connection, limit: number, news: News): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, limit);
  news.wake = over.resolve;
  if (news.heard || ended()) over.resolve();
  if (!news.heard && client.capabilities.has('IDLE')) {
    // IDLE ends with the next command or the session. A server that refuses IDLE is polled.
    client.idle().catch(() => {});
  }
  try {
    await over.promise;
  } finally {
    clearTimeout(timer);
    news.wake = () => {};
  }
}
