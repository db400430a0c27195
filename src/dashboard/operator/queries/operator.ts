import type { Queryable } from '../../../base/database/connect.ts';
import { indianMonth } from '../../../business/merchants/indian-month.ts';
import { unapprovedPlan } from '../../../business/merchants/plans.ts';
import { isDisabled, type MerchantSummary } from '../../../business/merchants/queries.ts';
import type { Reason } from '../../../texts/verdicts.ts';

export type MerchantOverview = MerchantSummary & {
  disabled_reason: string;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  look_until: Date | null;
  collected_paise: number;
  monthly_limit_paise: number | null;
  mailbox: string | null;
  last_good_poll: Date | null;
  last_error: Reason | null;
  forward_to: string | null;
  forwarding_works: boolean | null;
  /** The first probe that is still unanswered. */
  silent_since: Date | null;
  failing_destinations: number;
  failed_events: number;
};

type MerchantPage = {
  search: string | null;
  after: { createdAt: Date; merchantId: number } | null;
  limit: number;
  now: Date;
};

export async function selectMerchants(sql: Queryable, { search, after, limit, now }: MerchantPage) {
  return await sql<MerchantOverview[]>`
    ${merchants(sql, now)}
    where true
      ${
        search === null
          ? sql``
          : sql`and (position(lower(${search}) in lower(m.name)) > 0 or m.merchant_id::text = ${search}
        or exists (select from users u where u.merchant_id = m.merchant_id and lower(u.email) = lower(${search})))`
      }
      ${after === null ? sql`` : sql`and (m.created_at, m.merchant_id) < (${after.createdAt}, ${after.merchantId})`}
    order by m.created_at desc, m.merchant_id desc limit ${limit}`;
}

export async function selectMerchant(sql: Queryable, merchantId: number, now: Date) {
  return await sql<MerchantOverview[]>`${merchants(sql, now)} where m.merchant_id = ${merchantId}`.first();
}

/** Open businesses that cannot be paid now, or whose shops do not get their webhooks. */
export async function selectTroubled(
  sql: Queryable,
  { now, seenAfter, silentSince, limit }: { now: Date; seenAfter: Date; silentSince: Date; limit: number },
): Promise<MerchantOverview[]> {
  return await sql<MerchantOverview[]>`
    ${merchants(sql, now)}
    where not ${isDisabled(sql)} and m.moved_at is null and (
      (x.address is not null and (s.last_good_poll is null or s.last_good_poll < ${seenAfter}))
      or (f.works_since is not null and exists (select from extra_alert_addresses e
        where e.merchant_id = m.merchant_id and e.probe_waiting_since < ${silentSince}))
      or exists (select from failing_destinations f where f.merchant_id = m.merchant_id))
    order by s.last_good_poll nulls first, m.merchant_id limit ${limit}`;
}

function merchants(sql: Queryable, now: Date) {
  return sql`
    select m.merchant_id, m.name, m.plan, m.created_at, m.disabled_at, m.no_new_orders, m.disabled_reason, m.deletion_requested_at,
      m.moved_at, m.terms_version, m.terms_accepted_at, m.look_until, p.monthly_limit_paise,
      (select min(u.email) from users u where u.merchant_id = m.merchant_id and u.role = 'owner') as owner,
      coalesce((select c.collected_paise from collections c
        where c.merchant_id = m.merchant_id and c.month = ${indianMonth(sql, now)}), 0)::bigint as collected_paise,
      x.address as mailbox, s.last_good_poll, s.last_error, f.address as forward_to,
      f.works_since is not null as forwarding_works,
      (select min(e.probe_waiting_since) from extra_alert_addresses e where e.merchant_id = m.merchant_id) as silent_since,
      (select count(*) from failing_destinations f where f.merchant_id = m.merchant_id) as failing_destinations,
      (select count(*) from given_up_events g where g.merchant_id = m.merchant_id) as failed_events
    from merchants m join plans p on p.plan = m.plan
      left join mailboxes x on x.merchant_id = m.merchant_id
      left join mailbox_states s on s.merchant_id = m.merchant_id
      left join forward_addresses f on f.merchant_id = m.merchant_id and f.ends_at is null`;
}

export type Awaiting = { merchant_id: number; name: string; owner: string | null; created_at: Date };

/** Businesses that signed up themselves and wait for an operator's approval, the oldest first. */
export async function selectAwaiting(sql: Queryable, limit: number): Promise<Awaiting[]> {
  return await sql<Awaiting[]>`
    select m.merchant_id, m.name, m.created_at,
      (select min(u.email) from users u where u.merchant_id = m.merchant_id and u.role = 'owner') as owner
    from merchants m where m.plan = ${unapprovedPlan} and m.deletion_requested_at is null
    order by m.created_at, m.merchant_id limit ${limit}`;
}

export async function selectPlanNames(sql: Queryable): Promise<string[]> {
  return await sql<{ plan: string }[]>`select plan from plans order by plan`.column();
}
