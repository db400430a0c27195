import { type Html, html } from '../../base/http/html.ts';
import type { Comparison, Difference, Group } from '../../payments/statements/compare-statement.ts';
import type { Marked } from '../../payments/statements/mark-orders.ts';
import type { ToldCredit } from '../../payments/statements/queries/told-credits.ts';
import type { StatementLine } from '../../payments/statements/read-lines.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { sayDay } from '../../texts/say-time.ts';
import { plainLink } from '../frame/controls.ts';
import { type Column, card, facts, moment, note, rupees, table, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';

/** What the comparison found: first what was missed, then the figures, then each group that has anything in it. */
export function comparisonCards(
  visit: Visit,
  { statement, comparison, marked }: { statement: Statement; comparison: Comparison; marked: Marked | null },
): Html {
  const words = visit.texts.statement;
  const { matched, untold, refused, differing, unlisted, firstDay, lastDay } = comparison;
  const sum = rupees(untold.sum);
  const alarm = html`<p><strong>${untold.count === 1 ? words.missedOne({ sum }) : words.missed({ count: untold.count, sum })}</strong></p><p>${words.missedText}</p>`;
  return html`${untold.count > 0 ? note(alarm, 'bad') : note(words.allTold, 'good')}
${marked && marked.missing > 0 && note(html`<p>${words.newlyMissing({ count: marked.missing })}</p><p class="note-link">${plainLink('/dashboard/money', visit.texts.home.openMoney)}</p>`, 'bad')}
${card(
  facts([
    [
      visit.texts.labels.days,
      firstDay === lastDay
        ? sayDay(visit.texts.tag, firstDay)
        : `${sayDay(visit.texts.tag, firstDay)} – ${sayDay(visit.texts.tag, lastDay)}`,
    ],
    [words.matched, `${matched.count} · ${rupees(matched.sum)} · ${words.orders({ count: matched.orders })}`],
    [words.newlyConfirmed, marked?.confirmed ?? false],
    [words.others, statement.others.length > 0 && words.othersText({ count: statement.others.length })],
    [words.unclear, statement.unclear > 0 && words.unclearText({ count: statement.unclear })],
  ]),
)}
${group(
  visit,
  words.untold,
  null,
  untold,
  lineColumns(visit, line => line),
)}
${group(visit, words.refused, words.refusedText, refused, differenceColumns(visit))}
${group(visit, words.differing, words.differingText, differing, differenceColumns(visit))}
${group(visit, words.unlisted, words.unlistedText, unlisted, creditColumns(visit))}`;
}

function group<Row>(
  { texts }: Visit,
  title: string,
  text: string | null,
  { count, sum, shown }: Group<Row>,
  columns: readonly Column<Row>[],
): Html | null {
  if (count === 0) return null;
  return titledCard({ title: `${title}: ${count} · ${rupees(sum)}` })`
${text !== null && html`<p class="quiet">${text}</p>`}
${table(title, shown, columns, { brief: true })}
${count > shown.length && html`<p class="quiet">${texts.labels.andMore({ count: count - shown.length })}</p>`}`;
}

/** Where there is little room: who, on one line. */
const who = 'order one-line';

function lineColumns<Row>(visit: Visit, lineOf: (row: Row) => StatementLine): Column<Row>[] {
  const { labels, statement } = visit.texts;
  return [
    { title: labels.day, place: 'time', cell: row => sayDay(visit.texts.tag, lineOf(row).day) },
    { title: labels.amount, place: 'sum', cell: row => rupees(lineOf(row).amount), number: true },
    { title: labels.reference, place: 'payer', cell: row => lineOf(row).reference ?? '–' },
    { title: statement.description, place: who, cell: row => html`<bdi>${lineOf(row).text}</bdi>` },
  ];
}

function differenceColumns(visit: Visit): Column<Difference>[] {
  const words = visit.texts.statement;
  return [
    ...lineColumns<Difference>(visit, ({ line }) => line),
    {
      title: words.toldAmount,
      place: 'status told',
      number: true,
      cell: row => rupees(row.credit.amount_paise),
    },
    { title: words.mail, place: 'customer', cell: ({ credit }) => mailLink(visit, credit) },
  ];
}

function creditColumns(visit: Visit): Column<ToldCredit>[] {
  const { labels, statement } = visit.texts;
  return [
    { title: labels.day, place: 'time', cell: credit => moment(credit.alert_time) },
    { title: labels.amount, place: 'sum', cell: credit => rupees(credit.amount_paise), number: true },
    { title: labels.reference, place: 'spare', cell: credit => credit.reference ?? '–' },
    { title: statement.description, place: who, cell: credit => html`<bdi>${credit.payer ?? '–'}</bdi>` },
    { title: statement.mail, place: 'customer', cell: credit => mailLink(visit, credit) },
  ];
}

/** To where the money is told of: the order that it paid, or the screen of money that paid none. */
function mailLink({ texts }: Visit, { verdict, order_id: orderId, alert_id: alertId }: ToldCredit): Html {
  if (verdict === 'paid' && orderId !== null)
    return html`<a href="/dashboard/orders/${encodeURIComponent(orderId)}">${orderId}</a>`;
  if (verdict === 'wrong_account' || verdict === 'wrong_recipient')
    return html`<a href="/dashboard/money/refused">${texts.verdicts[verdict][0]}</a>`;
  return html`<a href="/dashboard/money/${encodeURIComponent(alertId)}">${texts.verdicts[verdict][0]}</a>`;
}
