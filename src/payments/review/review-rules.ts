import { ruleCheck } from '../../base/database/rule-check.ts';
import { genuineCredits } from '../matching/queries/credits.ts';

/** R16, checked for every credit that somebody decided about and every order that waits. */
export const reviewRules = [
  ruleCheck(
    'refunds',
    'Only paid orders were given back, at most what they received, and the audit log says by whom.',
    sql => sql`
      select 'order ' || o.order_id || ' is ' || o.status || ', received ' || coalesce(o.received_paise, 0)
        || ' paise and gave back ' || sum(r.amount_paise) as line
      from refunds r join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id
      group by o.merchant_id, o.order_id, o.status, o.received_paise
      having o.status <> 'paid' or sum(r.amount_paise) > o.received_paise
      union all
      select 'the audit log does not say that ' || r.done_by || ' gave back ' || r.amount_paise || ' paise of ' || r.order_id
      from refunds r where not exists (select from audit_log l
        where l.merchant_id = r.merchant_id and l.subject = r.order_id and l.at = r.done_at and l.actor = r.done_by
          and l.action = 'order.give_back')`,
  ),
  ruleCheck(
    'R16',
    'People decided only about genuine credits, and gave each to one order at most.',
    sql => sql`
      select 'credit ' || h.alert_id || ' is ' || h.state || ', but its mail says ' || a.verdict as line
      from handled_credits h join alerts a on a.merchant_id = h.merchant_id and a.alert_id = h.alert_id
      where case when h.state = 'accepted' then a.verdict <> 'paid' or a.order_id is distinct from h.order_id
        else a.verdict not in ${genuineCredits} end
      union all
      select 'order ' || order_id || ' was given ' || count(*) || ' credits' as line
      from handled_credits where state in ('attached', 'accepted') group by merchant_id, order_id having count(*) > 1
      union all
      select 'credit ' || h.alert_id || ' was accepted for ' || h.order_id || ', which is ' || o.status
        || coalesce(' by ' || o.alert_id, '')
      from handled_credits h join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
      where h.state = 'accepted' and (o.status <> 'paid' or o.alert_id is distinct from h.alert_id)`,
  ),
  ruleCheck(
    'R16',
    'An order waits exactly while a credit is attached to it, and has the received sum.',
    sql => sql`
      select o.order_id || ' waits for a person, but no credit is attached to it' as line
      from orders o where o.status = 'manual_review' and not exists (select from handled_credits h
        where h.merchant_id = o.merchant_id and h.order_id = o.order_id and h.state = 'attached')
      union all
      select o.order_id || ' is ' || o.status || ' and says that ' || coalesce(o.received_paise::text, 'no') || ' paise came'
      from orders o
      where case o.status when 'pending' then o.received_paise is not null when 'failed' then o.received_paise is not null
        and not exists (select from handled_credits h join alerts a on a.merchant_id = h.merchant_id and a.alert_id = h.alert_id
          where h.merchant_id = o.merchant_id and h.order_id = o.order_id and a.amount_paise = o.received_paise
            and h.state in ('to_give_back', 'given_back', 'kept'))
        else o.received_paise is null end
      union all
      -- An order that waits is never archived, so its row exists.
      select 'credit ' || h.alert_id || ' of ' || a.amount_paise || ' paise is attached to ' || h.order_id || ', which '
        || coalesce('is ' || o.status || ' with ' || coalesce(o.received_paise::text, 'no') || ' paise', 'is not there') as line
      from handled_credits h
        join alerts a on a.merchant_id = h.merchant_id and a.alert_id = h.alert_id
        left join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
      where h.state = 'attached'
        and (o.status is distinct from 'manual_review' or o.received_paise is distinct from a.amount_paise)`,
  ),
  ruleCheck(
    'R16',
    'Money leaves the to-do list exactly when it was given back or kept, or is a payment without an order that nobody claims.',
    sql => sql`
      select 'credit ' || a.alert_id || ' is ' || coalesce(h.state, 'open') || ', and '
        || case when a.is_ended then 'not on the list' else 'still on the list' end as line
      from alerts a left join handled_credits h on h.merchant_id = a.merchant_id and h.alert_id = a.alert_id
      where (a.is_ended or h.state in ('given_back', 'kept'))
        and a.is_ended <> (coalesce(h.state in ('given_back', 'kept'), false)
          or (coalesce(h.state, 'open') = 'open' and a.reason_code is distinct from 'claimed_by_several' and exists (
            select from takings t where t.merchant_id = a.merchant_id and t.alert_id = a.alert_id)))`,
  ),
  ruleCheck(
    'R16',
    'A mail that a person read paid the order for which they accepted it, and the audit log has their choice.',
    sql => sql`
      select 'alert ' || a.alert_id || ' was read by ' || a.read_by || ', and is ' || a.verdict || ', '
        || coalesce(h.state, 'taken by nobody') as line
      from alerts a left join handled_credits h on h.merchant_id = a.merchant_id and h.alert_id = a.alert_id
      where a.read_by is not null and (a.verdict <> 'paid' or h.state is distinct from 'accepted'
        or h.done_by is distinct from a.read_by or a.recipient is null or a.signing_domain is null
        or not exists (select from audit_log l where l.merchant_id = a.merchant_id and l.subject = a.alert_id
          and l.action = 'mail.read' and l.actor = a.read_by and l.at = h.done_at))`,
  ),
  ruleCheck(
    'R16',
    'The audit log names who decided, at the same moment, and only a person accepted.',
    sql => sql`
      select 'credit ' || h.alert_id || ' is ' || h.state || ', and the audit log does not say that '
        || h.done_by || ' did it' as line
      from handled_credits h
      where has_settled(h.state, h.done_by)
        and (h.done_by = 'milaan' or not exists (select from audit_log l
          where l.merchant_id = h.merchant_id and l.subject = h.alert_id and l.at = h.done_at and l.actor = h.done_by
            and l.action = case h.state when 'attached' then 'credit.attach' when 'accepted' then 'credit.accept'
              when 'to_give_back' then 'credit.decline' when 'given_back' then 'credit.given_back' else 'credit.keep' end))`,
  ),
];
