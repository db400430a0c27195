import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second, stopwatch } from '../../src/base/clock.ts';
import type { Bank } from './bank.ts';
import type { Stage } from './stage.ts';

const longestSettling = 5 * minute;

/**
 * The quiet time after the last fault: until every mail is judged and every event is delivered, or the cap. Retries
 * that wait for hours by schedule are brought forward, which is what a clock that runs ahead would do to these rows;
 * leases and claims are left alone, so whoever was killed is replaced as it would be in earnest.
 * Answers what is still open, in words; null when nothing is.
 */
export async function settle(
  { databases, processes }: Pick<Stage, 'databases' | 'processes'>,
  bank: Bank,
): Promise<string | null> {
  const lasted = stopwatch();
  let open: string | null = 'nothing was looked at';
  // A mail that somebody else signed is looked at for a day, and `check` knows that it waits.
  while (open !== null && lasted() < longestSettling) {
    await sleep(0.5 * second);
    try {
      const now = new Date();
      const row = { stored: 0, unjudged: 0, undelivered: 0 };
      for (const sql of databases) {
        // A moved business's rows wait at infinity.
        await sql`update alerts set next_try_at = ${now} where verdict = 'retrying' and doubted_at is null and next_try_at > ${now} and next_try_at < 'infinity'`;
        await sql`update delivery_queue set due_at = ${now} where due_at > ${now} and due_at < 'infinity'`;
        const [one] = await sql<{ stored: number; unjudged: number; undelivered: number }[]>`
          select count(*) filter (where alert_id = any (${bank.mails.map(({ alertId }) => alertId)}::text[])) as stored, count(*) filter (where verdict = 'unjudged' or (verdict = 'retrying' and doubted_at is null)) as unjudged,
            (select count(*) from delivery_queue join merchants using (merchant_id) where moved_at is null) as undelivered
          from alerts join merchants using (merchant_id) where moved_at is null`;
        for (const key of ['stored', 'unjudged', 'undelivered'] as const) row[key] += one![key];
      }
      const notReady = processes.all.filter(one => !one.isReady()).map(one => one.name);
      open =
        notReady.length > 0
          ? `${notReady.join(', ')} did not come back`
          : row.stored < bank.mails.length
            ? `${bank.mails.length - row.stored} mails were not found`
            : row.unjudged + row.undelivered > 0
              ? `${row.unjudged} mails are not judged, ${row.undelivered} events not delivered`
              : null;
    } catch (error) {
      open = `the database cannot be asked: ${(error as Error).message}`;
    }
  }
  return open;
}
