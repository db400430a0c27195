import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { KeepDays } from '../../base/retention.ts';
import { lateWindow } from '../../base/time-windows.ts';
import type { Contact } from '../../business/accounts/queries/merchants.ts';
import { type Standing, whyRefused } from '../../business/merchants/queries.ts';
import type { Order } from '../order.ts';
import { insideHistory, orderColumns, statusAt } from '../sql-fragments.ts';
import type { ShopBrand } from './shop-brand.ts';

/**
 * An order as the hosted page shows it. `shop` is the business's name, `payee_name` what the UPI app will show. If it
 * is not `confirmable`, nobody would notice its payment.
 */
export type PageOrder = Order &
  Contact &
  ShopBrand & {
    shop: string;
    /** The shop's customer languages in addition to English and Hindi. */
    languages: string[];
    /** The goods or service, if a person or a link created the order. */
    purpose: string | null;
    confirmable: boolean;
    /** The token of the permanent link that created the order, while that link is open. */
    link_token: string | null;
    given_back_paise: Paise | null;
    /** The owner accepts fresh payments only, and nobody has noted yet that this page was open. */
    is_unseen: boolean;
  };

/** Not awaited here, so that a deadline can cancel it. */
export function selectPageOrder(sql: Queryable, merchantId: number, token: string, now: Date) {
  return sql<(PageOrder & Standing)[]>`
    select ${whyMoved(sql)} as refusal, ${orderColumns(sql, now)}, m.name as shop, m.languages, u.purpose, ${isConfirmable(sql)} as confirmable,
      m.fresh_only and o.seen_at is null as is_unseen,
      (select sum(r.amount_paise)::bigint from refunds r
        where r.merchant_id = o.merchant_id and r.order_id = o.order_id) as given_back_paise,
      m.contact_phone, m.contact_whatsapp, m.contact_email, m.colour, m.logo,
      case when l.withdrawn_at is null and l.paused_at is null and coalesce(l.ends_at > ${now}, true) and coalesce(l.stock > l.paid_pieces, true)
        then l.token end as link_token
    from orders o
    left join order_purposes u on u.merchant_id = o.merchant_id and u.order_id = o.order_id
    left join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    join upi_accounts a on a.merchant_id = o.merchant_id and a.account_id = o.account_id
    join merchants m on m.merchant_id = o.merchant_id
    join plans p on p.plan = m.plan
    where o.merchant_id = ${merchantId} and o.pay_token = ${token} and ${insideHistory(sql, now)}`;
}

/** Noted once if the owner accepts fresh payments only, because only an open page or widget can report a tap. */
export function noteSeen(sql: Queryable, merchantId: number, token: string, now: Date) {
  return sql`
    update orders o set seen_at = ${now} from merchants m
    where o.merchant_id = ${merchantId} and o.pay_token = ${token} and o.seen_at is null
      and m.merchant_id = o.merchant_id and m.fresh_only`;
}

type NoticeFacts = Contact & ShopBrand & { shop: string; keeps: KeepDays; history_days: number | null };

/** The parts of a shop's notice to its customers. Not awaited here either. */
export function selectNotice(sql: Queryable, merchantId: number) {
  return sql<NoticeFacts[]>`
    select m.merchant_id, m.name as shop, m.contact_phone, m.contact_whatsapp, m.contact_email, m.colour, m.logo, m.keeps,
      p.history_days
    from merchants m join plans p on p.plan = m.plan where m.merchant_id = ${merchantId}`;
}

type NewReport = { merchant_id: number; order_id: string; reported_at: Date; note: string };
const longestNotes = 2000;

/** Adds another customer's words to an open report. False if none is open. */
export async function addToReport(sql: Queryable, { merchant_id, order_id, note }: NewReport) {
  return await sql`
    update page_reports set note = case when length(note) + ${note.length} < ${longestNotes}
      then note || case when note = '' or ${note}::text = '' then '' else E'\\n' end || ${note}::text else note end
    where merchant_id = ${merchant_id} and order_id = ${order_id} and settled_at is null returning order_id`.some();
}

/** One report per page. A settled one is opened and mailed again. */
export async function insertReport(sql: Queryable, row: NewReport): Promise<void> {
  await sql`
    insert into page_reports as r ${sql(row)} on conflict (merchant_id, order_id) do update
    set reported_at = excluded.reported_at, note = excluded.note, mailed_at = null, settled_at = null, settled_by = null
    where r.settled_at is not null`;
}

/** Customers of a closed business still see their order's status. During a business's move they must ask again. */
function whyMoved(sql: Queryable) {
  return sql`nullif(${whyRefused(sql)}, 'merchant_disabled')`;
}

/**
 * Whether alerts are read, from a mailbox or by forwarding, for as long as this order can be paid (§3). Its account
 * must be one that alerts pay (R13).
 */
function isConfirmable(sql: Queryable) {
  const lateEnd = sql`o.expires_at + ${lateWindow} * interval '1 millisecond'`;
  return sql`m.moved_at is null and (exists (select from mailboxes b where b.merchant_id = o.merchant_id
      and coalesce(b.read_until, 'infinity') >= ${lateEnd})
    or exists (select from forward_addresses f where f.merchant_id = o.merchant_id and f.works_since is not null
      and coalesce(f.ends_at, 'infinity') >= ${lateEnd}))
    and exists (select from upi_accounts u
      where u.merchant_id = o.merchant_id and u.account_id = o.account_id and u.bank is not null)`;
}

/**
 * `place` is the question's, counted from 1. `leaves_at` is the end of the history window, null without one. An open
 * order has no return addresses.
 */
export type StatusRow = Standing & { place: number; leaves_at: Date | null; confirmable: boolean } & Pick<
    Order,
    'order_id' | 'payable_paise' | 'received_paise' | 'expires_at'
  > &
  ({ status: 'pending' } | Pick<Order, 'status' | 'merchant_order_id' | 'success_url' | 'failure_url'>);

export function selectStatuses(
  sql: Queryable,
  merchantIds: readonly number[],
  tokens: readonly string[],
  now: Date,
) {
  return sql<StatusRow[]>`
    select asked.place::int, ${whyMoved(sql)} as refusal, o.order_id, computed.status, o.payable_paise, o.received_paise, o.expires_at,
      o.created_at + p.history_days * interval '1 day' as leaves_at, ${isConfirmable(sql)} as confirmable,
      case when computed.status <> 'pending' then o.merchant_order_id end as merchant_order_id,
      case when computed.status <> 'pending' then o.success_url end as success_url,
      case when computed.status <> 'pending' then o.failure_url end as failure_url
    from unnest(${merchantIds}::bigint[], ${tokens}::text[]) with ordinality as asked (merchant_id, token, place)
    join orders o on o.merchant_id = asked.merchant_id and o.pay_token = asked.token
    join merchants m on m.merchant_id = o.merchant_id
    join plans p on p.plan = m.plan
    cross join lateral (select ${statusAt(sql, now)} as status) as computed
    where ${insideHistory(sql, now)}`;
}
