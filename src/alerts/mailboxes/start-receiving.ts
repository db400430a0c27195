import { hour, later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { ownSender } from '../addresses/code-mailer.ts';
import { findBank } from '../banks/bank.ts';
import { startWritingFigures } from '../judging/bank-figures.ts';
import { boundStrangersMails } from '../judging/bound-strangers-mails.ts';
import { type Judging, openJudging } from '../judging/open-judging.ts';
import { type StartedJudging, startJudging } from '../judging/start-judging.ts';
import { endMailboxes } from './connect-mailbox.ts';
import { blindAfter } from './mailbox-state.ts';
import { mailboxMetrics } from './metrics.ts';
import { notifyBlindMailboxes, notifyUnconfirmable } from './notify-of-mailboxes.ts';
import { trustedRoots } from './open-connection.ts';
import { type Pace, usualPace } from './pace.ts';
import {
  beat,
  type Lease,
  leave,
  mailboxChannel,
  releaseLease,
  renewLeases,
  takeLeases,
} from './queries/leases.ts';
import { openLedger } from './queries/positions.ts';
import { readMailboxes } from './queries/settings.ts';
import { countStates } from './queries/states.ts';
import type { Tools, WatchWorld } from './watch-job.ts';
import { type Watcher, watchMailbox } from './watch-mailbox.ts';

type ReceivingOptions = Partial<Omit<WatchOptions, 'isBankSender' | 'workerSlots'>> & {
  /** The sandbox passes its own, to which it also hands mails directly. It is closed here too. */
  judging?: Judging;
};

/** The whole `mail` role: watches mailboxes, stores and judges banks' mails, and passes them to matching. */
export function startReceiving(
  world: World,
  { judging = openJudging(world), ...options }: ReceivingOptions = {},
): StartedJudging & Pick<Judging, 'warm'> {
  const { tools, keys, figures, warm } = judging;
  const writing = startWritingFigures(world, figures);
  const judged = startJudging(world, tools);
  const refreshing = keepWorking(world, { what: 'refreshing DKIM keys', pause: 1 * hour }, keys.refresh);
  const bounding = keepWorking(world, { what: "limiting strangers' mails", pause: 15 * second }, async () => {
    await boundStrangersMails(world);
  });
  const watching = startWatching(world, {
    ...options,
    isBankSender: address => findBank(world.banks.current(), address) !== null,
    workerSlots: judged.workerSlots,
  });
  return {
    workerSlots: judged.workerSlots,
    warm,
    async stop() {
      // Mails must stop coming before the judges stop.
      await watching.stop();
      await judged.stop();
      await Promise.all([refreshing.stop(), bounding.stop(), writing.stop()]);
      await judging.close();
    },
  };
}

export type WatchOptions = Pick<Tools, 'isBankSender' | 'workerSlots' | 'tokenUrls' | 'step'> & {
  pace?: Partial<Pace>;
  /** PEM of another trusted certificate authority, such as that of a company's own mail server. */
  ca?: string | null;
};

/** The `mail` role: watches this process's share of all mailboxes until stopped. Several processes may run it. */
export function startWatching(world: WatchWorld, options: WatchOptions) {
  const { log, sql, clock } = world;
  const processId = randomBase62(16);
  const { ca = world.config.imapCa, ...given } = options;
  const pace = { ...usualPace, ...given.pace };
  const tools: Tools = {
    ...given,
    ownSender: ownSender(world.config),
    pace,
    roots: trustedRoots(ca),
    ledger: openLedger(world),
  };
  const metrics = mailboxMetrics(world.metrics);
  const watched: Watched = new Map();
  const rhythm = { what: 'sharing out the mailboxes', pause: pace.share, channel: mailboxChannel };
  const worker = keepWorking(world, rhythm, async () => {
    await shareMailboxes(world, processId, watched, tools);
    await endMailboxes(world);
    await notifyBlindMailboxes(world);
    await notifyUnconfirmable(world);
    const states = await countStates(sql, later(clock.now(), -blindAfter));
    metrics.owned.set(watched.size);
    metrics.blind.set(states.blind);
    metrics.needLogin.set(states.need_login);
  });
  return {
    async stop() {
      await worker.stop();
      await Promise.all([...watched.values()].map(({ watcher }) => watcher.stop()));
      watched.clear();
      // Releases the leases, so that other processes need not wait for their end.
      await leave(sql, processId).catch(error => log.warn({ err: error }, 'leases were not released'));
      await sql.notify(mailboxChannel, 'left').catch(() => {});
    },
  };
}

type Watched = Map<number, Lease & { watcher: Watcher }>;

/**
 * One turn of sharing: records that this process lives, renews its leases, and stops watchers whose lease or settings
 * changed. It returns mailboxes above its fair share, or takes free ones up to that share.
 */
async function shareMailboxes(world: WatchWorld, processId: string, watched: Watched, tools: Tools) {
  const { sql } = world;
  const turn = { processId, leaseMs: tools.pace.lease, now: world.clock.now() };
  const { processes, mailboxes } = await beat(sql, turn);
  const held = new Map((await renewLeases(sql, turn)).map(row => [row.merchant_id, row]));
  await Promise.all(
    [...watched.values()].map(async mine => {
      const lent = held.get(mine.merchant_id);
      const isOurs = lent?.fence === mine.fence && lent.revision === mine.revision;
      if (!isOurs || mine.watcher.isOver()) await stop(watched, mine);
    }),
  );

  const part = Math.ceil(mailboxes / Math.max(1, processes));
  const surplus = [...held.values()].slice(part);
  await Promise.all(
    surplus.map(async ({ merchant_id, fence }) => {
      const mine = watched.get(merchant_id);
      if (mine) await stop(watched, mine);
      await releaseLease(sql, { merchantId: merchant_id, fence });
      held.delete(merchant_id);
    }),
  );
  if (held.size < part) {
    for (const row of await takeLeases(sql, turn, part - held.size)) held.set(row.merchant_id, row);
  }
  const idle = [...held.keys()].filter(merchantId => !watched.has(merchantId));
  for (const mailbox of idle.length > 0 ? await readMailboxes(sql, idle) : []) {
    const row = held.get(mailbox.merchant_id)!;
    // The settings changed since; the next turn takes the mailbox.
    if (mailbox.revision !== row.revision) continue;
    watched.set(row.merchant_id, { ...row, watcher: watchMailbox(world, mailbox, row.fence, tools) });
  }
}

async function stop(watched: Watched, mine: Lease & { watcher: Watcher }): Promise<void> {
  watched.delete(mine.merchant_id);
  await mine.watcher.stop();
}
