import type { DatabaseError } from 'pg';
import { day, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { mostKeepDays } from '../../base/retention.ts';
import { idsEnd } from '../../base/settings/config-cells.ts';
import { BrokenArchive } from '../../base/tar.ts';
import { dividedTables } from '../../orders/history/queries/partitions.ts';
import { findFirstBreach } from '../verify.ts';
import { type Columns, selectColumns } from './queries.ts';
import { type Kind, type Way, ways } from './tables.ts';
import { tablesInOrder, type Written } from './write-merchant.ts';

/** Larger than any field that this program stores, except the files that belong to rows. */
const mostField = 64 * 1024;
const mostDepth = 8;
const mostCount = 1e9;
const mostPeople = 1_000;
const furthest = 3_650 * day;
/** Rules compare rows with each other, and a hostile file must not keep the command busy for days. */
const longestCheck = '10min';

/** Foreign keys that the real tables do not enforce, although every export has both rows. */
const softKeys = `alter table orders add foreign key (merchant_id, account_id) references upi_accounts;
  alter table delivery_queue add foreign key (merchant_id, event_id) references events;`;

/**
 * Creates temporary tables with the names and constraints of the real ones, which they hide until the transaction ends.
 * The archive is checked there before the first real row is written. Returns the real tables' schema, and the columns.
 */
export async function openStage(
  tx: Transaction,
  tables: readonly string[],
  kind: Kind,
): Promise<{ schema: string; columns: Columns }> {
  const [row] = await tx.unsafe(
    `select quote_ident(current_schema()) as schema, array(
       select format('alter table %s add %s;', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
       where contype = 'f' and conparentid = 0 and conrelid::regclass::text = any ($1) and confrelid::regclass::text = any ($1)) as keys`,
    [tables],
  );
  const { schema, keys } = row as { schema: string; keys: string[] };
  const like = (table: string) =>
    `(like ${schema}.${table} including defaults including constraints including indexes)`;
  const made = tables.map(table => `create temporary table ${table} ${like(table)} on commit drop;`);
  if (kind === 'leaving') made.push(...keys, softKeys);
  // Without this, statements that were prepared earlier would still read the real tables.
  await tx.unsafe(`${made.join('')} discard plans`);
  return { schema, columns: await selectColumns(tx, tables) };
}

/** Moves the rows into the real tables. Inside one installation, drops signatures that settled nothing (R2). */
export async function leaveStage(tx: Transaction, schema: string, tables: readonly string[], kind: Kind) {
  const [here, staged] = [`${schema}.counted_signatures`, 'pg_temp.counted_signatures'];
  const same = 'a.signature_id = b.signature_id and not a.settled';
  if (kind === 'inside')
    await tx.unsafe(`delete from ${here} a using ${staged} b where ${same};
      delete from ${staged} a using ${here} b where ${same}`);
  const moved = tables.map(
    table => `insert into ${schema}.${table} overriding system value select * from pg_temp.${table};`,
  );
  const realFirst = `select set_config('search_path', current_setting('search_path') || ', pg_temp', true)`;
  // The checks of the stage had a limit.
  await tx.unsafe(`set local statement_timeout = 0; ${moved.join('')} ${realFirst}`);
}

/** Throws unless the rows are plausible for an exported business and break no rule. */
export async function refuseStaged(
  tx: Transaction,
  columns: Columns,
  written: Written,
  now: Date,
): Promise<void> {
  const filled = tablesInOrder.filter(table => (written[table]?.rows ?? 0) > 0);
  const [merchants, people] = [written['merchants']?.rows ?? 0, written['users']?.rows ?? 0];
  if (merchants !== 1 || people > mostPeople)
    throw new BrokenArchive(
      `it has ${merchants} businesses with ${people} people, not 1 with up to ${mostPeople}`,
    );
  await tx.unsafe(`set local statement_timeout = '${longestCheck}'; analyze ${filled.join(', ')}`);
  for (const table of filled) await refuseValues(tx, table, columns.get(table)!, now);
  const breach = await findFirstBreach(tx);
  if (breach) throw new BrokenArchive(`it breaks a rule that holds for every business (${breach})`);
}

async function refuseValues(
  tx: Transaction,
  table: string,
  columns: Map<string, string>,
  now: Date,
): Promise<void> {
  const faults = [...columns].flatMap(([name, type]) =>
    faultsOf(table, name, type, now).map(
      ([what, isFault]) =>
        `('${what} ${table}.${name}', case when ${isFault} then left(s."${name}"::text, 60) end)`,
    ),
  );
  const [found] = await tx.unsafe(
    `select f.what, f.value from ${table} s cross join lateral (values ${faults.join(', ')}) f (what, value)
     where f.value is not null limit 1`,
  );
  if (found) throw new BrokenArchive(`the archive has ${found['what']} (${found['value']})`);
}

/** The faults of a value that its column's type and constraints allow, each with its condition. */
function faultsOf(table: string, name: string, type: string, now: Date): [string, string][] {
  const way: Way = ways[table as keyof typeof ways];
  const value = `s."${name}"`;
  if (type === 'bool' || way.bytes?.column === name) return [];
  // Statements for all businesses subtract days and add to counts. One overflow would make them fail for everybody.
  const most = name.endsWith('_days') ? mostKeepDays : type === 'int8' ? idsEnd - 1 : mostCount;
  if (type.startsWith('int'))
    return [['an implausibly large or negative', `${value} not between 0 and ${most}`]];
  if (type === 'timestamptz' || type === 'date') {
    // A row of a future week would keep that week's partition from being created. Two clocks may differ by a day.
    const isDivided = dividedTables[table as keyof typeof dividedTables] === name;
    // `verify` expects no mail and no body from before such a moment.
    const latest = later(now, isDivided || name.endsWith('_gone_to') ? day : furthest).toISOString();
    const isMoment = way.due === name || name === 'archived_to' ? `isfinite(${value})` : 'true';
    return [['an implausible', `${isMoment} and ${value} not between '2000-01-01' and '${latest}'`]];
  }
  const shape = shapes.find(([named]) => named.test(name))?.[1];
  return [
    ['an overlong', `octet_length(${type === 'bytea' ? value : `${value}::text`}) > ${mostField}`],
    ...(type === 'jsonb' ? [['a too deep', `${value} @? '$.**{${mostDepth + 1}}'`]] : []),
    ...(type === '_text'
      ? [['a strange', `array_ndims(${value}) > 1 or array_position(${value}, null) > 0`]]
      : []),
    ...(type === 'text' && shape ? [['a strange', `${value} !~ '${shape}'`]] : []),
  ] as [string, string][];
}

/** Patterns of values that this program creates or checks. Mails and pages show them or link to them. */
const shapes: [RegExp, string][] = [
  [/^(?:other_)?order_id$/, '^[A-Za-z0-9]{1,12}-[0-9]{10}$'],
  [/^(?:alert|event|account|key|link|user|erasure)_id$/, '^[A-Za-z0-9_-]{1,64}$'],
  [/_url$/, '^(?:https?://[^[:cntrl:]]+)?$'],
  [/^destination$/, '^[a-z0-9._:\\[\\]-]{1,253}$'],
  [/^(?:type|bank)$/, '^[a-z0-9._-]{1,40}$'],
  [/^name$/, '^[^[:cntrl:]\\u2028\\u2029]{1,120}$'],
  [/^email$/, '^[^[:space:][:cntrl:]<>"(),:;@]{1,64}@[A-Za-z0-9.-]{3,190}$'],
];

/** Turns a database error about a value, or a duplicate, into a fault of the file. Other errors pass through. */
export function faultOfFile(error: unknown, table: string): unknown {
  const { code = '', schema = 'pg_temp', message, detail = '' } = error as Partial<DatabaseError>;
  const isClash = code === '23505' && !schema.startsWith('pg_temp');
  if (isClash || !/^(?:22|23|54)|^57014$/.test(code)) return error;
  return new BrokenArchive(`the archive's ${table} cannot be stored: ${message} ${detail.slice(0, 200)}`);
}
