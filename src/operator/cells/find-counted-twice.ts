import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';

/** An alert that settled something, with the facts that a second mail about the credit would share. */
type Settled = {
  merchant_id: number;
  alert_id: string;
  signatures: string[];
  bank: string | null;
  reference: string | null;
  digits: string | null;
};

const atOnce = 1000;

/**
 * R2 over cells: finds credits that settled something in two cells, as lines. Each cell counts alone. `waits_two_cells`
 * and `waits_shared_account` prevent most cases; this finds the rest. A credit that one shop only kept gave nobody
 * goods or money twice. A business is not compared with its own moved or deleted copy.
 */
export async function findCountedTwice({ cells }: Pick<World, 'cells'>): Promise<string[]> {
  const lines: string[] = [];
  for (const one of cells?.worlds.slice(0, -1) ?? []) {
    const later = cells!.worlds.filter(other => other.cell! > one.cell!);
    for (let last: Settled | undefined, isDone = false; !isDone; ) {
      const some = await selectSettled(one.sql, last);
      for (const other of later)
        for (const twice of await selectTwice(other.sql, some))
          lines.push(
            `alert ${twice.alert_id} of business ${twice.merchant_id} in cell ${one.cell} and alert ${twice.other_alert} of business ${twice.other_business} in cell ${other.cell} settled one credit`,
          );
      last = some.at(-1);
      isDone = some.length < atOnce;
    }
  }
  return lines;
}

async function selectSettled(sql: Queryable, after: Settled | undefined): Promise<Settled[]> {
  return await sql<Settled[]>`
    select a.merchant_id, a.alert_id, array_remove(a.signature_id || a.other_signature_ids, null) as signatures, a.bank,
      counted_reference(a.bank_reference) as reference, credited_digits(a.merchant_id, a.bank, coalesce((
        select u.account_digits from orders o
          join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
        where o.merchant_id = a.merchant_id and o.order_id = a.order_id), a.account_digits)) as digits
    from alerts a
    where (a.merchant_id, a.alert_id) > (${after?.merchant_id ?? 0}, ${after?.alert_id ?? ''})
      and (a.verdict = 'paid' or exists (select from handled_credits h
        where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and h.state <> 'kept'
          and has_settled(h.state, h.done_by)))
    order by a.merchant_id, a.alert_id limit ${atOnce}`;
}

type Twice = { merchant_id: number; alert_id: string; other_business: number; other_alert: string };

async function selectTwice(sql: Queryable, settled: readonly Settled[]): Promise<Twice[]> {
  return await sql<Twice[]>`
    with one as (select * from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb)
      as s (merchant_id bigint, alert_id text, signatures jsonb, bank text, reference text, digits text))
    select twice.* from (
    select distinct one.merchant_id, one.alert_id, c.merchant_id as other_business, c.alert_id as other_alert
    from one cross join jsonb_array_elements_text(one.signatures) as signature
      join counted_signatures c on c.signature_id = signature
    where c.settled and c.merchant_id not in (0, one.merchant_id)
    union
    select one.merchant_id, one.alert_id, r.merchant_id, r.alert_id
    from one join settled_references r on r.bank_reference = one.reference and r.bank = one.bank
    where r.merchant_id <> one.merchant_id and same_account(r.digits, one.digits)) twice
    where not exists (select from handled_credits h
      where h.merchant_id = other_business and h.alert_id = other_alert and h.state = 'kept')`;
}
