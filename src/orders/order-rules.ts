import { minute } from '../base/clock.ts';
import type { Queryable } from '../base/database/connect.ts';
import { ruleCheck } from '../base/database/rule-check.ts';
import { mostOffset } from '../base/money.ts';
import { earlyWindow, guardTime, lateWindow, payableTime } from '../base/time-windows.ts';
import { leastHistoryDays } from '../business/merchants/plans.ts';

const early = `${earlyWindow} milliseconds`;
const late = `${lateWindow} milliseconds`;
const guard = `${guardTime} milliseconds`;
/** Simultaneous creates read their clocks shortly before they commit. */
const racingTime = 1 * minute;
const racing = `${racingTime} milliseconds`;

export const orderRules = [
  ruleCheck(
    'R3',
    'For one merchant and one payable amount, the acceptance windows of two orders never overlap.',
    sql => sql`
      select order_id || ' and ' || next_id || ' both accept ' || payable_paise || ' paise' as line
      from (
        select merchant_id, order_id, payable_paise, expires_at + ${late}::interval as ends,
          lead(created_at) over holders - ${early}::interval as next_starts, lead(order_id) over holders as next_id
        from orders window holders as (partition by merchant_id, payable_paise order by created_at, order_id)
      ) as windows
      where next_starts <= ends`,
  ),
  ruleCheck(
    'R5',
    'At most one order per merchant and merchant_order_id.',
    sql => sql`
      select 'merchant ' || merchant_id || ' has ' || count(*) || ' orders with id ' || merchant_order_id as line
      from orders where not id_released group by merchant_id, merchant_order_id having count(*) > 1
      union all
      -- An id is free again once its order has left the history window, and no plan has a shorter window than this.
      select order_id || ' and ' || next_id || ' were both created with id ' || merchant_order_id
      from (
        select order_id, merchant_order_id, created_at, lead(order_id) over same as next_id,
          lead(created_at) over same as next_created_at
        from orders window same as (partition by merchant_id, merchant_order_id order by created_at, order_id)
      ) as uses
      where next_created_at < created_at + ${leastHistoryDays} * interval '1 day'`,
  ),
  ruleCheck(
    'R6',
    `1 ≤ payable − amount ≤ ${mostOffset} paise, never whole rupees; above 99 only when every usable offset of 1…99 is held.`,
    sql => sql`
      select order_id || ' has an offset of ' || payable_paise - amount_paise as line
      from orders where payable_paise - amount_paise not between 1 and ${mostOffset}
      union all
      select order_id || ' asks for whole rupees: ' || payable_paise || ' paise' from orders where payable_paise % 100 = 0
      union all
      select o.order_id || ' has an offset of ' || o.payable_paise - o.amount_paise || ' while only ' || held.count
        || ' of ' || usable || ' usable ones of 1…99 were held' as line
      from orders o cross join lateral (
        -- One offset of a price with paise makes whole rupees.
        select case when o.amount_paise % 100 = 0 then 99 else 98 end as usable
      ) as narrow cross join lateral (
        select count(distinct h.payable_paise) as count from orders h
        where h.merchant_id = o.merchant_id and h.payable_paise between o.amount_paise + 1 and o.amount_paise + 99
          and h.payable_paise % 100 <> 0
          and h.created_at <= o.created_at + ${racing}::interval
          and h.expires_at + ${late}::interval + ${guard}::interval + ${racing}::interval >= o.created_at
      ) as held
      where o.payable_paise - o.amount_paise > 99 and held.count < usable
        -- Once the order is archived, its neighbours may have left the history window.
        and o.archived_at is null`,
  ),
  ruleCheck(
    'R6',
    'Every order that can still be paid holds its amount.',
    sql => sql`
      select o.order_id || ' does not hold ' || o.payable_paise || ' paise' as line
      from orders o left join amounts h on h.merchant_id = o.merchant_id and h.payable_paise = o.payable_paise
      where h.held_until is null or h.held_until < o.expires_at + ${late}::interval`,
  ),
  ruleCheck(
    'amounts',
    'No amount counts as clear while a customer who held it may still pay it.',
    sql => sql`
      select h.payable_paise || ' paise of ' || o.order_id || ' are clear at ' || h.clear_at || ', and not before '
        || clear.from as line
      from amounts h join orders o on o.merchant_id = h.merchant_id and o.order_id = h.order_id
        cross join lateral (select greatest(h.doubted_until, case when o.status = 'paid' then h.held_until
          else o.created_at + case when o.intent_at is null then interval '24 hours' else interval '48 hours' end end) as from) as clear
      where h.clear_at < clear.from`,
  ),
  ruleCheck(
    'R15',
    'No order shares a paise digit with a held amount if another free and clear amount shared none.',
    sql => findNeedlessNeighbours(sql, racingTime),
  ),
  ruleCheck(
    'collections',
    "Each month's collections equal its payments without an order plus all other paid orders.",
    sql => sql`
      with counted as (
        select merchant_id, date_trunc('month', paid_at at time zone 'Asia/Kolkata')::date as month,
          sum(received_paise) as paise
        from (
          select o.merchant_id, o.paid_at, o.received_paise from orders o
            left join takings t on t.merchant_id = o.merchant_id and t.alert_id = o.alert_id
          where o.status = 'paid' and t.alert_id is null
          union all select merchant_id, counted_at, amount_paise from takings
        ) as came group by 1, 2
      )
      select 'merchant ' || merchant_id || ' ' || month || ': counter ' || coalesce(collected_paise - removed_paise, 0)
        || ' paise, orders and takings ' || coalesce(paise, 0) as line
      from collections full join counted using (merchant_id, month)
      where coalesce(collected_paise - removed_paise, 0) <> coalesce(paise, 0)`,
  ),
  ruleCheck(
    'register',
    'The register has no more money of deleted orders than was deleted.',
    sql => sql`
      select 'merchant ' || r.merchant_id || ' ' || r.month || ': register ' || sum(r.paise) || ' paise, deleted '
        || coalesce(min(c.removed_paise), 0) as line
      from removed_orders r left join collections c on c.merchant_id = r.merchant_id and c.month = r.month
      group by r.merchant_id, r.month having sum(r.paise) > coalesce(min(c.removed_paise), 0)`,
  ),
];

const hold = payableTime + lateWindow + guardTime;

/**
 * R15, as far as stored rows can show it: an order shares a paise digit with a held amount without need. Fewer than
 * ten were held in its rupee, and a clear amount without such a neighbour was within reach. `racing`: how long before
 * its commit a create may have read its clock, in milliseconds.
 */
function findNeedlessNeighbours(sql: Queryable, racing: number) {
  const milliseconds = (count: number) => sql`${`${count} milliseconds`}::interval`;
  return sql<{ line: string }[]>`
    with placed as (
      select merchant_id, order_id, payable_paise / 100 as rupee, (payable_paise % 100)::int as place, true as is_held,
        created_at, amount_paise - payable_paise / 100 * 100 as base, archived_at,
        status <> 'paid' or paid_at > created_at + ${milliseconds(hold - racing)} as is_doubted
      from orders
      union all
      select merchant_id, order_id, amount_paise / 100, (amount_paise % 100)::int, false, created_at, 0, null, false
      from orders
    ),
    board as (
      select *,
        bit_or(set_bit(b'0'::bit(400), place, 1)) filter (where is_held) over (turns
          range between ${milliseconds(hold - 1)} preceding and ${milliseconds(racing)} preceding) as surely_held,
        bit_or(neighbours_of(place)) filter (where is_held) over maybe as near,
        bit_or(set_bit(b'0'::bit(400), place, 1)) filter (where is_held) over maybe as maybe_held,
        -- A customer who did not pay in time may have kept their amount from being clear for two days.
        bit_or(set_bit(b'0'::bit(400), place, 1)) filter (where is_held and is_doubted) over (turns
          range between interval '48 hours' preceding and ${milliseconds(racing)} following exclude current row) as doubted,
        bit_or(set_bit(b'0'::bit(400), place, 1)) filter (where not is_held) over maybe as asked
      from placed
      window turns as (partition by merchant_id, rupee order by created_at),
        maybe as (turns range between ${milliseconds(hold + racing)} preceding and ${milliseconds(racing)} following
          exclude current row)
    )
    select order_id || ' shares a digit with a held amount, and could have shared none' as line
    from board b
    where is_held and archived_at is null and place - base <= 99
      and bit_count(surely_held & neighbours_of(place)) > 0 and bit_count(maybe_held) < 10
      and bit_count((~ b'0'::bit(400) >> greatest(base + 1, 1)::int) & ~ (~ b'0'::bit(400) >> least(base + 100, 100)::int)
        & ~ near & ~ coalesce(asked, b'0'::bit(400)) & ~ coalesce(doubted, b'0'::bit(400))) > 0
      -- Amounts without an order were inserted by hand, at an unknown time.
      and not exists (
        select from amounts h
        where h.merchant_id = b.merchant_id and h.payable_paise between rupee * 100 and rupee * 100 + 99
          and h.held_until > b.created_at
          and not exists (select from orders o where o.merchant_id = h.merchant_id and o.order_id = h.order_id))`;
}
