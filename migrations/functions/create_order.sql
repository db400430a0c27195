-- Creates an order (§4.1): checks caller, id, account and plan, chooses a free amount, holds it and inserts.
-- No outcome: the key is unknown. `lost_race`: another create took the amount despite the locks, so try again.
-- `id_spent`: a paid order had this id and was deleted within a year. `service_unavailable`: the business is being
-- moved.
create or replace function create_order(
  business bigint, presented_key bytea, new_order_id text, new_merchant_order_id text, new_amount bigint,
  new_created_at timestamptz, new_expires_at timestamptz, new_held_until timestamptz, new_pay_token text,
  new_account_id text, new_success_url text, new_failure_url text, new_webhook_url text, new_customer jsonb,
  out outcome text, out upgrade_url text, out limit_paise bigint, out collected_paise bigint,
  out next_free_at timestamptz, out payable_paise bigint, out account_id text, out vpa text, out payee_name text,
  out account_kind text, out merchant_code text
) language plpgsql as $$
declare
  no_place constant bit(400) := b'0'::bit(400);
  whole_rupees constant bit(400) := repeat(rpad('1', 100, '0'), 4)::bit(400);
  -- Places count the paise from the last whole rupee that is not above the amount.
  base constant int := new_amount % 100;
  origin constant bigint := new_amount - base;
  disabled boolean;
  moved boolean;
  account_limit int;
  is_strict boolean;
  asked_paise bigint := 0;
  epoch int;
  earlier_accounts int;
  first int := base + 1;
  last int := base + 99;
  locked text;
  held bit(400);
  near bit(400);
  swapped bit(400);
  used bit(400);
  clear bit(400);
  asked bit(400);
  free bit(400);
  farthest bit(400);
  rupee bit(400);
  chosen int;
begin
  select m.disabled_at is not null or m.deletion_requested_at is not null or m.left_at is not null, p.account_limit,
    p.monthly_limit_paise, p.upgrade_url, m.arrival_epoch, m.moved_at is not null, p.strict
  into disabled, account_limit, limit_paise, upgrade_url, epoch, moved, is_strict
  from merchants m join plans p on p.plan = m.plan
  where m.merchant_id = business and (presented_key is null or exists (
    select from api_keys k where k.merchant_id = business and k.key_hash = presented_key and k.revoked_at is null));
  if not found then return; end if;
  if moved and not disabled then outcome := 'service_unavailable'; return; end if;
  if disabled then outcome := 'merchant_disabled'; return; end if;

  -- An order keeps its id until it is deleted, even while its plan's window hides it.
  if exists (select from orders o
    where o.merchant_id = business and o.merchant_order_id = new_merchant_order_id and not o.id_released) then
    outcome := 'replay';
    return;
  end if;
  if exists (select from spent_order_ids s
    where s.merchant_id = business and s.merchant_order_id = new_merchant_order_id and s.until > new_created_at) then
    outcome := 'id_spent';
    return;
  end if;

  select a.account_id, a.vpa, a.payee_name, a.kind, a.merchant_code
  into account_id, vpa, payee_name, account_kind, merchant_code
  from upi_accounts a
  where a.merchant_id = business and a.removed_at is null
    and case when new_account_id is null then a.is_default else a.account_id = new_account_id end;
  if not found then
    outcome := case when new_account_id is null then 'upi_not_configured' else 'invalid_payment_account' end;
    return;
  end if;
  if account_limit is not null then
    select count(*) into earlier_accounts
    from upi_accounts a join upi_accounts mine on mine.merchant_id = business and mine.account_id = create_order.account_id
    where a.merchant_id = business and a.removed_at is null
      and (a.created_at, a.account_id) < (mine.created_at, mine.account_id);
    if earlier_accounts >= account_limit then outcome := 'payment_account_paused'; return; end if;
  end if;
  if limit_paise is not null then
    select coalesce(sum(c.collected_paise), 0) into collected_paise from collections c
    where c.merchant_id = business and c.month = date_trunc('month', new_created_at at time zone 'Asia/Kolkata')::date;
    if is_strict and collected_paise < limit_paise then
      -- Take turns, and read both sums in one query: what is paid at the same time is in one of them.
      locked := pg_advisory_xact_lock((business % 2147483647)::int, -1);
      select coalesce(sum(x.collected), 0), coalesce(sum(x.held), 0) + new_amount into collected_paise, asked_paise
      from (
        select c.collected_paise as collected, 0 as held from collections c
        where c.merchant_id = business and c.month = date_trunc('month', new_created_at at time zone 'Asia/Kolkata')::date
        union all
        select 0, a.payable_paise from amounts a join orders o on o.merchant_id = business and o.order_id = a.order_id
        where a.merchant_id = business and a.held_until > new_created_at and o.status <> 'paid') x;
    end if;
    if collected_paise >= limit_paise or collected_paise + asked_paise > limit_paise then
      outcome := 'plan_limit_reached';
      return;
    end if;
  end if;

  -- R6: offsets of 1…99 paise, and 100…299 only if all of those are held. Whole rupees are never used.
  loop
    if first % 100 = 0 then first := first + 1; end if;
    if last % 100 = 0 then last := last - 1; end if;
    -- Creates that could meet on a rupee take turns until they commit. Ascending order prevents a deadlock.
    for board in first / 100 .. last / 100 loop
      locked := pg_advisory_xact_lock((business % 2147483647)::int, (origin / 100)::int + board);
    end loop;
    select bit_or(set_bit(no_place, place, 1)) filter (where is_held and is_near),
      bit_or(neighbours_of(place)) filter (where is_held and is_near),
      bit_or(set_bit(no_place, place / 100 * 100 + place % 10 * 10 + place / 10 % 10, 1)) filter (where is_held and is_near),
      bit_or(set_bit(no_place, place, 1)) filter (where is_near),
      bit_or(set_bit(no_place, place, 1)) filter (where is_near and is_clear),
      bit_or(set_bit(no_place, (a.amount_paise - origin)::int, 1))
        filter (where is_held and a.amount_paise between origin + first and origin + last)
    into held, near, swapped, used, clear, asked
    from amounts a cross join lateral (
      select (a.payable_paise - origin)::int as place, a.held_until > new_created_at as is_held,
        coalesce(a.clear_at, a.held_until) <= new_created_at as is_clear,
        a.payable_paise < origin + last / 100 * 100 + 100 as is_near) as board
    where a.merchant_id = business
      -- An order for an amount up to `last` holds one up to 299 paise above it.
      and a.payable_paise between origin + first / 100 * 100 and origin + last + 299;
    free := (~ no_place >> first) & ~ (~ no_place >> last + 1) & ~ whole_rupees & ~ coalesce(held, no_place);
    exit when free <> no_place or last > base + 99;
    first := base + 100;
    last := base + 299;
  end loop;
  if free = no_place then
    outcome := 'all_payment_slots_busy';
    select min(a.held_until) into next_free_at from amounts a
    where a.merchant_id = business and a.payable_paise between new_amount + 1 and new_amount + 299
      and a.payable_paise % 100 <> 0 and a.held_until > new_created_at;
    return;
  end if;
  if free & ~ asked <> no_place then free := free & ~ asked; end if;

  -- Clear amounts were never used, or no holder is likely to pay them now. If none is clear, take the soonest.
  clear := free & (~ coalesce(used, no_place) | coalesce(clear, no_place));
  farthest := free;
  if clear <> no_place then
    -- R15, while fewer than ten amounts of the rupee are held: prefer a clear one that shares no digit with a held
    -- one. A held one with swapped digits is the next worse. With six to eight held, the choice must leave others, or
    -- the tenth order finds nothing but a whole rupee.
    farthest := clear & ~ near;
    if bit_count(held) >= 10 then
      for board in first / 100 .. last / 100 loop
        rupee := (~ no_place >> board * 100) & ~ (~ no_place >> board * 100 + 100);
        if bit_count(held & rupee) >= 10 then farthest := farthest & ~ rupee; end if;
      end loop;
    end if;
    if held is null or farthest = no_place then
      farthest := clear;
    else
      if farthest & ~ swapped <> no_place then farthest := farthest & ~ swapped; end if;
      if bit_count(held) between 6 and 8 then farthest := fewest_neighbours(farthest, first, last, clear & ~ near); end if;
    end if;
  end if;
  free := farthest & ~ coalesce(used, no_place);
  if free <> no_place then
    -- Never used: the first one from a random place on.
    chosen := first + floor(random() * (last - first + 1));
    chosen := chosen + position(b'1' in free << chosen) - 1;
    if get_bit(free, chosen) = 0 then chosen := position(b'1' in free) - 1; end if;
  else
    -- The longest clear, or the first to be clear: money that was delayed for hours must not meet another order.
    select a.payable_paise - origin into chosen from amounts a
    where a.merchant_id = business and a.payable_paise between origin + first and origin + last
      and substring(farthest from (a.payable_paise - origin)::int + 1 for 1) = b'1'
    order by coalesce(a.clear_at, a.held_until), a.payable_paise limit 1;
  end if;

  payable_paise := origin + chosen;
  -- Doubtful for a day, until it is paid or its customer shows that they mean to pay. Earlier holders' doubt is kept.
  insert into amounts as a (merchant_id, payable_paise, held_until, order_id, amount_paise, clear_at)
  values (business, payable_paise, new_held_until, new_order_id, new_amount, new_created_at + interval '24 hours')
  on conflict on constraint amounts_pkey do update
    set held_until = excluded.held_until, order_id = excluded.order_id, amount_paise = excluded.amount_paise,
      clear_at = greatest(a.clear_at, excluded.clear_at), doubted_until = a.clear_at
    where a.held_until <= new_created_at;
  if not found then outcome := 'lost_race'; return; end if;
  insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
    expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer, arrival_epoch)
  values (business, new_order_id, new_merchant_order_id, new_amount, payable_paise, 'pending', new_created_at,
    new_expires_at, new_pay_token, account_id, new_success_url, new_failure_url, new_webhook_url, new_customer, epoch);
  -- Nobody can confirm the order without a mailbox or a working forwarding, so the owner is notified.
  if not exists (select from mailboxes m where m.merchant_id = business and m.read_until is null)
    and not exists (select from forward_addresses f
      where f.merchant_id = business and f.works_since is not null and f.ends_at is null) then
    insert into unconfirmable (merchant_id, since) values (business, new_created_at) on conflict do nothing;
  end if;
  outcome := 'created';
end $$;
