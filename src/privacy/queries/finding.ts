import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { PersonalTable } from '../personal-columns.ts';

type Page = {
  merchantId: number;
  before: Date;
  needles: readonly string[] | null;
  after: string | null;
  limit: number;
};

/** Characters that `valuesIn` reads as others. Few texts have them, and each such text is read completely. */
const odd = String.raw`[\u000b\u000c\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u1680\u180e\u200b-\u2015\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd-\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f]|(?:%|=|\\[uU]00|&#[xX])[2-7][0-9a-fA-F]|&#\d`;

/** Whether a text may contain one of the needles; `valuesIn` then decides. */
const mayContain = (text: string, needles: string) => `(${needles}::text[] is null or ${text} ~ '${odd}'
  or (octet_length(${text}) > length(${text}) and ${text} is not nfkc normalized)
  or exists (select from unnest(${needles}::text[]) as n (needle) where position(n.needle
    in translate(replace(replace(lower(${text}), '%20', ''), '&nbsp;', ''), E' ./()+_=-\\t\\r\\n', '')) > 0))`;

/** Reads a page of a table by its key, with the searched text. If values are known, only rows that may contain one. */
export async function selectPage(
  sql: Queryable,
  table: string,
  { key, at, search }: Pick<PersonalTable, 'key' | 'at' | 'search'>,
  { merchantId, before, needles, after, limit }: Page,
) {
  const text = `concat_ws(' ', ${search.map(column => `t.${column}::text`).join(', ')})`;
  const isNumber = ['seq', 'notice_id', 'note_id'].includes(key);
  const rows = await sql.unsafe(
    `select t.${key}::text as id, string_agg(${text}, ' ') as text from ${table} t
     where t.merchant_id = $1 and t.${key} > $2::${isNumber ? 'bigint' : 'text'} and ${at} <= $3
       and ${mayContain(text, '$4')}
     group by t.${key} order by t.${key} limit $5`,
    [merchantId, after ?? (isNumber ? '-1' : ''), before, needles, limit],
  );
  return rows as { id: string; text: string }[];
}

/** Orders and their money: it paid them, or a person assigned it. A guess connects nothing. */
export async function selectJoined(
  sql: Queryable,
  merchantId: number,
  alerts: readonly string[],
  orders: readonly string[],
  erasureId: string | null,
) {
  return await sql<{ kind: 'alert' | 'order'; id: string }[]>`
    with of_alerts as (
      select unnest(${[...alerts]}::text[]) as alert_id
      union select alert_id from alerts where merchant_id = ${merchantId} and erasure_id = ${erasureId}
    ), of_orders as (
      select unnest(${[...orders]}::text[]) as order_id
      union select order_id from orders where merchant_id = ${merchantId} and erasure_id = ${erasureId}
    ), pairs as (
      select o.alert_id, o.order_id from orders o join of_alerts using (alert_id) where o.merchant_id = ${merchantId}
      union select o.alert_id, o.order_id from orders o join of_orders using (order_id)
        where o.merchant_id = ${merchantId} and o.alert_id is not null
      -- Its order may stand in an archive alone.
      union select a.alert_id, a.order_id from alerts a join of_alerts using (alert_id)
        where a.merchant_id = ${merchantId} and a.verdict = 'paid' and a.order_id is not null
      union select h.alert_id, h.order_id from handled_credits h join of_alerts using (alert_id)
        where h.merchant_id = ${merchantId} and h.order_id is not null and h.state <> 'open'
      union select h.alert_id, h.order_id from handled_credits h join of_orders using (order_id)
        where h.merchant_id = ${merchantId} and h.state <> 'open'
    )
    select 'alert' as kind, alert_id as id from pairs union select 'alert', alert_id from of_alerts
    union select 'order', order_id from pairs union select 'order', order_id from of_orders`;
}

export async function selectNotified(
  sql: Queryable,
  merchantId: number,
  alerts: readonly string[],
  orders: readonly string[],
) {
  return await sql<{ kind: 'event' | 'notice' | 'deed'; id: string; text: string }[]>`
    with paid_by as materialized (
      select a.payer, a.alert_time from alerts a where a.merchant_id = ${merchantId} and a.alert_id = any (${[...alerts]}::text[])
    )
    select 'event' as kind, e.event_id as id, '' as text from events e
    where e.merchant_id = ${merchantId} and e.order_id = any (${[...orders]}::text[])
    union
    select 'event', e.event_id, '' from events e join event_bodies b
      on b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at
    where e.merchant_id = ${merchantId} and e.type = 'payment.unmatched'
      and b.body::jsonb #>> '{data,credit_id}' = any (${[...alerts]}::text[])
    union
    select 'notice', n.notice_id::text, '' from notices n
      join paid_by a on n.facts ->> 'payer' = a.payer and n.facts ->> 'at' = to_char(a.alert_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    where n.merchant_id = ${merchantId} and n.kind in ('money_unmatched', 'order_waits')
    union
    select 'deed', l.seq::text, l.details from audit_log l
    where l.merchant_id = ${merchantId} and l.subject = any (${[...alerts, ...orders]}::text[])`;
}

export async function selectRows(
  sql: Queryable,
  table: string,
  { key }: Pick<PersonalTable, 'key'>,
  merchantId: number,
  ids: readonly string[],
) {
  const rows = await sql.unsafe(
    `select to_jsonb(t) - 'merchant_id' as row from ${table} t where t.merchant_id = $1 and t.${key}::text = any ($2::text[])
     order by t.${key}`,
    [merchantId, [...ids]],
  );
  return rows.map(({ row }) => row as Record<string, unknown>);
}

export type ArchivePart = { month: string; part: number; csv_gzip: Buffer };

export async function selectParts(
  sql: Queryable,
  merchantId: number,
  after: ArchivePart | undefined,
  limit: number,
) {
  return await sql<ArchivePart[]>`
    select month::text as month, part, csv_gzip from order_archives
    where merchant_id = ${merchantId} and (month, part) > (${after?.month ?? '0001-01-01'}::date, ${after?.part ?? 0})
    order by order_archives.month, part limit ${limit}`;
}

/** Returns false if another process has changed the part since it was read. */
export async function replacePart(
  sql: Queryable,
  merchantId: number,
  { month, part, csv_gzip }: ArchivePart,
  changed: Buffer,
): Promise<boolean> {
  return await sql`
    update order_archives set csv_gzip = ${changed}
    where merchant_id = ${merchantId} and month = ${month}::date and part = ${part} and csv_gzip = ${csv_gzip}
    returning part`.some();
}

/** Every table's columns that can contain words, as text: bytes as ASCII without UTF-16's zeros. */
export async function selectPlaces(sql: Queryable, without: string) {
  return await sql<{ table: string; columns: string[]; texts: string[]; is_owned: boolean }[]>`
    select c.relname as table, array_agg(a.attname::text) as columns, array_agg(case when f.type = 'bytea'
        then format($$replace(encode(t.%I, 'escape'), '\\000', '')$$, a.attname) else format('t.%I::text', a.attname) end) as texts,
      exists (select from pg_attribute m where m.attrelid = c.oid and m.attname = 'merchant_id') as is_owned
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      cross join format_type(a.atttypid, null) as f (type)
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and f.type in ('text', 'text[]', 'jsonb', 'json', 'bytea') and c.relname || '.' || a.attname <> all (string_to_array(${without}, ' '))
    group by c.oid, c.relname order by c.relname`;
}

type Reading = { texts: string[]; where: string; values: readonly unknown[] };

/** Reads the texts of each row that may contain a value, a thousand rows at a time. */
export async function* readTexts(tx: Transaction, table: string, { texts, where, values }: Reading) {
  const held = mayContain(`concat_ws(' ', ${texts})`, '$1');
  await tx.unsafe(
    `declare "${table}" cursor for select array[${texts}] as texts from "${table}" t where ${held} ${where}`,
    values,
  );
  for (;;) {
    const rows = await tx.unsafe(`fetch 1000 from "${table}"`);
    for (const row of rows) yield row['texts'] as (string | null)[];
    if (rows.length < 1000) return;
  }
}
