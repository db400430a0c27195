import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Reason } from '../../../texts/verdicts.ts';
import type { Held, Note } from './leases.ts';

export type StateRow = {
  last_good_poll: Date | null;
  last_alert_at: Date | null;
  last_error: Reason | null;
  needs_login: boolean;
  login_failures: number;
};

export async function readState(sql: Queryable, merchantId: number): Promise<StateRow | null> {
  return await sql<StateRow[]>`select * from mailbox_states where merchant_id = ${merchantId}`.first();
}

/** Every write of a watcher names its fencing token, so that a watcher that lost its lease changes nothing. */
const isHeld = (sql: Queryable, { merchantId, fence }: Held) => sql`merchant_id = ${merchantId}
  and exists (select from mailbox_leases where merchant_id = ${merchantId} and fence = ${fence})`;

export type Noted = Held & { now: Date };

/** The same for many mailboxes at once, each with its own time. */
const areHeld = (sql: Queryable, noted: readonly Noted[], skips: boolean) => sql`
  select a.* from unnest(${noted.map(one => one.merchantId)}::bigint[], ${noted.map(one => one.fence)}::bigint[],
      ${noted.map(one => one.now)}::timestamptz[]) with ordinality as a (merchant_id, fence, moment, place)
    join mailbox_leases l using (merchant_id, fence) join mailbox_states s using (merchant_id)
  for no key update of s ${skips ? sql`skip locked` : sql``}`;

export const recordConnected: Note<Noted> = (sql, noted, skips) => sql<{ place: number }[]>`
  update mailbox_states s
  set connected_since = a.moment, needs_login = false, login_failures = 0, login_failed_at = null
  from (${areHeld(sql, noted, skips)}) a where s.merchant_id = a.merchant_id returning a.place`;

export const recordGoodPoll: Note<Noted> = (sql, noted, skips) => sql<{ place: number }[]>`
  update mailbox_states s set last_good_poll = a.moment, last_error = null, last_error_at = null
  from (${areHeld(sql, noted, skips)}) a where s.merchant_id = a.merchant_id returning a.place`;

export async function recordFailure(
  sql: Queryable,
  held: Held,
  { reason, isLogin, needsLogin, now }: { reason: Reason; isLogin: boolean; needsLogin: boolean; now: Date },
): Promise<void> {
  await sql`
    update mailbox_states set
      connected_since = null, last_error = ${sql.json(reason)}, last_error_at = ${now},
      needs_login = ${needsLogin} or (needs_login and not ${isLogin}),
      login_failures = login_failures + ${isLogin ? 1 : 0},
      login_failed_at = case when ${isLogin} then ${now} else login_failed_at end
    where ${isHeld(sql, held)}`;
}

/** Mailboxes unreachable since before `since`, owner not yet notified; locked, so that one process notifies. */
export function blindMailboxes(tx: Transaction, since: Date) {
  return tx<{ merchant_id: number; address: string; last_error: Reason | null; since: Date }[]>`
    select s.merchant_id, m.address, s.last_error,
      greatest(m.connected_at, s.last_good_poll) as since
    from mailbox_states s join mailboxes m using (merchant_id) join merchants b using (merchant_id)
    where s.blind_told_at is null and greatest(m.connected_at, s.last_good_poll) < ${since}
      and (b.disabled_at is null or b.no_new_orders) and b.deletion_requested_at is null and b.moved_at is null
    order by s.merchant_id limit 50
    for update of s skip locked`;
}

export function seeingAgain(tx: Transaction) {
  return tx<{ merchant_id: number; address: string; blind_told_at: Date }[]>`
    select s.merchant_id, m.address, s.blind_told_at
    from mailbox_states s join mailboxes m using (merchant_id)
    where s.blind_told_at is not null and s.last_good_poll > s.blind_told_at
    order by s.merchant_id limit 50
    for update of s skip locked`;
}

export async function setBlindNotified(tx: Transaction, merchantId: number, notified: Date | null) {
  await tx`update mailbox_states set blind_told_at = ${notified} where merchant_id = ${merchantId}`;
}

/** Businesses whose owner was not notified yet; locked, so that one process notifies. A working forwarding ends it. */
export async function selectUnnotified(tx: Transaction) {
  await tx`
    delete from unconfirmable u where told_at is null and exists (select from forward_addresses f
      where f.merchant_id = u.merchant_id and f.works_since is not null and f.ends_at is null)`;
  return await tx<{ merchant_id: number; since: Date }[]>`
    select merchant_id, since from unconfirmable where told_at is null
    order by merchant_id limit 50 for update skip locked`;
}

export async function setUnconfirmableNotified(tx: Transaction, merchantId: number, notified: Date) {
  await tx`update unconfirmable set told_at = ${notified} where merchant_id = ${merchantId}`;
}

/** For the metrics, over all open businesses. */
export async function countStates(sql: Queryable, seenAfter: Date) {
  const [row] = await sql<{ blind: number; need_login: number }[]>`
    select count(*) filter (where s.last_good_poll is null or s.last_good_poll < ${seenAfter}) as blind,
           count(*) filter (where s.needs_login) as need_login
    from mailbox_states s join merchants b using (merchant_id)
    where (b.disabled_at is null or b.no_new_orders) and b.deletion_requested_at is null and b.moved_at is null`;
  return row!;
}
