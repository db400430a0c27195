import { beat, type Lease, releaseLease, renewLeases, takeLeases } from './queries/leases.ts';
import { readMailboxes } from './queries/settings.ts';
import type { Tools, WatchWorld } from './watch-job.ts';
import { type Watcher, watchMailbox } from './watch-mailbox.ts';

/** What this process watches, by merchant. */
export type Watched = Map<number, Lease & { watcher: Watcher }>;

/**
 * One turn of sharing: says that this process lives, renews what it holds, stops what it lost or whose settings
 * changed, gives back what exceeds its fair share, and takes what is free up to that share.
 */
export async function shareMailboxes(
  world: WatchWorld,
  processId: string,
  watched: Watched,
  tools: Tools,
): Promise<void> {
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
    // Changed since: the next turn sees it.
    if (mailbox.revision !== row.revision) continue;
    watched.set(row.merchant_id, { ...row, watcher: watchMailbox(world, mailbox, row.fence, tools) });
  }
}

async function stop(watched: Watched, mine: Lease & { watcher: Watcher }): Promise<void> {
  watched.delete(mine.merchant_id);
  await mine.watcher.stop();
}
