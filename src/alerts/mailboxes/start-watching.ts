import { later } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { randomBase62 } from '../../base/random.ts';
import { ownSender } from '../addresses/own-sender.ts';
import { endMailboxes } from './disconnect-mailbox.ts';
import { blindAfter } from './mailbox-state.ts';
import { mailboxMetrics } from './metrics.ts';
import { trustedRoots } from './open-connection.ts';
import { openLedger } from './open-ledger.ts';
import { type Pace, usualPace } from './pace.ts';
import { leave, mailboxChannel } from './queries/leases.ts';
import { countStates } from './queries/states.ts';
import { shareMailboxes, type Watched } from './share-mailboxes.ts';
import { tellBlindMailboxes, tellUnconfirmable } from './tell-of-ways.ts';
import type { Tools, WatchWorld } from './watch-job.ts';

export type WatchOptions = Pick<Tools, 'isBankSender' | 'desk' | 'tokenUrls' | 'step'> & {
  pace?: Partial<Pace>;
  /** PEM of a certificate authority trusted beside the usual ones, such as that of a company's own mail server. */
  ca?: string | null;
};

export type StartedWatching = { stop(): Promise<void> };

/** The `mail` role: watches this process's share of all mailboxes until stopped. Several processes may run it. */
export function startWatching(world: WatchWorld, options: WatchOptions): StartedWatching {
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
    await tellBlindMailboxes(world);
    await tellUnconfirmable(world);
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
      // Others need not wait until the leases run out.
      await leave(sql, processId).catch(error => log.warn({ err: error }, 'leases run out by themselves'));
      await sql.notify(mailboxChannel, 'left').catch(() => {});
    },
  };
}
