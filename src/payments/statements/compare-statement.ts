import { day, indiaAhead, indianDay, later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import { notOursVerdicts } from '../../texts/verdicts.ts';
import { type ReportedCredit, selectReportedCredits } from './queries/reported-credits.ts';
import type { Lines, StatementLine } from './read-lines.ts';

/** A person can read this many in a list. The rest is only counted. */
export const mostShown = 200;

/** How many there are, their sum, and the first of them. */
export type Group<Row> = { count: number; sum: number; shown: Row[] };

export type Difference = { line: StatementLine; credit: ReportedCredit };

/** A statement's finding about a paid order: the line that booked it, or that none did. */
export type Finding = {
  credit: ReportedCredit;
  order_id: string;
  /** The credit's day in India. */
  day: string;
  booked: (StatementLine & { key: string }) | null;
};

export type StatementAccount = { bank: string; digits: string | null };

/** A statement compared with its days' mails. This changes nothing. */
export type Comparison = {
  firstDay: string;
  lastDay: string;
  matched: { count: number; sum: number };
  /** Money that no mail reported. */
  unreported: Group<StatementLine>;
  /** Money that a mail reported, but not about the account or to the address that count. */
  refused: Group<Difference>;
  /** The same reference, another sum. */
  differing: Group<Difference>;
  /** Money that a mail reported and the statement does not list. */
  unlisted: Group<ReportedCredit>;
  findings: Finding[];
};

const pageSize = 5_000;
const mostCredits = 200_000;
/** A bank may book a late evening's payment on the next day. */
const bookingDays = 1;
const shifts = [0, bookingDays, -bookingDays];
/** Mails that arrive later than this are not compared. */
const longestDelay = 14 * day;

/** Null if those days have more mails than one comparison takes. */
export async function compareStatement(
  sql: Queryable,
  merchantId: number,
  account: StatementAccount,
  statement: Lines,
): Promise<Comparison | null> {
  const days = statement.lines.map(line => line.day).sort();
  const [firstDay, lastDay] = [days[0]!, days.at(-1)!];
  const comparison: Comparison = {
    firstDay,
    lastDay,
    matched: { count: 0, sum: 0 },
    ...{ unreported: emptyGroup(), refused: emptyGroup(), differing: emptyGroup(), unlisted: emptyGroup() },
    findings: [],
  };
  const waiting = new Waiting(account, statement);
  const alone: ReportedCredit[] = [];
  let [seen, byReference] = [0, 0];
  for await (const credit of reportedCredits(sql, merchantId, account, firstDay, lastDay)) {
    if (++seen > mostCredits) return null;
    // A line that confirmed a credit before stays with it, so that it confirms no other.
    const line = waiting.takeByKey(credit) ?? waiting.takeByReference(credit);
    if (line && credit.reference !== null && line.reference === credit.reference) byReference++;
    if (line) note(comparison, waiting, line, credit);
    else if (credit.line_key === null) alone.push(credit);
  }
  // Counted mails come first, so that a refused one does not take their line. Each tries its own day before others.
  for (const refused of [false, true]) {
    let left = alone.filter(credit => isRefused(credit) === refused);
    for (const shift of shifts)
      left = left.filter(credit => {
        const line = waiting.takeBySum(credit, shift);
        if (line) note(comparison, waiting, line, credit);
        return line === null;
      });
    for (const credit of left) {
      if (!refused && isBetween(dayOf(credit), firstDay, lastDay))
        add(comparison.unlisted, credit, credit.amount_paise);
      // A bank may number its lines differently from its mails. Then a line with the same sum may be this payment.
      const isOpen = byReference === 0 && waiting.hasAlike(credit);
      if (!refused && !isOpen && isCovered(statement, credit)) find(comparison, credit, null);
    }
  }
  for (const line of waiting.left()) add(comparison.unreported, line, line.amount);
  return comparison;
}

/**
 * Whether the statement would list the credit, had its bank booked it. It must start before the credit's day and end
 * after the next one, so that both are complete, and every line must be readable.
 */
function isCovered({ covers, unclear }: Lines, credit: ReportedCredit): boolean {
  return (
    covers !== null &&
    unclear === 0 &&
    credit.is_sure &&
    covers.first < dayOf(credit) &&
    covers.last > dayOf(credit, bookingDays)
  );
}

function find(comparison: Comparison, credit: ReportedCredit, booked: Finding['booked']): void {
  const { verdict, order_id } = credit;
  if (verdict === 'paid' && order_id !== null)
    comparison.findings.push({ credit, order_id, day: dayOf(credit), booked });
}

/** The lines that have no mail yet. Each list gives its last line, so that a busy day needs no search. */
class Waiting {
  private readonly byReference = new Map<string, StatementLine[]>();
  private readonly bySum = new Map<string, StatementLine[]>();
  private readonly withoutReference = new Map<string, StatementLine[]>();
  private readonly taken = new Set<StatementLine>();
  private readonly byKey = new Map<string, StatementLine>();
  private readonly keys = new Map<StatementLine, string>();
  private readonly lines: readonly StatementLine[];

  constructor({ digits }: StatementAccount, { lines, others }: Lines) {
    this.lines = lines;
    // A line without a channel is taken last.
    for (const line of [...others, ...lines]) {
      const key = sumKey(line.amount, line.day);
      append(this.bySum, key, line);
      if (line.reference === null) append(this.withoutReference, key, line);
      else append(this.byReference, line.reference, line);
      // Lines that are alike in everything get a number, so that the file's order does not matter.
      const name = line.reference ?? `${digits ?? ''} ${key} ${this.withoutReference.get(key)!.length}`;
      this.byKey.set(name, line);
      this.keys.set(line, name);
    }
  }

  keyOf(line: StatementLine): string {
    return this.keys.get(line)!;
  }

  takeByKey({ line_key }: ReportedCredit): StatementLine | null {
    const line = line_key === null ? undefined : this.byKey.get(line_key);
    return this.take(line && [line]);
  }

  takeByReference({ reference }: ReportedCredit): StatementLine | null {
    return reference === null ? null : this.take(this.byReference.get(reference));
  }

  /** Only if one of the two has no reference, because two different references are two payments. */
  takeBySum(credit: ReportedCredit, shift: number): StatementLine | null {
    const lists = credit.reference === null ? this.bySum : this.withoutReference;
    return this.take(lists.get(sumKey(credit.amount_paise, dayOf(credit, shift))));
  }

  /** Whether a free line has the credit's sum on one of its days, whatever its reference. */
  hasAlike(credit: ReportedCredit): boolean {
    const lists = shifts.map(shift => this.bySum.get(sumKey(credit.amount_paise, dayOf(credit, shift))));
    return lists.some(list => list?.some(line => !this.taken.has(line)));
  }

  left(): StatementLine[] {
    return this.lines.filter(line => !this.taken.has(line));
  }

  private take(list: StatementLine[] | undefined): StatementLine | null {
    let line = list?.pop();
    while (line && this.taken.has(line)) line = list?.pop();
    if (line) this.taken.add(line);
    return line ?? null;
  }
}

function sumKey(amount: Paise, on: string): string {
  return `${amount} ${on}`;
}

function append(map: Map<string, StatementLine[]>, key: string, line: StatementLine): void {
  const known = map.get(key);
  if (known) known.push(line);
  else map.set(key, [line]);
}

async function* reportedCredits(
  sql: Queryable,
  merchantId: number,
  account: StatementAccount,
  firstDay: string,
  lastDay: string,
): AsyncGenerator<ReportedCredit> {
  const from = later(new Date(firstDay), -indiaAhead - bookingDays * day);
  const until = later(new Date(lastDay), -indiaAhead + (1 + bookingDays) * day);
  const span = { from, until, arrivedUntil: later(until, longestDelay) };
  let after = { arrived_at: from, alert_id: '' };
  for (;;) {
    const page = await selectReportedCredits(sql, merchantId, account, span, after, pageSize);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}

function note(comparison: Comparison, waiting: Waiting, line: StatementLine, credit: ReportedCredit): void {
  if (line.amount !== credit.amount_paise) add(comparison.differing, { line, credit }, line.amount);
  else if (isRefused(credit)) add(comparison.refused, { line, credit }, line.amount);
  else {
    comparison.matched.count++;
    comparison.matched.sum += line.amount;
    find(comparison, credit, { ...line, key: waiting.keyOf(line) });
  }
}

function isRefused({ verdict }: ReportedCredit): boolean {
  return notOursVerdicts.some(one => one === verdict);
}

function emptyGroup<Row>(): Group<Row> {
  return { count: 0, sum: 0, shown: [] };
}

function add<Row>(group: Group<Row>, row: Row, amount: Paise): void {
  group.count++;
  group.sum += amount;
  if (group.shown.length < mostShown) group.shown.push(row);
}

function dayOf({ alert_time: at }: ReportedCredit, shift = 0): string {
  return indianDay(later(at, shift * day));
}

function isBetween(one: string, first: string, last: string): boolean {
  return one >= first && one <= last;
}
