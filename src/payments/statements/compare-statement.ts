import { day, hour, later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import { notOursVerdicts } from '../../texts/verdicts.ts';
import { selectToldCredits, type ToldCredit } from './queries.ts';
import type { StatementLine } from './read-lines.ts';

/** As many as a person can still read in a list; the rest is counted. */
export const mostShown = 200;

/** How many there are and what they come to, and the first of them. */
export type Group<Row> = { count: number; sum: number; shown: Row[] };

export type Difference = { line: StatementLine; credit: ToldCredit };

/** A statement beside the mails of its days. Nothing is changed by it. */
export type Comparison = {
  firstDay: string;
  lastDay: string;
  matched: { count: number; sum: number; orders: number };
  /** Money that no mail told of. */
  untold: Group<StatementLine>;
  /** A mail told of it, but not about the account or to the address that count. */
  refused: Group<Difference>;
  /** The same reference, another sum. */
  differing: Group<Difference>;
  /** A mail told of it, and the statement does not. */
  unlisted: Group<ToldCredit>;
};

const pageSize = 5_000;
const mostCredits = 200_000;
/** A bank may book a payment of the late evening on the next day. */
const bookingDays = 1;
/** A mail that is later than this is found by its reference's absence. */
const longestDelay = 14 * day;

/** `lines` are of one account at one bank; null when more mails came in those days than one comparison takes. */
export async function compareStatement(
  sql: Queryable,
  merchantId: number,
  bank: string,
  lines: readonly StatementLine[],
): Promise<Comparison | null> {
  const days = lines.map(line => line.day).sort();
  const [firstDay, lastDay] = [days[0]!, days.at(-1)!];
  const comparison: Comparison = {
    firstDay,
    lastDay,
    matched: { count: 0, sum: 0, orders: 0 },
    ...{ untold: emptyGroup(), refused: emptyGroup(), differing: emptyGroup(), unlisted: emptyGroup() },
  };
  const waiting = new Waiting(lines);
  const alone: ToldCredit[] = [];
  let seen = 0;
  for await (const credit of toldCredits(sql, merchantId, bank, firstDay, lastDay)) {
    if (++seen > mostCredits) return null;
    const line = waiting.takeByReference(credit);
    if (line) note(comparison, line, credit);
    else alone.push(credit);
  }
  // What counted first: a refused mail must not take the line of one that was taken.
  for (const credit of alone.sort((a, b) => Number(isRefused(a)) - Number(isRefused(b)))) {
    const line = waiting.takeBySum(credit);
    if (line) note(comparison, line, credit);
    else if (!isRefused(credit) && isBetween(dayOf(credit), firstDay, lastDay))
      add(comparison.unlisted, credit, credit.amount_paise);
  }
  for (const line of waiting.left()) add(comparison.untold, line, line.amount);
  return comparison;
}

/** The lines that no mail has been found for yet. Each list gives its last line, so that a busy day costs no search. */
class Waiting {
  private readonly byReference = new Map<string, StatementLine[]>();
  private readonly bySum = new Map<string, StatementLine[]>();
  private readonly withoutReference = new Map<string, StatementLine[]>();
  private readonly taken = new Set<StatementLine>();
  private readonly lines: readonly StatementLine[];

  constructor(lines: readonly StatementLine[]) {
    this.lines = lines;
    for (const line of lines) {
      const key = sumKey(line.amount, line.day);
      append(this.bySum, key, line);
      if (line.reference === null) append(this.withoutReference, key, line);
      else append(this.byReference, line.reference, line);
    }
  }

  takeByReference({ reference }: ToldCredit): StatementLine | null {
    return reference === null ? null : this.take(this.byReference.get(reference));
  }

  /** Only where one of the two has no reference: two references that differ are two payments. */
  takeBySum(credit: ToldCredit): StatementLine | null {
    const lists = credit.reference === null ? this.bySum : this.withoutReference;
    for (const shift of [0, bookingDays, -bookingDays]) {
      const line = this.take(lists.get(sumKey(credit.amount_paise, dayOf(credit, shift))));
      if (line) return line;
    }
    return null;
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

async function* toldCredits(
  sql: Queryable,
  merchantId: number,
  bank: string,
  firstDay: string,
  lastDay: string,
): AsyncGenerator<ToldCredit> {
  const from = later(startOf(firstDay), -bookingDays * day);
  const until = later(startOf(lastDay), (1 + bookingDays) * day);
  const span = { from, until, arrivedUntil: later(until, longestDelay) };
  let after = { arrived_at: from, alert_id: '' };
  for (;;) {
    const page = await selectToldCredits(sql, merchantId, bank, span, after, pageSize);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}

function note(comparison: Comparison, line: StatementLine, credit: ToldCredit): void {
  if (line.amount !== credit.amount_paise) add(comparison.differing, { line, credit }, line.amount);
  else if (isRefused(credit)) add(comparison.refused, { line, credit }, line.amount);
  else {
    comparison.matched.count++;
    comparison.matched.sum += line.amount;
    if (credit.verdict === 'paid') comparison.matched.orders++;
  }
}

function isRefused({ verdict }: ToldCredit): boolean {
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

/** India's clock, which has no summer time. */
const indianOffset = 5.5 * hour;

function startOf(indianDay: string): Date {
  return new Date(Date.parse(indianDay) - indianOffset);
}

function dayOf({ alert_time: at }: ToldCredit, shift = 0): string {
  return new Date(at.getTime() + indianOffset + shift * day).toISOString().slice(0, 10);
}

function isBetween(one: string, first: string, last: string): boolean {
  return one >= first && one <= last;
}
