import type { Queryable, Transaction } from '../../../base/database/connect.ts';

type Note = { written_at: Date; author: string; note: string };
const mostNotes = 100;

export async function selectNotes(sql: Queryable, merchantId: number): Promise<Note[]> {
  return await sql<Note[]>`
    select written_at, author, note from business_notes where merchant_id = ${merchantId}
    order by note_id desc limit ${mostNotes}`;
}

export async function insertNote(tx: Transaction, row: Note & { merchant_id: number }): Promise<void> {
  await tx`insert into business_notes ${tx(row)}`;
}

export type Hit = {
  merchant_id: number;
  name: string;
  kind: 'order' | 'shop_order' | 'reference' | 'vpa' | 'page' | 'link';
};
const mostHits = 50;

/**
 * Finds the business and the kind of hit, and never returns the content. Each business is searched separately, because
 * every index of these tables begins with it. A further index would make every order more expensive to write.
 */
export async function selectHits(sql: Queryable, text: string, reference: string): Promise<Hit[]> {
  return await sql<Hit[]>`
    select m.merchant_id, m.name, hit.kind from merchants m cross join lateral (
      select 'order' as kind from orders o where o.merchant_id = m.merchant_id and o.order_id = ${text}
      union all select 'shop_order' from orders o
        where o.merchant_id = m.merchant_id and o.merchant_order_id = ${text} and not o.id_released
      union all select 'reference' where exists (select from counted_references r
          where r.merchant_id = m.merchant_id and r.bank_reference = ${reference})
        or exists (select from claimed_references r where r.merchant_id = m.merchant_id and r.bank_reference = ${reference})
      union all select 'vpa' where exists (select from upi_accounts u
        where u.merchant_id = m.merchant_id and lower(u.vpa) = lower(${text}))
    ) as hit
    order by m.created_at desc, m.merchant_id, hit.kind limit ${mostHits}`;
}

/** Searches the address of a payment page or a permanent link; its token names the business. */
export async function selectLinkHit(sql: Queryable, merchantId: number, token: string): Promise<Hit[]> {
  return await sql<Hit[]>`
    select m.merchant_id, m.name, hit.kind from merchants m cross join lateral (
      select 'page' as kind from orders o where o.merchant_id = m.merchant_id and o.pay_token = ${token}
      union all select 'link' from payment_links l where l.merchant_id = m.merchant_id and l.token = ${token}) as hit
    where m.merchant_id = ${merchantId}`;
}
