import { ruleCheck } from '../../base/database/rule-check.ts';

/** R1 of what was erased: who asked and when is known, and nothing of the person is left. */
export const erasureRules = [
  ruleCheck(
    'R1',
    'What was erased names the request, by whom and when, and holds nothing of the person.',
    sql => sql`
      select 'alert ' || a.alert_id || ' was erased ' || case when e.erasure_id is null then 'by nobody'
          when a.payer is not null or a.bank_reference is not null then 'and still says who paid'
          when r.bank_reference is not null then 'and its reference is still counted in the clear'
          else 'and its bytes are still here' end as line
      from alerts a left join erasures e on e.merchant_id = a.merchant_id and e.erasure_id = a.erasure_id
        left join counted_references r on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id
          and r.bank_reference not like 'erased %'
      where a.erasure_id is not null and (e.erasure_id is null or a.payer is not null or a.bank_reference is not null
        or r.bank_reference is not null or exists (select from raw_mails m
          where m.merchant_id = a.merchant_id and m.alert_id = a.alert_id and m.arrived_at = a.arrived_at))
      union all
      select 'order ' || o.order_id || ' was erased '
        || case when e.erasure_id is null then 'by nobody' else 'and still says who paid' end
      from orders o left join erasures e on e.merchant_id = o.merchant_id and e.erasure_id = o.erasure_id
      where o.erasure_id is not null and (e.erasure_id is null or o.customer is not null or o.bank_reference is not null)
      union all
      select 'event ' || v.event_id || ' was erased '
        || case when e.erasure_id is null then 'by nobody' else 'and its body is still here' end
      from events v left join erasures e on e.merchant_id = v.merchant_id and e.erasure_id = v.erasure_id
      where v.erasure_id is not null and (e.erasure_id is null or exists (select from event_bodies b
        where b.merchant_id = v.merchant_id and b.event_id = v.event_id and b.created_at = v.created_at))`,
  ),
];
