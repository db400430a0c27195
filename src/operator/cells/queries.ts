import { later } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { removeAllOf } from '../../business/accounts/remove-businesses.ts';
import { holdFile } from '../moving/queries.ts';
import { ways, whyLeftOut } from '../moving/tables.ts';
import { tablesInOrder } from '../moving/write-business.ts';

/** The cell that a business was moved to, in cell 0; undefined while its range says where it is. */
export async function selectPlace(home: Queryable, merchantId: number): Promise<number | undefined> {
  const [row] = await home<{ cell: number }[]>`
    select cell from placed where merchant_id = ${merchantId} and last_id is null`;
  return row?.cell;
}

export async function selectPlaces(home: Queryable): Promise<Map<number, number>> {
  const rows = await home<{ merchant_id: number; cell: number }[]>`
    select merchant_id, cell from placed where last_id is null`;
  return new Map(rows.map(({ merchant_id, cell }) => [merchant_id, cell]));
}

type Placing = { merchantId: number; from: number; to: number; now: Date };

/** The word by which a business is where it is, in cell 0. Each one who places it, or opens it, says another. */
export async function placedSince(
  home: Queryable,
  { merchantId, from, now }: Omit<Placing, 'to'>,
): Promise<Date | null> {
  const [row] = await home<{ since: Date }[]>`
    insert into placed as p (merchant_id, cell, since) values (${merchantId}, ${from}, ${now})
    on conflict (merchant_id) do update set cell = p.cell where p.last_id is null and p.cell = ${from}
    returning since`;
  return row?.since ?? null;
}

/** The switch. False when it is not where it was any more, or somebody has opened it there since that word. */
export async function place(home: Queryable, placing: Placing, word?: Date): Promise<boolean> {
  const { merchantId, from, to, now } = placing;
  const since = word ?? (await placedSince(home, placing));
  if (since === null) return false;
  const rows = await home`
    update placed set cell = ${to}, since = ${now > since ? now : later(since, 1)}
    where merchant_id = ${merchantId} and last_id is null and cell = ${from} and since = ${since}
    returning 1`;
  return rows.length === 1;
}

/** What travels with a business, and what it takes on the disk. */
export async function countRows(
  sql: World['sql'],
  merchantId: number,
): Promise<{ rows: number; bytes: number; largest: { table: string; rows: number }[] }> {
  const counts = tablesInOrder
    .filter(table => whyLeftOut(ways[table], 'inside') === null)
    .map(
      table =>
        `select '${table}' as "table", count(*) as rows, coalesce(sum(pg_column_size(t)), 0)::bigint as bytes
         from ${table} t where merchant_id = $1`,
    );
  return await sql.begin(
    async tx => {
      await tx.unsafe('set local statement_timeout = 0');
      const found = (await tx.unsafe(`${counts.join(' union all ')} order by rows desc`, [merchantId])) as {
        table: string;
        rows: number;
        bytes: number;
      }[];
      const sum = (key: 'rows' | 'bytes') => found.reduce((all, row) => all + row[key], 0);
      return {
        rows: sum('rows'),
        bytes: sum('bytes'),
        largest: found.slice(0, 4).filter(one => one.rows > 0),
      };
    },
    { patient: true },
  );
}

/** Those that stand still here and have not left the installation. */
export async function selectHeld(
  sql: Queryable,
): Promise<{ merchant_id: number; moved_at: Date; is_going: boolean }[]> {
  return await sql<{ merchant_id: number; moved_at: Date; is_going: boolean }[]>`
    select merchant_id, moved_at, removal_began_at is not null as is_going from merchants where moved_at is not null and left_at is null order by moved_at`;
}

/**
 * A copy of a business that lives elsewhere, as it was seen to stand still; false when it is another one by now. What it
 * settled is known in cell 0 (R2). One at a time, and nobody copies it here meanwhile.
 */
export async function removeHere(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  movedAt: Date | null,
): Promise<boolean> {
  return await sql.begin(
    async held => {
      await held.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
      if (!(await holdFile(held, merchantId)))
        throw new StartError(`what is left of business ${merchantId} is being removed: try again`);
      const isSeen = await sql.begin(
        async tx => {
          await tx`set local statement_timeout = 0`;
          // Another moment than any move's: whoever goes on with one finds that this is no whole copy any more.
          const marked = await tx`
            update merchants set removal_began_at = coalesce(removal_began_at, moved_at), moved_at = to_timestamp(0)
            where merchant_id = ${merchantId} and moved_at = ${movedAt} and left_at is null returning 1`;
          // Whoever else has the mail counts it from now on; what this one settled is known by its claim.
          if (marked.length === 1)
            await tx`
              update counted_signatures set merchant_id = 0, alert_id = '', settled = false
              where merchant_id = ${merchantId}`;
          return marked.length === 1;
        },
        { patient: true },
      );
      return isSeen && (await removeAllOf(sql, merchantId));
    },
    { patient: true },
  );
}

type CellFigures = { businesses: number; orders_a_day: number; bytes: number };

/** Those that were moved away are not counted. */
export async function selectFigures(sql: Queryable, now: Date): Promise<CellFigures> {
  const [row] = await sql<CellFigures[]>`
    select (select count(*) from merchants where moved_at is null) as businesses,
      (select coalesce(sum(made.count), 0)::bigint from merchants m cross join lateral (
        select count(*) as count from orders o
        where o.merchant_id = m.merchant_id and o.created_at > ${now}::timestamptz - interval '1 day') made
        where m.moved_at is null) as orders_a_day,
      pg_database_size(current_database())::bigint as bytes`;
  return row!;
}

/** Ids up to `last` that are of another cell than an older file says. */
export type Range = { from: number; last: number; cell: number };

export async function selectRanges(sql: Queryable): Promise<Range[]> {
  return await sql<Range[]>`
    select merchant_id as from, last_id as last, cell from placed where last_id is not null order by merchant_id`;
}

export async function writeRanges(tx: Transaction, ranges: readonly Range[], now: Date): Promise<void> {
  await tx`delete from placed where last_id is not null`;
  for (const { from, last, cell } of ranges)
    await tx`insert into placed (merchant_id, last_id, cell, since) values (${from}, ${last}, ${cell}, ${now})`;
}

/** Nobody makes a business meanwhile. */
export async function lockMerchants(tx: Transaction): Promise<void> {
  await tx`set local lock_timeout = '5s'`;
  await tx`lock table merchants in share row exclusive mode`;
}

export async function selectIds(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ merchant_id: number }[]>`select merchant_id from merchants where merchant_id > 0`;
  return rows.map(({ merchant_id }) => merchant_id);
}

export async function selectOpen(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where moved_at is null and merchant_id > 0`;
  return rows.map(({ merchant_id }) => merchant_id);
}

/** No other database, on whatever way it is reached, says the same. */
export async function selectIdentity(sql: Queryable): Promise<string> {
  const [row] = await sql<{ identity: string }[]>`
    select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid, current_schema()) as identity
    from pg_database where datname = current_database()`;
  return row!.identity;
}

/** A copy of what cell 0 has, for whoever starts while that is away. */
export async function writePlaces(
  tx: Transaction,
  places: ReadonlyMap<number, number>,
  now: Date,
): Promise<void> {
  await tx`delete from placed where last_id is null`;
  await tx`
    insert into placed (merchant_id, cell, since)
    select merchant_id, cell, ${now} from unnest(${[...places.keys()]}::bigint[], ${[...places.values()]}::int[]) as p (merchant_id, cell)`;
}

/** What this cell has seen in DNS, so that a paid mail which moves can be checked in its new cell too. */
export async function copyBankKeys(from: Queryable, to: Queryable): Promise<void> {
  const keys = await from<
    { keys: string }[]
  >`select coalesce(jsonb_agg(k), '[]')::text as keys from dkim_keys k`;
  await to`
    insert into dkim_keys as k select * from jsonb_populate_recordset(null::dkim_keys, ${keys[0]!.keys}::jsonb)
    on conflict (name, record) do update set first_seen = least(k.first_seen, excluded.first_seen),
      last_seen = greatest(k.last_seen, excluded.last_seen)`;
}
