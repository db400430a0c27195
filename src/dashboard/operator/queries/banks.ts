import type { Queryable } from '../../../base/database/connect.ts';
import { brokenVerdicts, readVerdicts } from '../../../texts/verdicts.ts';

export type BankFigure = {
  mails: number;
  credits: number;
  unreadable: number;
  forged: number;
  retrying: number;
  not_arrived: number;
  /** Paid orders that the bank's statement lacks. */
  missing: number;
};

/** `retrying` is not final, and `not_arrived` is a person's later word on a credit. Neither is a further mail. */
function figures(sql: Queryable) {
  return sql`
    coalesce(sum(v.mails) filter (where v.verdict not in ('retrying', 'not_arrived')), 0)::bigint as mails,
    coalesce(sum(v.mails) filter (where v.verdict in ${sql([...readVerdicts])}), 0)::bigint as credits,
    coalesce(sum(v.mails) filter (where v.verdict = 'unreadable'), 0)::bigint as unreadable,
    coalesce(sum(v.mails) filter (where v.verdict = 'forged'), 0)::bigint as forged,
    coalesce(sum(v.mails) filter (where v.verdict = 'retrying'), 0)::bigint as retrying,
    coalesce(sum(v.mails) filter (where v.verdict = 'not_arrived'), 0)::bigint as not_arrived`;
}

export type BankSummary = BankFigure & { bank: string; new_skeletons: number; new_sources: number };

/** In days. */
const newFor = 7;

/** Nothing counts as new in a bank's first days, because everything would. */
function isNewOf(sql: Queryable, bank: unknown, now: Date) {
  return sql`first_seen > ${now}::timestamptz - ${newFor} * interval '1 day'
    and first_seen > (select min(b.day) from bank_verdicts b where b.bank = ${bank}) + ${newFor} * interval '1 day'`;
}

/** Every bank that wrote within so many days, those with new senders and wordings first. */
export async function selectBankSummaries(
  sql: Queryable,
  { now, days }: { now: Date; days: number },
): Promise<BankSummary[]> {
  const isNew = isNewOf(sql, sql`v.bank`, now);
  const since = sql`> (${now}::timestamptz at time zone 'Asia/Kolkata')::date - ${days}::int`;
  return await sql<BankSummary[]>`
    select v.bank, ${figures(sql)},
      (select count(*) from statement_marks s where s.bank = v.bank and s.state = 'missing' and s.day ${since}) as missing,
      (select count(*) from bank_skeletons k where k.bank = v.bank and ${isNew}) as new_skeletons,
      (select count(*) from bank_sources s where s.bank = v.bank and ${isNew}) as new_sources
    from bank_verdicts v
    where v.day ${since}
    group by v.bank
    order by exists (select from bank_sources s where s.bank = v.bank and ${isNew}) desc,
      exists (select from bank_skeletons k where k.bank = v.bank and ${isNew}) desc, unreadable desc, mails desc, v.bank`;
}

type SeenRow = { mails: number; first_seen: Date; last_seen: Date; is_new: boolean };

export async function selectSkeletons(sql: Queryable, bank: string, now: Date, limit: number) {
  return await sql<(SeenRow & { template: string; skeleton: string })[]>`
    select template, skeleton, mails, first_seen, last_seen, ${isNewOf(sql, bank, now)} as is_new from bank_skeletons
    where bank = ${bank} order by first_seen desc, mails desc limit ${limit}`;
}

export type SourceRow = SeenRow & { kind: 'sender' | 'domain' | 'unlisted_domain'; source: string };

export async function selectSources(sql: Queryable, bank: string, now: Date): Promise<SourceRow[]> {
  return await sql<SourceRow[]>`
    select kind, source, mails, first_seen, last_seen, ${isNewOf(sql, bank, now)} as is_new from bank_sources
    where bank = ${bank} order by first_seen desc, kind, source`;
}

export type HeldLineRow = {
  line_id: number;
  bank: string;
  line: string;
  surroundings: string;
  first_seen: Date;
  held: number;
  businesses: number;
};

/** Lines that wait for the operator, first those that hold back most mails. */
export async function selectHeldLines(sql: Queryable, limit: number): Promise<HeldLineRow[]> {
  return await sql<HeldLineRow[]>`
    select h.line_id, h.bank, h.line, h.surroundings, h.first_seen, a.held, a.businesses
    from held_lines h cross join lateral (
      select count(*) as held, count(distinct merchant_id) as businesses from alerts where held_line = h.line_id) a
    where h.settled_at is null order by a.held desc, h.line_id limit ${limit}`;
}

/** One waiting line, with the newest stored mail that it holds back. */
export async function selectHeldLine(sql: Queryable, lineId: number) {
  return await sql<{ bank: string; line: string; surroundings: string; stored: string | null }[]>`
    select h.bank, h.line, h.surroundings, (
      select a.merchant_id || '.' || a.alert_id from alerts a
      where a.held_line = h.line_id and a.verdict = 'unreadable' order by a.arrived_at desc limit 1) as stored
    from held_lines h where h.line_id = ${lineId} and h.settled_at is null`.first();
}

export async function selectRefusedToday(sql: Queryable, now: Date) {
  return await sql<Pick<BankSummary, 'bank' | 'unreadable' | 'forged'>[]>`
    select v.bank, ${figures(sql)} from bank_verdicts v
    where v.day = (${now}::timestamptz at time zone 'Asia/Kolkata')::date and v.verdict in ${sql([...brokenVerdicts])}
    group by v.bank order by v.bank`;
}
