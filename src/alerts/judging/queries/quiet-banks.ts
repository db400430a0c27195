import { day, later } from '../../../base/clock.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import { readVerdicts } from '../../../texts/verdicts.ts';

/** A bank that wrote this many mails since its last credit, and had this many credits before, may have changed them. */
const fewestMails = 10;
const fewestCredits = 5;
const spanDays = 14;
/** An older silence is no news. */
const longestDays = 4 * 7;
/** Enough of a business's newest mails and orders; the limit bounds the work on a large one. */
const mostChecked = 2_000;

/** `mails`: those since the last credit. */
export type QuietBank = { bank: string; mails: number };

/** All businesses together, by the day: from the counts of verdicts, without looking at a mail. */
export async function selectQuietBanks(sql: Queryable, now: Date): Promise<QuietBank[]> {
  return await sql<QuietBank[]>`
    with days as materialized (
      select bank, day, coalesce(sum(mails) filter (where verdict in ${sql([...readVerdicts])}), 0) as credits,
        coalesce(sum(mails) filter (where verdict in ('unreadable', 'not_a_credit')), 0) as others
      from bank_verdicts
      where day > (${now}::timestamptz at time zone 'Asia/Kolkata')::date - ${longestDays + spanDays}::int
      group by bank, day
    ), lasts as (select bank, max(day) as day from days where credits > 0 group by bank)
    select d.bank, (sum(d.others) filter (where d.day > l.day))::bigint as mails
    from lasts l join days d on d.bank = l.bank and d.day > l.day - ${spanDays}::int
    group by d.bank
    having sum(d.others) filter (where d.day > l.day) >= ${fewestMails} and sum(d.credits) >= ${fewestCredits}
    order by d.bank`;
}

/** The same for one business's own banks, if a customer said since then that they have paid. */
export async function findQuietBanks(sql: Queryable, merchantId: number, now: Date): Promise<QuietBank[]> {
  return await sql<QuietBank[]>`
    with recent as materialized (
      select bank, arrived_at, verdict in ${sql([...readVerdicts])} as is_credit from alerts
      where merchant_id = ${merchantId} and arrived_at > ${later(now, -(longestDays + spanDays) * day)}
      -- A stranger's mail has no domain that signed it.
        and signing_domain is not null and verdict not in ('forged', 'retrying', 'unjudged', 'wrong_recipient')
      order by arrived_at desc limit ${mostChecked}
    ), lasts as materialized (
      select bank, max(arrived_at) as at from recent
      where is_credit and bank in (select bank from upi_accounts where merchant_id = ${merchantId} and removed_at is null)
      group by bank
    ), quiet as materialized (
      select l.bank, l.at, count(*) filter (where r.arrived_at > l.at) as mails
      from lasts l join recent r on r.bank = l.bank and r.arrived_at > l.at - ${spanDays} * interval '1 day'
      group by l.bank, l.at
      having count(*) filter (where r.arrived_at > l.at) >= ${fewestMails}
        and count(*) filter (where r.is_credit) >= ${fewestCredits}
    )
    select q.bank, q.mails from quiet q
    where exists (
      select from (select order_id from orders
          where merchant_id = ${merchantId} and status = 'pending' and created_at > q.at
          order by created_at desc limit ${mostChecked}) o
        join claimed_references c on c.merchant_id = ${merchantId} and c.order_id = o.order_id)
    order by q.bank`;
}
