import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, inflateSync } from 'node:zlib';
import { day } from '../../src/base/clock.ts';
import { openErasingStage } from '../support/erasing-stage.ts';
import { use } from '../support/use.ts';

const stage = use(openErasingStage);

const values = ['9876543210', 'rahul.sharma@example.in', 'rahul@okaxis', '691234567890'];
const person = `Pays as rahul@okaxis, 9876543210, rahul.sharma@example.in, UTR 691234567890`;

type Column = { name: string; type: string; filled: boolean; generated: boolean; literal: string | null };

/** Every table of the schema with all its columns, as the catalog has them. */
async function readTables(): Promise<Map<string, Column[]>> {
  const rows = await stage.world().sql<(Column & { table: string })[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as filled, a.attgenerated <> '' as generated,
      (select (regexp_match(pg_get_constraintdef(k.oid), '''([^'']*)''::text'))[1] from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey) limit 1) as literal
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`;
  return Map.groupBy(rows, row => row.table) as Map<string, Column[]>;
}

const hasText = ({ type, generated }: Column) =>
  !generated && ['text', 'text[]', 'jsonb', 'json', 'bytea'].includes(type);
/** These columns hold packed mails or files, which have tests of their own. */
const isPacked = (place: string) => ['raw_mails.raw', 'order_archives.csv_gzip'].includes(place);

/** So that nothing waits. */
const decided: Record<string, unknown> = {
  verdict: 'not_a_credit',
  settled_at: new Date('2026-01-02T00:00:00Z'),
};

let drawn = 1000;
function usual({ name, type, literal }: Column): unknown {
  drawn++;
  if (name in decided) return decided[name];
  if (name === 'merchant_id') return stage.who().merchantId;
  if (type === 'text') return literal ?? `x${drawn}`;
  if (type === 'bytea') return Buffer.from(`x${drawn}`);
  if (type === 'jsonb' || type === 'json') return {};
  if (type.endsWith('[]')) return [];
  if (type === 'boolean') return false;
  if (type === 'date') return '2026-01-01';
  if (type.startsWith('timestamp')) return new Date('2026-01-01T00:00:00Z');
  return drawn;
}

function said({ type }: Column, text: string): unknown {
  if (type === 'bytea') return Buffer.from(text);
  if (type === 'jsonb' || type === 'json') return { note: text };
  return type === 'text[]' ? [text] : text;
}

/** A row whose one column names the person; foreign keys are off, so that nothing else leads to it. False where a check refuses it. */
async function put(table: string, columns: readonly Column[], target: Column): Promise<boolean> {
  const { sql } = stage.world();
  const row = Object.fromEntries(
    columns
      .filter(
        one =>
          one === target ||
          one.name === 'merchant_id' ||
          one.name in decided ||
          (!one.filled && !one.generated),
      )
      .map(one => [one.name, one === target ? said(one, person) : usual(one)]),
  );
  const own = columns.some(one => one.name === 'merchant_id')
    ? `merchant_id = ${stage.who().merchantId}`
    : 'true';
  const names = Object.keys(row).map(name => `"${name}"`);
  const insert = `insert into "${table}" (${names}) overriding system value values (${names.map((_, at) => `$${at + 1}`)})`;
  // In some tables a business has only one row, which exists already.
  const update = `update "${table}" set "${target.name}" = $1 where ${own}`;
  for (const [text, given] of [
    [insert, Object.values(row)],
    [update, [row[target.name]]],
  ] as const)
    try {
      return await sql.begin(async tx => {
        await tx`set local session_replication_role = replica`;
        return (await tx.unsafe(`${text} returning 1`, given)).length > 0;
      });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '23514')
        return (await liftCheck(error as Refusal, target)) && (await put(table, columns, target));
      if (code !== '23505') throw error;
    }
  return false;
}

type Refusal = { table: string; constraint: string };

/** A check of other columns only refuses what was made up here, and goes; false where it is about this one. */
async function liftCheck({ table, constraint }: Refusal, target: Column): Promise<boolean> {
  const { sql } = stage.world();
  const names = (
    await sql<{ name: string }[]>`
      select a.attname as name from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      where k.conname = ${constraint} and k.conrelid = ${table}::regclass`
  ).map(({ name }) => name);
  // A table of the installation alone has a check of the business's id and nothing else.
  const about = names.includes(target.name) || names.join() === 'merchant_id';
  if (!about) await sql.unsafe(`alter table "${table}" drop constraint "${constraint}"`);
  return !about;
}

/** How programs write a text down. */
const encodings: Record<string, (text: string) => string> = {
  plain: text => text,
  upper: text => text.toUpperCase(),
  json: text => JSON.stringify(text).slice(1, -1).replaceAll('@', '\\u0040'),
  url: text => encodeURIComponent(text),
  base64: text => Buffer.from(text).toString('base64').replace(/.?=*$/, ''),
  hex: text => Buffer.from(text).toString('hex'),
  'quoted-printable': text => text.replaceAll('@', '=40').replaceAll('.', '=2E'),
  'utf-16': text => Buffer.from(text, 'utf16le').toString('latin1'),
  'utf-16be': text => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
  html: text => text.replaceAll('@', '&#64;').replaceAll('.', '&#46;'),
  'html hex': text => text.replaceAll('@', '&#x40;'),
  spaced: text => (/^\d+$/.test(text) ? `${text.slice(0, 5)} ${text.slice(5)}` : text),
};

/** Bytes as they are, and as they unpack. */
function readings(value: string | Buffer): string[] {
  if (typeof value === 'string') return [value];
  const unpacked = [gunzipSync, inflateSync].flatMap(open => {
    try {
      return [open(value).toString('latin1')];
    } catch {
      return [];
    }
  });
  return [value.toString('latin1'), ...unpacked];
}

/** The places, as `table.column`, in which a dump of the whole database shows the person in any encoding. */
async function dump(tables: Map<string, Column[]>): Promise<string[]> {
  const needles = values.flatMap(value =>
    Object.values(encodings).map(encode => encode(value).toLowerCase()),
  );
  const found = new Set<string>();
  for (const [table, columns] of tables)
    for (const column of columns.filter(hasText)) {
      const text = column.type === 'bytea' ? '' : '::text';
      const rows = await stage
        .world()
        .sql.unsafe(
          `select "${column.name}"${text} as value from "${table}" where "${column.name}" is not null`,
        );
      for (const { value } of rows as unknown as { value: string | Buffer }[])
        if (readings(value).some(one => needles.some(needle => one.toLowerCase().includes(needle))))
          found.add(`${table}.${column.name}`);
    }
  return [...found].sort();
}

/** Places that the report names by their rows. */
const apart = {
  audit: ['audit_log.subject', 'audit_log.details'],
  order_id: ['orders.merchant_order_id'],
  spent_id: ['spent_order_ids.merchant_order_id'],
};

test('a person in any column of the schema is erased, or the report names the place', async () => {
  const tables = await readTables();
  // The key of the list exists before rows of other processes are made up.
  await stage.ask('6000000000');
  await stage.erase();
  const refused: string[] = [];
  for (const [table, columns] of tables)
    for (const column of columns.filter(hasText))
      if (!isPacked(`${table}.${column.name}`) && !(await put(table, columns, column)))
        refused.push(`${table}.${column.name}`);
  const there = await dump(tables);
  for (const place of ['business_notes.note', 'payment_links.title', 'orders.customer', 'page_reports.note'])
    assert.ok(there.includes(place), place);
  assert.ok(there.length > 250 && refused.length < 30, `${there.length} places, not ${refused.join(', ')}`);
  stage.world().clock.advance(400 * day);
  await stage.ask(values.join(', '));
  await stage.erase();
  const { report } = await stage.reportOf();
  assert.equal(report.problem, undefined);
  const named =
    report.kept?.flatMap(({ what, id }) => (what in apart ? apart[what as keyof typeof apart] : id)) ?? [];
  assert.deepEqual(report.waits, []);
  assert.deepEqual(
    (await dump(tables)).filter(place => !named.includes(place)),
    [],
  );
  for (const place of [
    'business_notes.note',
    'page_reports.note',
    'orders.customer',
    'alerts.payer',
    'notices.facts',
  ])
    assert.ok(!named.includes(place), `${place} is erased`);
});

test('a value is found in every notation of programs and people', async () => {
  const written = {
    ...encodings,
    dotted: (text: string) =>
      /^\d+$/.test(text) ? `(${text.slice(0, 5)}) ${text.slice(5, 8)}.${text.slice(8)}` : text,
    devanagari: (text: string) => text.replaceAll(/\d/g, digit => String.fromCharCode(0x966 + Number(digit))),
    'full width': (text: string) =>
      text.replaceAll(/[!-~]/g, sign => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    'no-break space': (text: string) =>
      /^\d{10}$/.test(text) ? `${text.slice(0, 5)}\u00a0${text.slice(5)}` : text,
    'zero width': (text: string) => text.replaceAll(/(?<=^..)/g, '\u200b'),
    'soft break': (text: string) => text.replace('@', '=\r\n@'),
    circled: (text: string) => text.replaceAll(/\d/g, digit => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)]!),
    'vertical tab': (text: string) =>
      /^\d{10}$/.test(text) ? `${text.slice(0, 5)}\v${text.slice(5)}` : text,
    'ogham space': (text: string) =>
      /^\d{10}$/.test(text) ? `${text.slice(0, 5)}\u1680${text.slice(5)}` : text,
    'invisible times': (text: string) => text.replaceAll(/(?<=^..)/g, '\u2062'),
    'digit in a URL': (text: string) => text.replace(/(?<=\d\d)\d/, '%3$&'),
    'digit in a mail': (text: string) => text.replace(/(?<=\d\d)\d/, '=3$&'),
    'digit in JSON': (text: string) => text.replace(/(?<=\d\d)\d/, '\\u003$&'),
    'digit in HTML': (text: string) => text.replace(/(?<=\d\d)\d/, '&#x3$&;'),
    'digit as a number': (text: string) => text.replace(/(?<=\d\d)\d/, digit => `&#${48 + Number(digit)};`),
  };
  const packed = ['base64', 'hex', 'utf-16', 'utf-16be'];
  const { sql, clock } = stage.world();
  const values = ['9876543210', 'rahul.sharma@example.in', 'rahul@okaxis', '691234567890'];
  const notes = Object.entries(written)
    .filter(([name]) => !packed.includes(name))
    .flatMap(([name, encode]) =>
      values.map(value => ({ author: `${name} ${value}`, note: `Called: ${encode(value)}, thanks` })),
    );
  await stage.begin();
  const row = { merchant_id: stage.who().merchantId, written_at: clock.now() };
  await sql`insert into business_notes ${sql(notes.map(note => ({ ...row, ...note })))}`;
  await stage.ask(values.join());
  await stage.erase();
  const left = await sql<{ author: string }[]>`
    select author from business_notes where merchant_id = ${row.merchant_id} and note <> ''`;
  assert.deepEqual(
    left.map(({ author }) => author),
    [],
  );
});
