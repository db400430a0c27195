import { ruleCheck } from '../../base/database/rule-check.ts';
import { countedReference } from '../matching/sql-fragments.ts';

export const statementRules = [
  ruleCheck(
    'R1',
    'A statement names paid orders by the alert that paid them, a line confirms one order with its sum and day, and the audit log names who vouched for one.',
    sql => sql`
      select 'a statement has ' || s.state || ' ' || s.order_id || ' by ' || s.alert_id || ', which is ' || o.status
        || coalesce(' by ' || o.alert_id, '') as line
      from statement_marks s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
      where o.status <> 'paid' or o.alert_id is distinct from s.alert_id
      union all
      select 'a line of ' || s.line_day || ' over ' || s.line_paise || ' paise confirms ' || s.order_id || ', whose alert of '
        || s.day || ' reported ' || a.amount_paise
      from statement_marks s join alerts a on a.merchant_id = s.merchant_id and a.alert_id = s.alert_id
      where s.state = 'confirmed' and (a.amount_paise <> s.line_paise
        or s.day <> (a.alert_time at time zone 'Asia/Kolkata')::date
        or (abs(s.line_day - s.day) > 1 and a.erasure_id is null
          and s.line_key is distinct from ${countedReference(sql, sql`a.bank_reference`)}))
      union all
      select 'one line confirms ' || count(*) || ' orders: ' || string_agg(order_id, ', ')
      from statement_marks where line_key is not null group by merchant_id, bank, line_key having count(*) > 1
      union all
      select 'the audit log does not say that ' || s.marked_by || ' found the money of ' || s.order_id
      from statement_marks s
      where s.state = 'vouched' and not exists (select from audit_log l
        where l.merchant_id = s.merchant_id and l.subject = s.order_id and l.action = 'statement.found'
          and l.actor = s.marked_by and l.at = s.marked_at)`,
  ),
];
