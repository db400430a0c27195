import type { Queryable } from '../../../base/database/connect.ts';

export type SourceKind = 'sender' | 'domain' | 'unlisted_domain';

type Counted = { bank: string; mails: number; at: Date };

/** Only this many of each kind are kept per bank, the last seen: payers and strangers can create new ones. */
const mostKept = 50;

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key) => rows.map(row => row[key]);

/** Counts by the day in India. Rows are locked in one order, so that two simultaneous writers cannot deadlock. */
export async function addVerdicts(
  sql: Queryable,
  rows: readonly (Counted & { verdict: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_verdicts (bank, day, verdict, mails)
    select bank, (at at time zone 'Asia/Kolkata')::date, verdict, sum(mails)
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'verdict')}::text[], ${column(rows, 'mails')}::bigint[],
      ${column(rows, 'at')}::timestamptz[]) as n (bank, verdict, mails, at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (bank, day, verdict) do update set mails = bank_verdicts.mails + excluded.mails`;
}

export async function addSkeletons(
  sql: Queryable,
  rows: readonly (Counted & { template: string; hash: Buffer; skeleton: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_skeletons as k (bank, template, hash, skeleton, mails, first_seen, last_seen)
    select bank, template, hash, skeleton, mails, at, at
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'template')}::text[], ${column(rows, 'hash')}::bytea[],
      ${column(rows, 'skeleton')}::text[], ${column(rows, 'mails')}::bigint[], ${column(rows, 'at')}::timestamptz[])
      as n (bank, template, hash, skeleton, mails, at)
    order by 1, 2, 3
    on conflict (bank, template, hash) do update
      set mails = k.mails + excluded.mails, last_seen = greatest(k.last_seen, excluded.last_seen)`;
  await sql`
    delete from bank_skeletons k using (
      select bank, template, hash, row_number() over (partition by bank, template order by last_seen desc) as place
      from bank_skeletons where bank in ${sql([...new Set(column(rows, 'bank'))])}) old
    where old.place > ${mostKept} and (k.bank, k.template, k.hash) = (old.bank, old.template, old.hash)`;
}

export async function addSources(
  sql: Queryable,
  rows: readonly (Counted & { kind: SourceKind; source: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_sources as s (bank, kind, source, mails, first_seen, last_seen)
    select bank, kind, source, mails, at, at
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'kind')}::text[], ${column(rows, 'source')}::text[],
      ${column(rows, 'mails')}::bigint[], ${column(rows, 'at')}::timestamptz[]) as n (bank, kind, source, mails, at)
    order by 1, 2, 3
    on conflict (bank, kind, source) do update
      set mails = s.mails + excluded.mails, last_seen = greatest(s.last_seen, excluded.last_seen)`;
  await sql`
    delete from bank_sources s using (
      select bank, kind, source, row_number() over (partition by bank, kind order by last_seen desc) as place
      from bank_sources where bank in ${sql([...new Set(column(rows, 'bank'))])}) old
    where old.place > ${mostKept} and (s.bank, s.kind, s.source) = (old.bank, old.kind, old.source)`;
}
