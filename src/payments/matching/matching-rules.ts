import type { Queryable } from '../../base/database/connect.ts';
import { ruleCheck } from '../../base/database/rule-check.ts';
import { earlyWindow, lateWindow } from '../../base/time-windows.ts';
import { genuineCredits } from './queries/credits.ts';
import { paymentsOfATrial } from './queries/trials.ts';
import { countedReference, namesEarlierDay, orderCameFirst } from './sql-fragments.ts';

const early = `${earlyWindow} milliseconds`;
const late = `${lateWindow} milliseconds`;

/** The rules of `matching/`, checked for every payment in the database. `verify` checks the signatures again. */
export const matchingRules = [
  ruleCheck(
    'R1',
    'Every paid order points to exactly one stored alert whose amount and time fit, or that a person accepted.',
    sql => sql`
      select o.order_id || ': ' || case
          when a.alert_id is null then 'its alert is not stored'
          when a.verdict <> 'paid' or a.order_id is distinct from o.order_id then 'its alert says ' || a.verdict
          when a.amount_paise is distinct from o.received_paise
            or (h.alert_id is null and a.amount_paise is distinct from o.payable_paise)
            then 'its alert is about ' || a.amount_paise || ' paise'
          else 'its alert does not fit its time' end as line
      from orders o
        left join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
        ${acceptedFor(sql)}
      where o.status = 'paid' and (
        a.alert_id is null or a.verdict <> 'paid' or a.order_id is distinct from o.order_id
        or a.amount_paise is distinct from o.received_paise or a.alert_time is null
        or (h.alert_id is null and (a.amount_paise is distinct from o.payable_paise
          or a.alert_time < o.created_at - ${early}::interval or a.alert_time > o.expires_at + ${late}::interval)))`,
  ),
  ruleCheck(
    'R2',
    'One alert pays at most one order, one signature counts once, one reference once per merchant and account.',
    sql => sql`
      select 'alert ' || alert_id || ' paid ' || count(*) || ' orders' as line
      from orders where alert_id is not null group by merchant_id, alert_id having count(*) > 1
      union all
      -- Each is in that table once, for one alert.
      select 'signature ' || signature || ' of alert ' || a.alert_id || ' was counted for another, or not at all'
      from alerts a cross join unnest(a.signature_id || a.other_signature_ids) as signature
        left join counted_signatures c on c.signature_id = signature
      where a.verdict = 'paid' and signature is not null
        and (c.merchant_id, c.alert_id, c.settled) is distinct from (a.merchant_id, a.alert_id, true)
      union all
      select 'reference ' || min(bank_reference) || ' paid ' || count(*) || ' times for merchant ' || merchant_id
      from alerts where verdict = 'paid' and bank_reference is not null
      group by merchant_id, ${countedReference(sql, sql`bank_reference`)} having count(*) > 1
      union all
      -- Each is in that table once for a business, for one alert.
      select 'reference ' || a.bank_reference || ' of alert ' || a.alert_id || ' was counted for another, or not at all'
      from alerts a left join counted_references r on r.merchant_id = a.merchant_id
        and r.bank_reference = ${countedReference(sql, sql`a.bank_reference`)}
      where a.verdict = 'paid' and a.bank_reference is not null and r.alert_id is distinct from a.alert_id
      union all
      -- This view shows all businesses, even if verify checks only some. The few references that another business has
      -- too are found first, each by its key. A self-join would read the view for each row.
      select 'reference ' || shared.bank_reference || ' settled something for merchants ' || shared.merchant_id || ' and '
        || other.merchant_id || ', whose accounts are one'
      from (select r.merchant_id, r.bank_reference from counted_references r
          where exists (select from settled_references o
            where o.bank_reference = r.bank_reference and o.merchant_id <> r.merchant_id offset 0) offset 0) as shared
        cross join lateral (select b.merchant_id from settled_references a
            join settled_references b on b.bank_reference = a.bank_reference and b.bank = a.bank
          where a.merchant_id = shared.merchant_id and a.bank_reference = shared.bank_reference
            and b.merchant_id > a.merchant_id and same_account(a.digits, b.digits) offset 0) as other
      union all
      select 'signature ' || signature || ' of credit ' || h.alert_id || ', which is ' || h.state || ', counts '
        || coalesce('for alert ' || s.alert_id, 'for nothing')
      from handled_credits h
        join alerts a on a.merchant_id = h.merchant_id and a.alert_id = h.alert_id
        cross join unnest(a.signature_id || a.other_signature_ids) as signature
        left join counted_signatures s on s.signature_id = signature
      -- A credit that the program attached by itself has settled nothing, by signature or by reference.
      where has_settled(h.state, h.done_by)
        and (s.merchant_id, s.alert_id, s.settled) is distinct from (h.merchant_id, h.alert_id, true)
      union all
      select 'reference ' || a.bank_reference || ' of credit ' || h.alert_id || ', which is ' || h.state || ', counts '
        || coalesce('for alert ' || r.alert_id, 'for nothing')
      from handled_credits h
        join alerts a on a.merchant_id = h.merchant_id and a.alert_id = h.alert_id
        left join counted_references r on r.merchant_id = h.merchant_id
          and r.bank_reference = ${countedReference(sql, sql`a.bank_reference`)}
      where h.state <> 'open' and a.bank_reference is not null and r.alert_id is distinct from h.alert_id
      union all
      -- A person who accepted one of the two saw the other.
      select 'reference ' || p.bank_reference || ' may be of two credits that paid, and nobody was asked: alerts '
        || min(p.alert_id) || ' and ' || max(o.alert_id)
      from possible_references p join possible_payments o on o.bank_reference = p.bank_reference
        and (o.merchant_id, o.alert_id) <> (p.merchant_id, p.alert_id)
        and (o.merchant_id = p.merchant_id or (o.bank = p.bank and same_account(o.digits, p.digits)))
      where not p.asked and not o.asked group by p.bank_reference
      union all
      select 'alert ' || a.alert_id || ' says paid, but order ' || coalesce(a.order_id, '?') || ' was not paid by it'
      from alerts a left join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id
      where a.verdict = 'paid' and o.alert_id is distinct from a.alert_id
        -- A missing order may be in an archive. An order that exists must agree.
        and (o.order_id is not null or not exists (select from order_archives r where r.merchant_id = a.merchant_id))`,
  ),
  ruleCheck(
    'R4',
    'paid is final: a paid order has its time, its alert and nothing else.',
    sql => sql`
      select order_id || ' is ' || status || ' but was paid at ' || paid_at as line
      from orders where (status = 'paid') <> (paid_at is not null)
      union all
      select o.order_id || ' is ' || o.status || ' but was paid by alert ' || a.alert_id
      from alerts a join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id
      where a.verdict = 'paid' and o.status <> 'paid'`,
  ),
  ruleCheck(
    'R13',
    'Every order was paid by an alert with the bank and the digits of its UPI account.',
    sql => sql`
      select o.order_id || ' was paid by an alert of ' || coalesce(a.bank, '?') || coalesce(' …' || a.account_digits, '')
        || ', but its account is at ' || coalesce(u.bank, '?') || coalesce(' …' || u.account_digits, '') as line
      from orders o
        join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
        join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
      where o.status = 'paid' and o.paid_at >= u.bank_named_at and (
        a.bank is distinct from u.bank or a.bank is null
        or (a.account_digits is not null and (u.account_digits is null
          or right(a.account_digits, length(u.account_digits)) <> right(u.account_digits, length(a.account_digits)))))`,
  ),
  ruleCheck(
    'R14',
    'No order was paid by an alert that was stored before the order was created, except by a person.',
    sql => sql`
      select o.order_id || ' was paid by alert ' || e.alert_id || ', which was stored before it was created' as line
      from orders o join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
        ${acceptedFor(sql)}
      where o.status = 'paid' and h.alert_id is null and not ${orderCameFirst(sql)}`,
  ),
  ruleCheck(
    'R14',
    'No genuine credit missed an order that waited for it and existed first.',
    sql => sql`
      select 'credit ' || e.alert_id || ' says ' || e.verdict || ', but ' || o.order_id
        || ' waited for its amount at its time, and was there first' as line
      from alerts e
        join orders o on o.merchant_id = e.merchant_id and o.payable_paise = e.amount_paise
        join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
      where e.verdict in ${genuineCredits} and o.status in ('pending', 'manual_review')
        and e.alert_time between o.created_at - ${early}::interval and o.expires_at + ${late}::interval
        and ${orderCameFirst(sql)}
        and u.bank = e.bank and lower(coalesce(e.payee_vpa, u.vpa)) = lower(u.vpa)
        and coalesce(right(e.account_digits, length(u.account_digits)) = right(u.account_digits, length(e.account_digits)),
          e.account_digits is null)
        and not exists (select from handled_credits h where h.merchant_id = e.merchant_id
          and (h.alert_id = e.alert_id or h.order_id = o.order_id))`,
  ),
  ruleCheck(
    'table',
    'No credit paid by itself with a reference of another unpaid order or of an earlier day.',
    sql => sql`
      select o.order_id || ' was paid by alert ' || e.alert_id || ', whose reference ' || case
          when named.by is not null then 'the customer of ' || named.by || ' gave before'
          when e.table_row = 3 then 'tells of an earlier day' else 'row ' || e.table_row || ' of the table lets wait' end as line
      from orders o join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
        ${acceptedFor(sql)}
        cross join lateral (select min(c.order_id) as by
          from claimed_references c join orders other on other.merchant_id = c.merchant_id and other.order_id = c.order_id
          where c.merchant_id = e.merchant_id and c.bank_reference = ${countedReference(sql, sql`e.bank_reference`)}
            and c.order_id <> o.order_id and c.claimed_at < e.judged_at
            and coalesce(other.paid_at >= e.judged_at, true)) as named
      where o.status = 'paid' and h.alert_id is null and e.table_row is not null
        and (named.by is not null or e.table_row <> 3 or ${namesEarlierDay(sql, sql`e.bank_reference`, sql`o.created_at`)})`,
  ),
  ruleCheck(
    'table',
    'A reference that two unpaid orders name is attached to one of them only by a person.',
    sql => sql`
      select 'credit ' || h.alert_id || ' is with ' || h.order_id || ' by the word of one of ' || count(*) || ' customers' as line
      from handled_credits h
        join alerts e on e.merchant_id = h.merchant_id and e.alert_id = h.alert_id
        join claimed_references c on c.merchant_id = e.merchant_id and c.bank_reference = ${countedReference(sql, sql`e.bank_reference`)}
        join orders o on o.merchant_id = c.merchant_id and o.order_id = c.order_id and o.status <> 'paid'
      where h.state = 'attached' and h.found_by = 'reference' and h.done_by = 'milaan' and e.table_row is not null
      group by h.merchant_id, h.alert_id, h.order_id having count(*) > 1`,
  ),
  ruleCheck(
    'takings',
    'A payment without an order has a genuine mail with its sum and reference, and paid an order only by a person; each one of row 8 exists.',
    sql => sql`
      select 'taking ' || coalesce(t.alert_id, e.alert_id) || ' ' || case
          when t.alert_id is null then 'is not counted'
          when e.alert_id is null then 'has no mail'
          when e.verdict not in ('no_order', 'paid') then 'is of a mail that says ' || e.verdict
          when e.amount_paise is distinct from t.amount_paise then 'is of a mail about ' || e.amount_paise || ' paise'
          when e.signature_id is null or e.signing_domain is null or e.recipient is null or e.trust = 'review_only' then 'is of a mail without proof'
          when r.alert_id is distinct from t.alert_id and e.bank_reference is not null then 'has a reference that counts for another'
          when e.verdict = 'no_order' then 'is the payment of ' || o.order_id
          else 'paid ' || coalesce(e.order_id, 'no order') || ' by itself' end as line
      from takings t full join (select * from alerts where table_row = 8) e8
          on e8.merchant_id = t.merchant_id and e8.alert_id = t.alert_id
        left join alerts e on e.merchant_id = coalesce(t.merchant_id, e8.merchant_id) and e.alert_id = coalesce(t.alert_id, e8.alert_id)
        left join counted_references r on r.merchant_id = e.merchant_id
          and r.bank_reference = ${countedReference(sql, sql`e.bank_reference`)}
        left join orders o on o.merchant_id = t.merchant_id and o.alert_id = t.alert_id
        left join handled_credits h on h.merchant_id = t.merchant_id and h.alert_id = t.alert_id
      where t.alert_id is null or e.alert_id is null or e.verdict not in ('no_order', 'paid')
        or e.amount_paise is distinct from t.amount_paise or e.signing_domain is null or e.recipient is null
        or e.trust = 'review_only' or e.signature_id is null
        or (e.bank_reference is not null and r.alert_id is distinct from t.alert_id) or (e.verdict = 'no_order' and o.order_id is not null)
        or (e.verdict = 'paid' and h.state is distinct from 'accepted')`,
  ),
  ruleCheck(
    'R14',
    "The next arrival number is above every number of a business's current arrival epoch.",
    sql => sql`
      select 'business ' || m.merchant_id || ' has number ' || numbers.greatest || ', and the next one is '
        || (select last_value from arrivals) || ': its arrival_epoch must be raised' as line
      from merchants m cross join lateral (
        select greatest(
          (select max(o.arrival_number) from orders o
            where o.merchant_id = m.merchant_id and o.arrival_epoch >= m.arrival_epoch),
          (select max(e.arrival_number) from alerts e
            where e.merchant_id = m.merchant_id and e.arrival_epoch >= m.arrival_epoch)) as greatest) as numbers
      where numbers.greatest > (select last_value from arrivals)`,
  ),
  ruleCheck(
    'R17',
    'A person accepted each payment that had to wait: a wording on trial, a bank that only reports, a sum above the owner’s limit.',
    sql => sql`
      select o.order_id || ' was paid by itself, but ' || case
          when a.trust = 'review_only' then 'mails of ' || a.bank || ' never pay by themselves'
          when a.trust = 'trial' and t.payments is null then a.template || ' of ' || a.bank || ' is on trial'
          else 'its account lets what is above ' || u.review_above_paise || ' paise wait' end as line
      from orders o
        join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
        join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
        left join template_payments t on t.merchant_id = a.merchant_id and t.bank = a.bank and t.template = a.template
          and t.payments >= ${paymentsOfATrial}
        ${acceptedFor(sql)}
      where o.status = 'paid' and h.alert_id is null and (a.trust = 'review_only'
        or (a.trust = 'trial' and t.payments is null)
        or (a.trust is not null and o.created_at > u.review_above_since and o.received_paise > u.review_above_paise))`,
  ),
];

/** R16: a person took this very credit for the order, and is responsible for its sum and time. */
function acceptedFor(sql: Queryable) {
  return sql`left join handled_credits h
    on h.merchant_id = o.merchant_id and h.alert_id = o.alert_id and h.order_id = o.order_id and h.state = 'accepted'`;
}
