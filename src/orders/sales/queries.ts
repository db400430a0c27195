import { addDuration } from '../../base/database/add-duration.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Language } from '../../texts/language-tags.ts';
import type { OrderStatus } from '../schemas.ts';
import { statusAt } from '../sql-fragments.ts';
import type { PeriodRow } from './compute-period.ts';

type Title = Record<Language, string>;

export type Party = { name: string; address: string | null; gstin: string | null };

export type Receipt = {
  number: number;
  seller: Party;
  buyer: Party;
  received_paise: number;
  paid_at: string;
  bank_reference: string | null;
};

export type Bought = { plan: string; title: Title; price_paise: number; days: number; carried_days: number };

export type Sale = Bought & {
  merchant_id: number;
  order_id: string;
  buyer_id: number;
  buyer: Party;
  after_changes: number;
  made_by: string;
  created_at: Date;
};

/** The business that sells plans, while it can take an order. */
export async function selectSeller(sql: Queryable): Promise<{ merchant_id: number; name: string } | null> {
  return await sql<{ merchant_id: number; name: string }[]>`
    select merchant_id, name from merchants
    where sells_plans and disabled_at is null and deletion_requested_at is null and moved_at is null`.first();
}

export async function selectParty(sql: Queryable, merchantId: number): Promise<Party | null> {
  return await sql<Party[]>`
    select name, receipt_address as address, gstin from merchants where merchant_id = ${merchantId}`.first();
}

export async function writeParty(
  sql: Queryable,
  merchantId: number,
  { address, gstin }: Omit<Party, 'name'>,
): Promise<void> {
  await sql`update merchants set receipt_address = ${address}, gstin = ${gstin} where merchant_id = ${merchantId}`;
}

export async function insertSale(tx: Transaction, { buyer, title, ...sale }: Sale): Promise<void> {
  await tx`insert into sales ${tx({ ...sale, buyer: tx.json(buyer), title: tx.json(title) })}`;
}

/** The order for the same offer that the buyer has open or paid, so that pressing twice creates one. */
export async function selectOpenSale(
  tx: Transaction,
  sale: Omit<Sale, 'order_id' | 'created_at'>,
  now: Date,
) {
  return await tx<{ pay_token: string }[]>`
    select o.pay_token from sales s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
    where s.buyer_id = ${sale.buyer_id} and s.merchant_id = ${sale.merchant_id} and s.plan = ${sale.plan}
      and s.price_paise = ${sale.price_paise} and s.days = ${sale.days} and s.applied_at is null
      -- An order that is paid, or whose money a person checks, is not paid again, whatever its days were.
      and (${statusAt(tx, now)} in ('manual_review', 'paid') or ${statusAt(tx, now)} = 'pending'
        and s.carried_days = ${sale.carried_days} and s.after_changes = ${sale.after_changes})
    order by s.created_at desc limit 1`.value();
}

export type PaidSale = Sale & {
  receipt_number: number | null;
  seller: Party | null;
  received_paise: number;
  paid_at: Date;
  bank_reference: string | null;
};

/** A sale is paid when its order is. Its facts are the order's, which R4 keeps unchanged. */
export async function selectPaidSales(
  sql: Queryable,
  most: number,
  { without }: { without: ReadonlySet<number> },
): Promise<PaidSale[]> {
  return await sql<PaidSale[]>`
    select s.merchant_id, s.order_id, s.buyer_id, s.buyer, s.plan, s.title, s.price_paise, s.days, s.carried_days,
      s.after_changes, s.made_by, s.created_at, s.receipt_number, s.seller,
      o.received_paise, o.paid_at, o.bank_reference
    from sales s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
    where s.applied_at is null and o.status = 'paid' and s.buyer_id <> all (${[...without]}::bigint[])
      -- Without its plan or buyer it has its receipt, and waits for an operator or for the end of the buyer's move.
      and (s.receipt_number is null or (exists (select from plans p where p.plan = s.plan)
        and exists (select from merchants b
          where b.merchant_id = s.buyer_id and b.removal_began_at is null and b.moved_at is null)))
    order by o.paid_at limit ${most}`;
}

/** The caller holds the seller's lock, so numbers have no gaps. */
export async function numberSale(tx: Transaction, sale: PaidSale, seller: Party) {
  const [row] = await tx<{ receipt_number: number; seller: Party }[]>`
    update sales s set seller = coalesce(s.seller, ${tx.json(seller)}::jsonb), received_paise = ${sale.received_paise},
      paid_at = ${sale.paid_at}, bank_reference = ${sale.bank_reference},
      receipt_number = coalesce(s.receipt_number, (select coalesce(max(n.receipt_number), 0) + 1 from sales n
        where n.merchant_id = s.merchant_id))
    where s.merchant_id = ${sale.merchant_id} and s.order_id = ${sale.order_id}
    returning s.receipt_number, s.seller`;
  return row!;
}

export async function markApplied(sql: Queryable, { merchant_id, order_id }: PaidSale, now: Date) {
  await sql`
    update sales set applied_at = ${now}
    where merchant_id = ${merchant_id} and order_id = ${order_id} and applied_at is null`;
}

export type PlanPeriod = PeriodRow &
  Bought & {
    begun_at: Date | null;
    told: number;
    is_over: boolean;
    receipt: Receipt;
  };

/**
 * Reads `terms t`. A plan can be renewed for a week after its last day, unless an operator ended it. This grace comes
 * once in 90 days, or each further purchase after it would give 37 days for the price of 30.
 */
function lapsesAt(sql: Queryable) {
  return sql`(t.ends_at + case when t.ended_by is not null or exists (
    select from terms p where p.merchant_id = t.merchant_id and p.ended_by is null and p.ends_at < t.starts_at
      and p.ends_at > t.ends_at - interval '2160 hours'
      and not exists (select from terms n
        where n.merchant_id = p.merchant_id and n.starts_at <= p.ends_at and n.ends_at > p.ends_at))
    then interval '0' else interval '168 hours' end)`;
}

export async function selectPeriods(sql: Queryable, merchantId: number, { all = false } = {}) {
  return await sql<PlanPeriod[]>`
    select order_id, plan, title, price_paise, days, carried_days, starts_at, ends_at, begun_at, ended_by, told, is_over,
      receipt, ${lapsesAt(sql)} as lapses_at
    from terms t where merchant_id = ${merchantId} ${all ? sql`` : sql`and not is_over`}
    order by starts_at, ends_at, order_id`;
}

/** How often a business's periods changed other than by time. Days that were shown stay promised until this changes. */
export async function countChanges(sql: Queryable, merchantId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (count(*) + count(*) filter (where ended_by = 'operator'))::int as count
    from terms where merchant_id = ${merchantId}`;
  return row!.count;
}

export async function hasPeriod(tx: Transaction, merchantId: number, orderId: string): Promise<boolean> {
  return await tx`select from terms where merchant_id = ${merchantId} and order_id = ${orderId}`.some();
}

type NewPeriod = Bought & {
  merchant_id: number;
  order_id: string;
  starts_at: Date;
  ends_at: Date;
  begun_at: Date | null;
  receipt: Receipt;
  created_at: Date;
};

export async function insertPeriod(tx: Transaction, { title, receipt, ...period }: NewPeriod): Promise<void> {
  await tx`insert into terms ${tx({ ...period, title: tx.json(title), receipt: tx.json(receipt) })}`;
}

/** Ends a period now, or before it began: another takes its days. An operator's end stays, because changes count it. */
export async function takePeriod(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  by: string,
  now: Date,
) {
  await tx`
    update terms set starts_at = least(starts_at, ${now}), ends_at = ${now}, ended_by = coalesce(ended_by, ${by}), is_over = true
    where merchant_id = ${merchantId} and order_id = ${orderId}`;
}

export async function movePeriod(tx: Transaction, merchantId: number, orderId: string, milliseconds: number) {
  const by = `${milliseconds} milliseconds`;
  await tx`
    update terms set starts_at = ${addDuration(tx, tx`starts_at`, by)}, ends_at = ${addDuration(tx, tx`ends_at`, by)}
    where merchant_id = ${merchantId} and order_id = ${orderId}`;
}

export async function cutPeriod(tx: Transaction, merchantId: number, orderId: string, endsAt: Date) {
  await tx`
    update terms set ends_at = ${endsAt}, ended_by = 'operator', told = 0,
      is_over = begun_at is null and starts_at = ${endsAt}
    where merchant_id = ${merchantId} and order_id = ${orderId}`;
}

export async function markPeriod(
  tx: Transaction,
  merchantId: number,
  { order_id, begun_at, told, is_over }: Pick<PlanPeriod, 'order_id' | 'begun_at' | 'told' | 'is_over'>,
): Promise<void> {
  await tx`
    update terms set begun_at = ${begun_at}, told = ${told}, is_over = ${is_over}
    where merchant_id = ${merchantId} and order_id = ${order_id}`;
}

/** Businesses with a period that begins, that is over, or whose end is to be announced. */
export async function selectDuePeriods(
  sql: Queryable,
  now: Date,
  { most, after }: { most: number; after: number },
): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select distinct merchant_id from terms t join merchants m using (merchant_id)
    where not is_over and m.moved_at is null and merchant_id > ${after} and (
      (begun_at is null and starts_at <= ${now})
      or (told < 1 and ends_at <= ${now}::timestamptz + interval '7 days')
      or (told < 2 and ends_at <= ${now}::timestamptz + interval '1 day')
      or (told < 3 and ends_at <= ${now})
      or (ends_at <= ${now} and ${lapsesAt(sql)} <= ${now}))
    order by merchant_id limit ${most}`.column();
}

export async function selectPlanOf(tx: Transaction, merchantId: number): Promise<string | null> {
  return await tx<{ plan: string }[]>`select plan from merchants where merchant_id = ${merchantId}`.value();
}

export type OpenSale = Omit<Bought, 'carried_days'> & { status: OrderStatus; pay_token: string };

/** A purchase that a business is about to make, or has paid for and waits for. */
export async function selectOpenSales(sql: Queryable, buyerId: number, now: Date): Promise<OpenSale[]> {
  return await sql<OpenSale[]>`
    select s.plan, s.title, s.price_paise, s.days, ${statusAt(sql, now)} as status, o.pay_token
    from sales s join orders o on o.merchant_id = s.merchant_id and o.order_id = s.order_id
    where s.buyer_id = ${buyerId} and s.applied_at is null and ${statusAt(sql, now)} in ('pending', 'manual_review', 'paid')
    order by s.created_at desc limit 10`;
}
