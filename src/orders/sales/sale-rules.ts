import { ruleCheck } from '../../base/database/rule-check.ts';

/** The rules for sold plans. Each side is checked alone, because seller and buyer may be in different cells. */
export const saleRules = [
  ruleCheck(
    'sales',
    'Every plan that was given was paid for: its sale has a paid order with the same sum and price.',
    sql => sql`
      select 'sale ' || s.order_id || ' of plan ' || s.plan || ' was given, and its order is '
        || coalesce(o.status, 'missing') as line
      from sales s join merchants m on m.merchant_id = s.merchant_id join plans p on p.plan = m.plan
        left join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
      where s.applied_at is not null and o.status is distinct from 'paid'
        -- A business that stopped selling may have a plan by which its orders are deleted.
        and (o.order_id is not null or p.history_days is null)
      union all
      select 'sale ' || s.order_id || ' says ' || s.received_paise || ' paise for ' || s.price_paise || ', and its order '
        || coalesce(o.received_paise, 0) || ' for ' || o.amount_paise
      from sales s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
      where o.amount_paise <> s.price_paise or (s.receipt_number is not null and o.received_paise <> s.received_paise)
      union all
      select 'sale ' || order_id || ' was given without a receipt' from sales
      where applied_at is not null and receipt_number is null`,
  ),
  ruleCheck(
    'sales',
    'Receipts are numbered from 1, without a gap.',
    sql => sql`
      select 'merchant ' || merchant_id || ' has ' || count(*) || ' receipts, numbered up to ' || max(receipt_number) as line
      from sales where receipt_number is not null group by merchant_id having count(*) <> max(receipt_number)`,
  ),
  ruleCheck(
    'terms',
    'Each plan period lasts the days bought and carried over unless it was ended, and no two overlap.',
    sql => sql`
      select 'plan period ' || order_id || ' of merchant ' || merchant_id || ' lasts ' || ends_at - starts_at || ' for '
        || days || ' + ' || carried_days || ' days' as line
      from terms cross join lateral (select make_interval(hours => 24 * (days + carried_days)) as bought) as b
      where case when ended_by is null then ends_at - starts_at <> bought else ends_at - starts_at > bought end
      union all
      select 'plan periods ' || order_id || ' and ' || next_id || ' of merchant ' || merchant_id || ' overlap'
      from (
        select merchant_id, order_id, ends_at, lead(starts_at) over times as next_starts, lead(order_id) over times as next_id
        from terms where ends_at > starts_at
        window times as (partition by merchant_id order by starts_at, ends_at)
      ) as following
      where next_starts < ends_at`,
  ),
  ruleCheck(
    'terms',
    'Days are carried over only from an earlier plan period, and a period that ended for another is followed by it.',
    sql => sql`
      select 'plan period ' || t.order_id || ' of merchant ' || t.merchant_id || ' carries ' || t.carried_days || ' days of nobody' as line
      from terms t where t.carried_days > 0 and not exists (
        select from terms e where e.merchant_id = t.merchant_id and e.order_id <> t.order_id and e.starts_at <= t.starts_at)
      union all
      select 'plan period ' || e.order_id || ' of merchant ' || e.merchant_id || ' ended for ' || e.ended_by || ', which is none'
      from terms e where e.ended_by <> 'operator' and not exists (
        select from terms t where t.merchant_id = e.merchant_id and t.order_id = e.ended_by)`,
  ),
];
