import { minute, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { isFree, newLease, type RowLease, setLease } from '../../base/database/row-lease.ts';
import { repeatableVerdicts } from '../../texts/verdicts.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { hasRaw } from '../queries.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { type Claimed, claimAlerts, claimedColumns } from './queries/claims.ts';

/** A living judge renews its claims. After this long it counts as dead, and its mails are free again. */
export const leaseFor = 8 * second;

export async function judgeStoredMails(world: JudgeWorld, tools: JudgeTools): Promise<number> {
  for (let judged = 0; ; ) {
    const lease = newLease(world.clock.now(), leaseFor);
    const alerts = await claimAlerts(world.sql, lease, { most: 16, busy: [] });
    if (alerts.length === 0) return judged;
    await Promise.all(alerts.map(alert => judgeAlert(world, tools, alert)));
    judged += alerts.length;
  }
}

/** Long enough for slow DNS with sixteen mails. If this process dies, a running judge takes over after that. */
const leaseForMany = 1 * minute;
const atOnce = 16;

/** How often one verdict became another: `forged → paid`. */
type VerdictChange = { before: string; after: string; count: number };

/**
 * Judges stored mails again with today's bank files, addresses and keys. Each is processed like a new mail: its own
 * time chooses the order, and a credit that was counted still counts once. A verdict from matching is final (R2).
 */
export async function judgeAgain(
  world: JudgeWorld,
  tools: JudgeTools,
  chosen: Chosen,
): Promise<VerdictChange[]> {
  const changes = new Map<string, VerdictChange>();
  let position: Position | null = null;
  for (;;) {
    const lease = newLease(world.clock.now(), leaseForMany);
    const alerts = await claimAgain(world.sql, chosen, lease, position);
    if (alerts.length === 0) break;
    await Promise.all(alerts.map(({ before: _, ...alert }) => judgeAlert(world, tools, alert)));
    const verdicts = await selectVerdicts(world.sql, alerts);
    for (const { merchant_id, alert_id, before } of alerts) {
      const after = verdicts.find(
        one => one.merchant_id === merchant_id && one.alert_id === alert_id,
      )!.verdict;
      const key = `${before} ${after}`;
      changes.set(key, { before, after, count: (changes.get(key)?.count ?? 0) + 1 });
    }
    position = alerts.at(-1)!;
  }
  return [...changes.values()];
}

type Position = Pick<Claimed, 'merchant_id' | 'alert_id'>;

/** Selects alerts; null means any. */
type Chosen = {
  merchantId: number | null;
  bank: string | null;
  /** The day of arrival in India, such as 2026-11-15. */
  day: string | null;
  alertId: string | null;
};

function meant(sql: Queryable, { merchantId, bank, day, alertId }: Chosen) {
  return sql`true
    ${merchantId === null ? sql`` : sql`and a.merchant_id = ${merchantId}`}
    ${bank === null ? sql`` : sql`and a.bank = ${bank}`}
    ${alertId === null ? sql`` : sql`and a.alert_id = ${alertId}`}
    ${
      day === null
        ? sql``
        : sql`and a.arrived_at >= ${day}::date::timestamp at time zone 'Asia/Kolkata'
            and a.arrived_at < (${day}::date + 1)::timestamp at time zone 'Asia/Kolkata'`
    }`;
}

/**
 * Claims pages by key and skips alerts of other judges. If this process dies, they become due like new mails. Only the
 * head of a mail that was too large is kept, and half a mail would look like a changed one.
 */
async function claimAgain(sql: Queryable, chosen: Chosen, lease: RowLease, after: Position | null) {
  return await sql<(Claimed & { before: string })[]>`
    with page as (
      select a.merchant_id, a.alert_id, a.verdict as before from alerts a
      where ${meant(sql, chosen)} and a.verdict in ${sql([...repeatableVerdicts])} and ${hasRaw(sql)}
        and a.raw_bytes <= ${mostMailBytes} and ${isFree(sql, lease.now)}
        and (a.merchant_id, a.alert_id) > (${after?.merchant_id ?? 0}, ${after?.alert_id ?? ''})
      order by a.merchant_id, a.alert_id limit ${atOnce}
      for update of a skip locked
    ), taken as (
      update alerts a set verdict = 'unjudged', ${setLease(sql, lease)}, next_try_at = ${lease.now}, tries = 1, held_line = null
      from page p where a.merchant_id = p.merchant_id and a.alert_id = p.alert_id
      returning ${claimedColumns(sql)}, p.before
    )
    select * from taken order by merchant_id, alert_id`;
}

async function selectVerdicts(sql: Queryable, alerts: readonly Claimed[]) {
  return await sql<{ merchant_id: number; alert_id: string; verdict: string }[]>`
    select a.merchant_id, a.alert_id, a.verdict from alerts a
    join unnest(${alerts.map(alert => alert.merchant_id)}::bigint[], ${alerts.map(alert => alert.alert_id)}::text[])
      as asked (merchant_id, alert_id) using (merchant_id, alert_id)`;
}
