import type { Queryable } from '../base/database/connect.ts';
import { guardTime, lateWindow, payableTime } from '../base/time-windows.ts';

/** How long an order holds its amount. */
const hold = payableTime + lateWindow + guardTime;

/**
 * R15, as far as stored rows can show it: an order shares a paise digit with an amount that was certainly held in its
 * rupee, although fewer than ten were, and another clear amount within its reach shared none with anything that may have
 * been held. `racing`: how long before its commit a create may have read its clock, in milliseconds.
 */
export function findNeedlessNeighbours(sql: Queryable, racing: number) {
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
        -- Who did not pay in time may have kept their amount from being clear for two days.
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
      -- Amounts that nobody's order holds were put there by hand, and nobody knows when.
      and not exists (
        select from amounts h
        where h.merchant_id = b.merchant_id and h.payable_paise between rupee * 100 and rupee * 100 + 99
          and h.held_until > b.created_at
          and not exists (select from orders o where o.merchant_id = h.merchant_id and o.order_id = h.order_id))`;
}
