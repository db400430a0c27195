import type { Queryable } from '../../base/database/connect.ts';

/** Businesses whose team has or, by the audit log, had this person. `role` is null for a removed member. */
export async function selectMembership(sql: Queryable, email: string) {
  return await sql<{ merchant_id: number; role: string | null }[]>`
    select merchant_id, max(role) as role from (
      select merchant_id, role from users where lower(email) = lower(${email})
      union all
      select merchant_id, null from audit_log where lower(actor) in (lower(${email}), 'operator ' || lower(${email}))
        and (merchant_id = 0 or actor not like 'operator %')) as found
    group by 1 order by 1`;
}

/** A person's audit entries since a moment, also those of an operator in a business's log. */
export async function selectEntriesOf(sql: Queryable, email: string, since: Date) {
  return await sql<
    { merchant_id: number; action: string; count: number; first: Date; last: Date; addresses: string[] }[]
  >`
    select merchant_id, action, count(*) as count, min(at) as first, max(at) as last,
      array_agg(distinct address order by address) as addresses
    from audit_log where lower(actor) in (lower(${email}), 'operator ' || lower(${email})) and at >= ${since}
    group by 1, 2 order by 1, 4, 2`;
}

export async function selectKeyScope(sql: Queryable, keyId: string, since: Date) {
  const [key] = await sql<
    { merchant_id: number; name: string; revoked_at: Date | null; last_used_at: Date | null }[]
  >`select merchant_id, name, revoked_at, last_used_at from api_keys where key_id = ${keyId}`;
  if (!key) return [];
  const days = await sql<{ day: string; reads: number }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, reads from key_reads
    where merchant_id = ${key.merchant_id} and key_id = ${keyId} and day >= (${since}::timestamptz at time zone 'Asia/Kolkata')::date
    order by key_reads.day`;
  return [{ ...key, days }];
}

export async function selectProcess(sql: Queryable, process: string) {
  return await sql<{ version: string; told_at: Date }[]>`
    select version, told_at from processes where process = ${process}`;
}

export type Persons = {
  merchant_id: number;
  name: string;
  customers: number;
  payers: number;
  people: number;
  archived: number;
};

/** Counts persons in these businesses, or all. Two addresses count twice: this is an upper bound. */
export async function selectPersons(
  sql: Queryable,
  merchantIds: readonly number[] | null,
): Promise<Persons[]> {
  return await sql<Persons[]>`
    select m.merchant_id, m.name,
      (select count(distinct coalesce(nullif(lower(o.customer ->> 'email'), ''), nullif(o.customer ->> 'phone', ''),
        nullif(lower(o.customer ->> 'name'), ''))) from orders o where o.merchant_id = m.merchant_id) as customers,
      (select count(distinct lower(a.payer)) from alerts a where a.merchant_id = m.merchant_id) as payers,
      (select count(*) from users u where u.merchant_id = m.merchant_id) as people,
      (select coalesce(sum(r.orders), 0)::bigint from order_archives r where r.merchant_id = m.merchant_id) as archived
    from merchants m
    where ${merchantIds === null} or m.merchant_id = any (${merchantIds === null ? [] : [...merchantIds]}::bigint[])
    order by m.merchant_id`;
}
