import { later } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import { payableTime } from '../../base/time-windows.ts';
import { type Standing, whyRefused } from '../../business/merchants/queries.ts';
import type { ShopBrand } from '../page/shop-brand.ts';

export type PaymentLink = {
  link_id: string;
  token: string;
  title: string;
  /** If null, the customer chooses the amount within the limits. */
  amount_paise: Paise | null;
  least_paise: Paise | null;
  most_paise: Paise | null;
  ends_at: Date | null;
  stock: number | null;
  /** Paid, or being paid right now. */
  sold: number;
  /** Paid for good, and the sum that its orders received. */
  paid_pieces: number;
  earned_paise: Paise;
  created_at: Date;
  paused_at: Date | null;
  withdrawn_at: Date | null;
};

type Purpose = { merchant_id: number; order_id: string; purpose: string; created_at: Date };
/** A team member, or the customer who asked through a link. */
export type AskedBy =
  | { made_by: string }
  | { link_id: string; visitor: Buffer | null; network: Buffer; wide_network: Buffer | null };

export async function insertPurpose(tx: Transaction, row: Purpose | (Purpose & AskedBy)): Promise<void> {
  await tx`insert into order_purposes ${tx(row)}`;
}

/** `cap_added`: the owner wants links and the counter to add at most 99 paise. */
export async function selectCounterSettings(sql: Queryable, merchantId: number) {
  const [row] = await sql<{ webhook_url: string | null; cap_added: boolean }[]>`
    select webhook_url, cap_added from merchants where merchant_id = ${merchantId}`;
  return row!;
}

export async function updateCapAdded(tx: Transaction, merchantId: number, cap: boolean): Promise<void> {
  await tx`update merchants set cap_added = ${cap} where merchant_id = ${merchantId}`;
}

export const mostStock = 10_000;

function linkColumns(sql: Queryable, now: Date) {
  return sql`l.link_id, l.token, l.title, l.amount_paise, l.least_paise, l.most_paise, l.ends_at, l.stock,
    l.created_at, l.paused_at, l.withdrawn_at, l.paid_pieces, l.earned_paise, case when l.stock is null then 0 else l.paid_pieces + (
      -- Start from the few open orders, because a link may have thousands that are over.
      select count(*)::int from (
        select o.order_id from orders o where o.merchant_id = l.merchant_id and o.status = 'manual_review'
        union all
        select o.order_id from orders o where o.merchant_id = l.merchant_id and o.status = 'pending'
          and o.created_at > ${later(now, -payableTime)} and o.expires_at > ${now}) o
      where (select u.link_id from order_purposes u
        where u.merchant_id = l.merchant_id and u.order_id = o.order_id) = l.link_id) end as sold`;
}

export type ShopsLink = PaymentLink &
  ShopBrand &
  Standing & { shop: string; languages: string[]; closed: boolean; halted: boolean; cap_added: boolean };

export function selectLink(sql: Queryable, merchantId: number, token: string, now: Date) {
  return sql<ShopsLink[]>`
    select ${linkColumns(sql, now)}, m.merchant_id, m.name as shop, m.languages, m.colour, m.logo, m.cap_added,
      m.deletion_requested_at is not null or m.left_at is not null as closed, m.disabled_at is not null as halted,
      ${whyRefused(sql)} as refusal
    from payment_links l join merchants m on m.merchant_id = l.merchant_id
    where l.merchant_id = ${merchantId} and l.token = ${token}`;
}

/** Until the transaction ends, nobody else opens an order of this business's links. So limits hold for a crowd too. */
export async function lockLinks(tx: Transaction, merchantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('payment_links', ${merchantId}))`;
}

export async function listLinks(sql: Queryable, merchantId: number, now: Date): Promise<PaymentLink[]> {
  return await sql<PaymentLink[]>`
    select ${linkColumns(sql, now)} from payment_links l
    where l.merchant_id = ${merchantId} and l.withdrawn_at is null
    order by l.created_at desc, l.link_id limit ${mostLinks}`;
}

/** Returns null for a withdrawn link too. */
export async function findLink(sql: Queryable, merchantId: number, linkId: string, now: Date) {
  return await sql<PaymentLink[]>`
    select ${linkColumns(sql, now)} from payment_links l
    where l.merchant_id = ${merchantId} and l.link_id = ${linkId} and l.withdrawn_at is null`.first();
}

/** Links that a business may have at a time. A business that needs more should use the API. */
export const mostLinks = 200;

export async function countLinks(sql: Queryable, merchantId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from payment_links
    where merchant_id = ${merchantId} and withdrawn_at is null`;
  return row?.count ?? 0;
}

type Counted = 'sold' | 'paid_pieces' | 'earned_paise' | 'paused_at' | 'withdrawn_at';
type NewLink = Omit<PaymentLink, Counted> & { merchant_id: number; made_by: string };

export async function insertLink(tx: Transaction, row: NewLink): Promise<void> {
  await tx`insert into payment_links ${tx(row)}`;
}

/** Returns the link's title, or null if there is none to withdraw. */
export async function withdrawLink(tx: Transaction, merchantId: number, linkId: string, now: Date) {
  return await tx<{ title: string }[]>`
    update payment_links set withdrawn_at = ${now}
    where merchant_id = ${merchantId} and link_id = ${linkId} and withdrawn_at is null
    returning title`.value();
}

/** Pauses a link, or resumes it if `pausedAt` is null. Returns its title, or null if nothing changed. */
export async function pauseLink(tx: Transaction, merchantId: number, linkId: string, pausedAt: Date | null) {
  return await tx<{ title: string }[]>`
    update payment_links set paused_at = ${pausedAt}
    where merchant_id = ${merchantId} and link_id = ${linkId} and withdrawn_at is null
      and (paused_at is null) <> (${pausedAt}::timestamptz is null)
    returning title`.value();
}

export type LinkPayment = { order_id: string; received_paise: number; paid_at: Date; payer: string | null };

export async function selectPaidByLink(sql: Queryable, merchantId: number, linkId: string, most: number) {
  return await sql<LinkPayment[]>`
    select o.order_id, coalesce(o.received_paise, o.payable_paise) as received_paise, o.paid_at, e.payer
    from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
      left join alerts e on e.merchant_id = o.merchant_id and e.alert_id = o.alert_id
    where u.merchant_id = ${merchantId} and u.link_id = ${linkId} and o.status = 'paid'
    order by o.paid_at desc, o.order_id limit ${most}`;
}

/** A hashed visitor, only for comparing them with others. The hashes cannot be reversed. */
export type Visitor = { browser: Buffer | null; network: Buffer; wideNetwork: Buffer | null };

type OpenOf = {
  merchantId: number;
  linkId: string;
  now: Date;
  since: Date;
  least: number;
  most: number;
  visitor: Visitor;
};

export type OpenCounts = {
  /** Unpaid orders near this price that links created since then: all of them, and those of one network. */
  all: number;
  network: number;
  wide_network: number;
  /** Pieces of this link that one network holds now, plus those that it opened since then and left unpaid. */
  network_pieces: number;
  wide_network_pieces: number;
  network_opened: number;
};

export async function countOpenOf(
  tx: Transaction,
  { merchantId, linkId, now, since, least, most, visitor: { network, wideNetwork } }: OpenOf,
): Promise<OpenCounts> {
  const [row] = await tx<OpenCounts[]>`
    select count(*) filter (where near)::int as all,
      count(*) filter (where near and network = ${network})::int as network,
      count(*) filter (where near and wide_network = ${wideNetwork})::int as wide_network,
      count(*) filter (where held and network = ${network})::int as network_pieces,
      count(*) filter (where held and wide_network = ${wideNetwork})::int as wide_network_pieces,
      count(*) filter (where of_link and network = ${network})::int as network_opened
    from (
      select u.network, u.wide_network, o.amount_paise between ${least} and ${most} as near,
        u.link_id = ${linkId} as of_link, u.link_id = ${linkId} and o.expires_at > ${now} as held
      from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
      where u.merchant_id = ${merchantId} and u.link_id is not null and u.created_at > ${since} and o.status = 'pending'
    ) as open`;
  return row!;
}

export async function selectOpenOfBrowser(
  sql: Queryable,
  asked: { merchantId: number; linkId: string; browser: Buffer; amount: Paise; now: Date },
): Promise<string | null> {
  const { merchantId, linkId, browser, amount, now } = asked;
  return await sql<{ pay_token: string }[]>`
    select o.pay_token
    from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
    where u.merchant_id = ${merchantId} and u.link_id = ${linkId} and u.created_at > ${later(now, -payableTime)}
      and u.visitor = ${browser} and o.status = 'pending' and o.expires_at > ${now} and o.amount_paise = ${amount}
    order by o.expires_at desc limit 1`.value();
}

/** The link of an order that was just paid, if it has a limited stock. `count_piece` has locked it. */
export async function selectStock(tx: Transaction, merchantId: number, orderId: string) {
  return await tx<{ link_id: string; title: string; stock: number; paid_pieces: number }[]>`
    select l.link_id, l.title, l.stock, l.paid_pieces
    from order_purposes u join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    where u.merchant_id = ${merchantId} and u.order_id = ${orderId} and l.stock is not null`.first();
}

/** The last order paid before this one, or null if all of them are deleted. */
export async function selectOtherBuyer(
  tx: Transaction,
  { merchantId, linkId, orderId }: { merchantId: number; linkId: string; orderId: string },
): Promise<string | null> {
  return await tx<{ order_id: string }[]>`
    select o.order_id
    from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
    where u.merchant_id = ${merchantId} and u.link_id = ${linkId} and o.status = 'paid' and o.order_id <> ${orderId}
    order by o.paid_at desc, o.order_id limit 1`.value();
}

type Oversold = {
  merchant_id: number;
  order_id: string;
  other_order_id: string;
  title: string;
  stock: number;
  noted_at: Date;
};

export async function insertOversold(tx: Transaction, row: Oversold): Promise<void> {
  await tx`insert into oversold_links ${tx(row)}`;
}

/** `held`: nothing is left just now, but somebody is still paying for the last piece. */
export type LinkState = 'open' | 'paused' | 'ended' | 'sold_out' | 'held' | 'withdrawn';
/** A halted shop hides every other state. */
export type ShownState = LinkState | 'halted';

type StateFacts = 'withdrawn_at' | 'paused_at' | 'ends_at' | 'stock' | 'sold' | 'paid_pieces';

/** Whether a link can be paid now. "Sold" counts paid pieces and those that somebody is paying right now. */
export function linkState(
  { withdrawn_at, paused_at, ends_at, stock, sold, paid_pieces }: Pick<PaymentLink, StateFacts>,
  now: Date,
): LinkState {
  if (withdrawn_at !== null) return 'withdrawn';
  if (ends_at !== null && ends_at <= now) return 'ended';
  if (stock !== null && paid_pieces >= stock) return 'sold_out';
  if (paused_at !== null) return 'paused';
  return stock !== null && sold >= stock ? 'held' : 'open';
}
