import { later } from '../clock.ts';
import { randomBase62 } from '../random.ts';
import { endMailboxes } from './end-mailboxes.ts';
import { blindAfter } from './mailbox-state.ts';
import { metersOf } from './meters.ts';
import { trustedRoots } from './open-connection.ts';
import { ownSender } from './own-sender.ts';
import { type Pace, usualPace } from './pace.ts';
import { leave } from './queries/leases.ts';
import { countStates } from './queries/states.ts';
import { shareMailboxes, type Watched } from './share-mailboxes.ts';
import { tellBlindMailboxes } from './tell-blind-mailboxes.ts';
import { tellUnconfirmable } from './tell-unconfirmable.ts';
import type { Tools, WatchWorld } from './watch-job.ts';

export type WatchOptions = Pick<Tools, 'isBankSender' | 'storeMail' | 'tokenUrls' | 'step'> & {
  pace?: Partial<Pace>;
  /** PEM of a certificate authority trusted beside the usual ones, such as that of a company's own mail server. */
  ca?: string | null;
};

export type StartedWatching = { stop(): Promise<void> };

/** The `mail` role: watches this process's part of all mailboxes until stopped. Any number of processes may run it. */
export function startWatching(world: WatchWorld, options: WatchOptions): StartedWatching {
  const { log, sql, metrics, clock } = world;
  const processId = randomBase62(16);
  const pace = { ...usualPace, ...options.pace };
  const { ca = world.config.imapCa, isBankSender, storeMail, tokenUrls, step } = options;
  const tools: Tools = {
    isBankSender,
    storeMail,
    ownSender: ownSender(world.config),
    pace,
    roots: trustedRoots(ca),
    ...(tokenUrls && { tokenUrls }),
    ...(step && { step }),
  };
  const meters = metersOf(metrics);
  const watched: Watched = new Map();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let again = false;

  async function takeTurn(): Promise<void> {
    try {
      await shareMailboxes(world, processId, watched, tools);
      await endMailboxes(world);
      await tellBlindMailboxes(world);
      await tellUnconfirmable(world);
      const states = await countStates(sql, later(clock.now(), -blindAfter));
      meters.owned.set(watched.size);
      meters.blind.set(states.blind);
      meters.needLogin.set(states.need_login);
    } catch (error) {
      log.warn({ err: error }, 'the mailboxes could not be shared out for now');
    }
  }

  /** Turns never overlap; one asked for meanwhile follows at once. */
  function soon(): void {
    again = true;
    turn = turn.then(async () => {
      if (stopped || !again) return;
      again = false;
      clearTimeout(timer);
      await takeTurn();
      if (!stopped) timer = setTimeout(soon, pace.share);
    });
  }

  const listening = sql
    .listen('mailboxes', soon, soon)
    .catch(error => log.warn({ err: error }, 'changes of mailboxes are noticed late'));
  soon();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const listener = await listening;
      await listener?.unlisten().catch(() => {});
      await turn;
      await Promise.all([...watched.values()].map(({ watcher }) => watcher.stop()));
      watched.clear();
      // Others need not wait until the leases run out.
      await leave(sql, processId).catch(error => log.warn({ err: error }, 'leases run out by themselves'));
      await sql.notify('mailboxes', 'left').catch(() => {});
    },
  };
}
