import type { Queryable } from '../../../base/database/connect.ts';

export type TakenKind = 'person' | 'alert_address';
export type Taken = { kind: TakenKind; name: string; merchant_id: number; since: Date };

/** Runs in cell 0. Returns true if the name belongs to this business, now or already before. */
export async function upsertTaken(
  sql: Queryable,
  { kind, name, merchant_id, since }: Taken,
): Promise<boolean> {
  return await sql`
    insert into taken as t (kind, name, merchant_id, since) values (${kind}, lower(${name}), ${merchant_id}, ${since})
    on conflict (kind, name) do update set since = excluded.since where t.merchant_id = excluded.merchant_id
    returning name`.some();
}

export async function selectTaken(sql: Queryable, kind: TakenKind, name: string): Promise<Taken | null> {
  return await sql<Taken[]>`select * from taken where kind = ${kind} and name = lower(${name})`.first();
}

export async function listTaken(sql: Queryable, after: Taken | null, before: Date): Promise<Taken[]> {
  return await sql<Taken[]>`
    select * from taken where since <= ${before} and (kind, name) > (${after?.kind ?? ''}, ${after?.name ?? ''})
    order by kind, name limit 500`;
}

export async function deleteTaken(sql: Queryable, { kind, name, merchant_id, since }: Taken): Promise<void> {
  await sql`
    delete from taken where kind = ${kind} and name = ${name} and merchant_id = ${merchant_id} and since = ${since}`;
}

/** Runs in the business's own cell. Returns claims without a row there. */
export async function selectDead(sql: Queryable, taken: readonly Taken[]): Promise<Taken[]> {
  const dead = await sql<{ place: number }[]>`
    select (t.place - 1)::int as place,
      (select stop_if_moved(m.moved_at) from merchants m where m.merchant_id = t.merchant_id and m.left_at is null)
    from unnest(${taken.map(one => one.kind)}::text[], ${taken.map(one => one.name)}::text[],
      ${taken.map(one => one.merchant_id)}::bigint[]) with ordinality as t (kind, name, merchant_id, place)
    where not exists (select from users u
        where t.kind = 'person' and lower(u.email) = t.name and u.merchant_id = t.merchant_id)
      and not exists (select from mailboxes m
        where t.kind = 'alert_address' and lower(m.address) = t.name and m.merchant_id = t.merchant_id)
      and not exists (select from extra_alert_addresses e
        where t.kind = 'alert_address' and e.merchant_id = t.merchant_id and lower(e.address) = t.name
          and e.confirmed_at is not null)`;
  return dead.map(({ place }) => taken[place]!);
}

export async function forgetMerchant(sql: Queryable, merchantId: number): Promise<void> {
  await sql`delete from taken where merchant_id = ${merchantId}`;
}

export async function selectNames(sql: Queryable): Promise<Omit<Taken, 'since'>[]> {
  return await sql<Omit<Taken, 'since'>[]>`
    select n.* from (
      select 'person' as kind, lower(email) as name, merchant_id from users
      union all select 'alert_address', lower(address), merchant_id from mailboxes
      union all select 'alert_address', lower(address), merchant_id from extra_alert_addresses where confirmed_at is not null) n
    join merchants m on m.merchant_id = n.merchant_id where m.moved_at is null and m.merchant_id > 0`;
}

/** Runs in cell 0. Repeating it changes nothing. */
export async function insertTaken(
  sql: Queryable,
  names: readonly Omit<Taken, 'since'>[],
  now: Date,
): Promise<void> {
  await sql`
    insert into taken (kind, name, merchant_id, since)
    select kind, name, merchant_id, ${now} from unnest(${names.map(one => one.kind)}::text[],
      ${names.map(one => one.name)}::text[], ${names.map(one => one.merchant_id)}::bigint[]) as t (kind, name, merchant_id)
    on conflict do nothing`;
}
