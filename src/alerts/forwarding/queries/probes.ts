import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../../base/database/row-lease.ts';
import type { Language } from '../../../texts/languages.ts';
import type { Reason } from '../../../texts/verdicts.ts';

export type ProbeRow = {
  address: string;
  probe_sent_at: Date | null;
  probe_waiting_since: Date | null;
  probe_answered_at: Date | null;
  probe_failure: string | null;
  probe_change: Reason | null;
};

export async function listProbes(sql: Queryable, merchantId: number): Promise<ProbeRow[]> {
  return await sql<ProbeRow[]>`
    select address, probe_sent_at, probe_waiting_since, probe_answered_at, probe_failure, probe_change
    from extra_alert_addresses
    where merchant_id = ${merchantId} and confirmed_at is not null and probe_due_at is not null order by address`;
}

export async function endProbing(tx: Transaction, merchantId: number): Promise<void> {
  await tx`
    update extra_alert_addresses set probe_due_at = null, probe_sent_at = null, probe_waiting_since = null,
      probe_answer_sent_at = null, probe_answered_at = null, probe_failure = null, probe_change = null, ${clearLease(tx)}
    where merchant_id = ${merchantId}`;
}

/** Makes the next probe due now, unless one is being sent or was sent after `sentBefore`. */
export async function makeProbesDue(
  sql: Queryable,
  merchantId: number,
  { now, sentBefore }: { now: Date; sentBefore: Date },
): Promise<boolean> {
  return await sql`
    update extra_alert_addresses set probe_due_at = ${now}
    where merchant_id = ${merchantId} and probe_due_at > ${now}
      and (probe_sent_at is null or probe_sent_at < ${sentBefore})
    returning address`.some();
}

type ProbeKey = { merchant_id: number; address: string };

export type DueProbe = ProbeKey & { claim: string; language: Language | null };

export async function claimProbes(sql: Queryable, lease: RowLease, most: number): Promise<DueProbe[]> {
  return await sql<DueProbe[]>`
    with due as (
      select merchant_id, address from extra_alert_addresses
      where probe_due_at <= ${lease.now} and ${isFree(sql, lease.now)} order by probe_due_at limit ${most} for update skip locked)
    update extra_alert_addresses e set ${setLease(sql, lease)} from due
    where e.merchant_id = due.merchant_id and e.address = due.address
    returning e.merchant_id, e.address, e.claim,
      (select u.language from users u where u.merchant_id = e.merchant_id and u.role = 'owner'
        order by u.created_at limit 1) as language`;
}

export async function recordProbeSent(
  sql: Queryable,
  { merchant_id, address, claim }: DueProbe,
  { sentAt, soon, usual, soonFor }: { sentAt: Date; soon: Date; usual: Date; soonFor: Date },
): Promise<void> {
  // The probe may already be back. An address that has been silent for long is probed less often.
  await sql`
    update extra_alert_addresses set probe_sent_at = ${sentAt}, probe_failure = null, ${clearLease(sql)},
      probe_due_at = case when probe_answer_sent_at >= ${sentAt} or probe_waiting_since < ${soonFor}
        then ${usual}::timestamptz else ${soon}::timestamptz end,
      probe_waiting_since = case when probe_answer_sent_at >= ${sentAt} then null
        else coalesce(probe_waiting_since, ${sentAt}) end
    where merchant_id = ${merchant_id} and address = ${address} and claim = ${claim}`;
}

export async function recordProbeFailed(
  sql: Queryable,
  { merchant_id, address, claim }: DueProbe,
  failure: string,
  nextTryAt: Date,
): Promise<void> {
  await sql`
    update extra_alert_addresses set probe_failure = ${failure}, probe_due_at = ${nextTryAt}, ${clearLease(sql)}
    where merchant_id = ${merchant_id} and address = ${address} and claim = ${claim}`;
}

/** An older probe that comes late shows that mail comes, but the newer one is still awaited. */
export async function recordProbeAnswer(
  tx: Transaction,
  { merchant_id, address }: ProbeKey,
  { sentAt, now, dueAt, change }: { sentAt: Date; now: Date; dueAt: Date; change: Reason | null },
): Promise<void> {
  await tx`
    update extra_alert_addresses set
      probe_due_at = case when probe_sent_at <= ${sentAt} then ${dueAt} else probe_due_at end,
      probe_change = case when probe_answer_sent_at >= ${sentAt} then probe_change else ${change === null ? null : tx.json(change)}::jsonb end,
      probe_answer_sent_at = greatest(probe_answer_sent_at, ${sentAt}),
      probe_answered_at = case when probe_answer_sent_at >= ${sentAt} then probe_answered_at else ${now} end,
      probe_waiting_since = case when probe_waiting_since is null or probe_sent_at <= ${sentAt} then null
        when probe_waiting_since <= ${sentAt} then probe_sent_at else probe_waiting_since end
    where merchant_id = ${merchant_id} and address = ${address} and confirmed_at is not null`;
}

/** Forwardings silent since before `since` whose owner was not notified yet; locked, so that one process notifies. */
export function silentForwardings(tx: Transaction, since: Date) {
  return tx<{ merchant_id: number; address: string; forward_to: string; since: Date }[]>`
    select f.merchant_id, e.address, f.address as forward_to, e.probe_waiting_since as since
    from extra_alert_addresses e join forward_addresses f on f.merchant_id = e.merchant_id and f.ends_at is null
      join merchants b on b.merchant_id = e.merchant_id
    where e.probe_waiting_since < ${since} and f.works_since is not null and f.silence_told_at is null
      and (b.disabled_at is null or b.no_new_orders) and b.deletion_requested_at is null and b.moved_at is null
    order by f.merchant_id, e.address limit 50 for update of f skip locked`;
}

export function heardAgain(tx: Transaction) {
  return tx<{ merchant_id: number; silence_told_at: Date }[]>`
    select f.merchant_id, f.silence_told_at from forward_addresses f
    where f.silence_told_at is not null and f.ends_at is null
      and not exists (select from extra_alert_addresses e
        where e.merchant_id = f.merchant_id and e.probe_waiting_since is not null)
    order by f.merchant_id limit 50 for update of f skip locked`;
}

export async function setSilenceNotified(tx: Transaction, merchantId: number, notified: Date | null) {
  await tx`
    update forward_addresses set silence_told_at = ${notified} where merchant_id = ${merchantId} and ends_at is null`;
}

/** For the metrics, over all open businesses. */
export async function countForwardings(sql: Queryable, silentSince: Date) {
  const [row] = await sql<{ open: number; silent: number }[]>`
    select count(*) as open, count(*) filter (where exists (select from extra_alert_addresses e
      where e.merchant_id = f.merchant_id and e.probe_waiting_since < ${silentSince})) as silent
    from forward_addresses f join merchants b using (merchant_id)
    where f.ends_at is null and (b.disabled_at is null or b.no_new_orders) and b.deletion_requested_at is null and b.moved_at is null`;
  return row!;
}
