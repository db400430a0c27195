import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { erasedPrefix } from '../../payments/matching/erased-references.ts';
import { columnsLeftOut, type Kind, type Way, ways, whyLeftOut } from './tables.ts';

/** Locks the business, so that two moves or undos at the same time run one after the other. */
export async function lockForMove(tx: Transaction, merchantId: number) {
  return await tx<{ name: string; moved_at: Date | null; deletion_requested_at: Date | null }[]>`
    select name, moved_at, deletion_requested_at from merchants where merchant_id = ${merchantId} for update`.first();
}

/** Keeps the first moment if it runs again. */
export async function setMoved(tx: Transaction, merchantId: number, kind: Kind, now: Date): Promise<void> {
  await tx`
    update merchants set moved_at = coalesce(moved_at, ${now}),
      left_at = case when ${kind === 'leaving'} then coalesce(left_at, ${now}) else left_at end
    where merchant_id = ${merchantId}`;
}

export async function unsetMoved(tx: Transaction, merchantId: number): Promise<void> {
  await tx`update merchants set moved_at = null, left_at = null where merchant_id = ${merchantId}`;
}

/** Other sessions' open transactions, each by an id that is never used again. pg_dump only reads, so it is left out. */
export async function selectOpenTransactions(sql: Queryable): Promise<{ id: string; who: string }[]> {
  return await sql<{ id: string; who: string }[]>`
    select l.virtualxid as id, a.application_name as who
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_backend_pid() and a.datname = current_database()
      and coalesce(a.backend_type, 'client backend') = 'client backend' and a.application_name <> 'pg_dump'`;
}

/** Rows that wait for a worker, in the tables that travel. */
function waiting(kind: Kind): { table: string; due: string; where: string; isSent: boolean }[] {
  return Object.entries(ways).flatMap(([table, way]: [string, Way]) =>
    way.due === undefined || whyLeftOut(way, kind) !== null || columnsLeftOut(way, kind).includes(way.due)
      ? []
      : [
          {
            table,
            due: way.due,
            where: kind === 'leaving' && way.leavesWhere ? `and ${way.leavesWhere}` : '',
            isSent: table !== 'alerts' && way.without !== undefined,
          },
        ],
  );
}

/**
 * Makes nothing of the business due, and keeps judges that work on its mails from storing anything. A delivery in
 * progress is left to its sender. Returns how many there are.
 */
export async function park(tx: Transaction, merchantId: number, kind: Kind, now: Date): Promise<number> {
  for (const { table, due, where, isSent } of waiting(kind)) {
    const free =
      table === 'delivery_queue'
        ? `and not exists (select from deliveries_in_hand h where h.merchant_id = t.merchant_id and h.event_id = t.event_id)`
        : isSent
          ? `and (t.leased_until is null or t.leased_until <= $2)`
          : 'and $2::timestamptz is not null';
    const claim = table === 'delivery_queue' ? '' : `, claim = 'moved', leased_until = null`;
    await tx.unsafe(
      `update ${table} t set ${due} = 'infinity'${claim} where merchant_id = $1 and ${due} < 'infinity' ${where} ${free}`,
      table === 'delivery_queue' ? [merchantId] : [merchantId, now],
    );
  }
  // A new fencing token: the mailbox's watcher has lost its lease and writes nothing.
  const [drawn] = await tx<{ fence: number }[]>`select nextval('mailbox_fences') as fence`;
  await tx`
    update mailbox_leases set holder = null, leased_until = '-infinity', fence = ${drawn!.fence}
    where merchant_id = ${merchantId} and holder is not null`;
  await tx`delete from deliveries_in_hand where merchant_id = ${merchantId} and leased_until <= ${now}`;
  const left = waiting(kind).map(
    ({ table, due, where }) =>
      `select count(*) as count from ${table} where merchant_id = $1 and ${due} < 'infinity' ${where}`,
  );
  left.push('select count(*) from deliveries_in_hand where merchant_id = $1');
  const [row] = await tx.unsafe(`select sum(count)::int as count from (${left.join(' union all ')}) c`, [
    merchantId,
  ]);
  return row?.['count'] ?? 0;
}

/** Makes all waiting rows due at once, as after a crash. */
export async function unpark(tx: Transaction, merchantId: number, kind: Kind, now: Date): Promise<void> {
  for (const { table, due } of waiting(kind))
    await tx.unsafe(`update ${table} set ${due} = $2 where merchant_id = $1 and ${due} = 'infinity'`, [
      merchantId,
      now,
    ]);
  // These rows depend on one installation's plans and limits, so the business begins without them.
  if (kind === 'leaving')
    await tx`update history_progress set kept_days = null, window_days = null, shrank_at = null,
      early = '{}', early_since = null, early_at = null where merchant_id = ${merchantId}`;
}

/** The key columns of a table's rows within one business, in the index's order. */
export async function selectKey(sql: Queryable, table: string): Promise<{ name: string; type: string }[]> {
  return await sql<{ name: string; type: string }[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary and a.attname <> 'merchant_id'
    order by array_position(i.indkey::int2[], a.attnum)`;
}

type Piece = {
  table: string;
  key: readonly { name: string; type: string }[];
  after: readonly string[] | null;
  without: readonly string[];
  where: string | undefined;
  bytes: string | undefined;
  limit: number;
};

export type Line = { line: string; key: string[]; bytes?: Buffer | null };

export async function selectPiece(
  sql: Queryable,
  merchantId: number,
  { table, key, after, without, where, bytes, limit }: Piece,
): Promise<Line[]> {
  const names = key.map(({ name }) => `t.${name}`).join(', ');
  const behind =
    after === null || key.length === 0
      ? ''
      : `and (${names}) > (${key.map(({ type }, place) => `$${place + 4}::text::${type}`).join(', ')})`;
  return (await sql.unsafe(
    `select (to_jsonb(t) - $2::text[])::text as line, array[${key.map(({ name }) => `t.${name}::text`).join(', ')}]::text[] as key
       ${bytes === undefined ? '' : `, t.${bytes} as bytes`}
     from ${table} t where t.merchant_id = $1 ${where ? `and ${where}` : ''} ${behind}
     ${key.length === 0 ? '' : `order by ${names}`} limit $3`,
    [merchantId, [...without, ...(bytes === undefined ? [] : [bytes])], limit, ...(behind ? after! : [])],
  )) as Line[];
}

export type Columns = Map<string, Map<string, string>>;

export async function selectColumns(sql: Queryable, tables: readonly string[]): Promise<Columns> {
  const rows = await sql<{ table: string; name: string; type: string }[]>`
    select n.table, a.attname as name, t.typname as type from unnest(${tables}::text[]) n ("table")
    join pg_attribute a on a.attrelid = n.table::regclass join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped`;
  const columns: Columns = new Map(tables.map(table => [table, new Map()]));
  for (const { table, name, type } of rows) columns.get(table)!.set(name, type);
  return columns;
}

type Lines = { table: string; columns: readonly string[]; json: string; where: string | undefined };

/** Returns how many rows were written. Rows that name another business, or that `where` excludes, are not. */
export async function insertLines(
  tx: Transaction,
  merchantId: number,
  { table, columns, json, where }: Lines,
): Promise<number> {
  const list = columns.map(name => `"${name}"`).join(', ');
  const [row] = await tx.unsafe(
    `with written as (
       insert into ${table} (${list}) overriding system value
       select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
       where merchant_id = $2 ${where ? `and ${where}` : ''} returning 1)
     select count(*)::int as count from written`,
    [json, merchantId],
  );
  return row?.['count'] ?? 0;
}

type Drawn = { table: string; column: string; sequence: string };

/** The largest imported value, as text because it may be huge. Citus cannot join a table with a sequence. */
async function selectLargest(tx: Transaction, merchantId: number, { table, column }: Drawn): Promise<string> {
  const [row] = await tx.unsafe(
    `select coalesce(max(${column}), 0)::text as largest from ${table} where merchant_id = $1`,
    [merchantId],
  );
  return row!['largest'];
}

/** Whether an imported value is implausibly large. A raised sequence stays raised even if the import is refused. */
export async function isFarAhead(tx: Transaction, merchantId: number, drawn: Drawn): Promise<boolean> {
  const rows = await tx.unsafe(
    `select from ${drawn.sequence} where $1::bigint > least(last_value + 1000000000, 2 ^ 52)`,
    [await selectLargest(tx, merchantId, drawn)],
  );
  return rows.length > 0;
}

/** Raises the sequence above all imported values, with a margin for values that others draw at the same time. */
export async function liftSequence(tx: Transaction, merchantId: number, drawn: Drawn): Promise<void> {
  const { sequence } = drawn;
  await tx.unsafe(
    `select setval('${sequence}', $1::bigint + 10000) from ${sequence} where last_value <= $1::bigint`,
    [await selectLargest(tx, merchantId, drawn)],
  );
}

/** R2: counts this business's references that settled something here in another business with the same account. */
export async function countSettledElsewhere(tx: Transaction, merchantId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from settled_references a
      join settled_references b on b.bank_reference = a.bank_reference and b.bank = a.bank
        and b.merchant_id <> a.merchant_id and same_account(a.digits, b.digits)
    where a.merchant_id = ${merchantId}`;
  return row!.count;
}

/** Whether an erasure is not finished, and when the last one erased a reference. */
export async function selectErasing(tx: Transaction, merchantId: number) {
  const [row] = await tx<{ is_under_way: boolean | null; last: Date | null }[]>`
    select bool_or(e.done_at is null) as is_under_way,
      max(e.done_at) filter (where exists (
        select from alerts a join counted_references r on r.merchant_id = a.merchant_id and r.alert_id = a.alert_id
        where a.merchant_id = e.merchant_id and a.erasure_id = e.erasure_id
          and r.bank_reference like ${`${erasedPrefix}%`})) as last
    from erasures e where e.merchant_id = ${merchantId}`;
  return row!;
}

/** Whether a payment of this business is known only by its erasure hash. */
export async function hasMatches(tx: Transaction, merchantId: number): Promise<boolean> {
  return await tx`
    select from erasures where merchant_id = ${merchantId}
    union all select from counted_references
    where merchant_id = ${merchantId} and bank_reference like ${`${erasedPrefix}%`} limit 1`.some();
}

export async function selectErasureKey(sql: Queryable): Promise<string | undefined> {
  const [row] = await sql<{ sealed: string }[]>`select sealed from erasure_keys`;
  return row?.sealed;
}

export async function knowsMigration(sql: Queryable, name: string): Promise<boolean> {
  return (await sql`select from migrations where name = ${name}`).length === 1;
}

export async function newestMigration(sql: Queryable): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select max(name) as name from migrations`;
  return row!.name;
}

/** Takes a lock until the transaction ends. Returns false if another transaction has it. */
export async function lockFile(tx: Transaction, merchantId: number): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`file of ${merchantId}`}::text, 7264254)) as held`;
  return row!.held;
}

export async function selectHere(sql: Queryable, merchantId: number) {
  return await sql<{ moved_at: Date | null; arrival_epoch: number }[]>`
    select moved_at, arrival_epoch from merchants where merchant_id = ${merchantId}`.first();
}

export async function selectBanksOf(tx: Transaction, merchantId: number): Promise<string[]> {
  return await tx<{ bank: string }[]>`
    select distinct bank from upi_accounts
    where merchant_id = ${merchantId} and bank is not null and removed_at is null`.column();
}

export async function selectAddressesOf(tx: Transaction, merchantId: number): Promise<string[]> {
  return await tx<{ address: string }[]>`
    select address from mailboxes where merchant_id = ${merchantId}
    union select address from extra_alert_addresses where merchant_id = ${merchantId} and confirmed_at is not null`.column();
}

/** Whether it is paused because of an `export-business --inside`. Another copy may be open elsewhere. */
export async function wasExported(sql: Queryable, merchantId: number): Promise<boolean> {
  const [last] = await sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId}
      and action in ('business.export', 'business.export_undo', 'business.import', 'business.move')
    order by seq desc limit 1`;
  return last?.action === 'business.export';
}
