import { type Html, html } from '../../base/http/html.ts';
import type { Comparison, Difference, Group } from '../../payments/statements/compare-statement.ts';
import type { Matched } from '../../payments/statements/match-orders.ts';
import type { ReportedCredit } from '../../payments/statements/queries/reported-credits.ts';
import type { StatementLine } from '../../payments/statements/read-lines.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { sayDay } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icons.ts';
import { type Column, moment, rupees, table } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';

/** The comparison's result: how many match, what asks for somebody, then the figures and each group with entries. */
export function comparisonCards(
  visit: Visit,
  { statement, comparison, marked }: { statement: Statement; comparison: Comparison; marked: Matched | null },
): Html {
  const { texts } = visit;
  const words = texts.statement;
  const { matched, untold, refused, differing, unlisted, firstDay, lastDay } = comparison;
  const all = matched.count + untold.count + refused.count + differing.count;
  const share = all === 0 ? 0 : Math.floor((matched.count / all) * 1000) / 10;
  const [first, last] = [sayDay(texts.tag, firstDay), sayDay(texts.tag, lastDay)];
  const sum = rupees(untold.sum);
  const line = (name: string, count: number, value: number) =>
    html`<tr><th scope="row">${name}</th><td class="n">${count.toLocaleString('en-IN')}</td><td class="sum">${money(value)}</td></tr>`;
  const figures = [
    [words.matched, matched],
    [words.untold, untold],
    [words.refused, refused],
    [words.differing, differing],
    [words.unlisted, unlisted],
  ] as const;
  const notes = [
    matched.count > 0 && words.orders({ count: matched.orders }),
    marked && marked.confirmed > 0 && words.newlyConfirmed({ count: marked.confirmed }),
    statement.others.length > 0 && words.othersText({ count: statement.others.length }),
    statement.unclear > 0 && words.unclearText({ count: statement.unclear }),
  ].filter(one => one !== false && one !== null);
  return html`<div class="stack tight"><p class="small quiet">${first === last ? first : `${first} – ${last}`}</p>
<h2 class="title">${words.match({ count: matched.count, all })}</h2>
<svg class="meter${share < 100 && ' warn'}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="1"></rect></svg></div>
${
  untold.count > 0
    ? html`<section class="card asks"><div><h2>${words.missed({ count: untold.count, sum })}</h2><p class="small quiet">${words.missedText}</p></div></section>`
    : html`<p class="beside good">${icon('tick')}<span>${words.allTold}</span></p>`
}
${marked && marked.missing > 0 && html`<section class="card asks"><h2>${words.newlyMissing({ count: marked.missing })}</h2>${plainLink('/dashboard/payments?view=decide#missing', words.seeMissing)}</section>`}
<table class="lines"><caption class="unseen">${words.title}</caption><tbody>${figures.filter(([, { count }], at) => at < 2 || count > 0).map(([name, { count, sum: value }]) => line(name, count, value))}</tbody></table>
${notes.length > 0 && html`<p class="small quiet">${notes.join(' ')}</p>`}
${group(
  visit,
  words.untold,
  null,
  untold,
  lineColumns(visit, one => one),
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
  return fold(
    `${title}: ${count} · ${rupees(sum)}`,
    html`${text !== null && html`<p class="quiet">${text}</p>`}${table(title, shown, columns, { brief: true })}
${count > shown.length && html`<p class="quiet">${texts.labels.andMore({ count: count - shown.length })}</p>`}`,
  );
}

/** On a narrow screen the payer is on one line. */
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

function creditColumns(visit: Visit): Column<ReportedCredit>[] {
  const { labels, statement } = visit.texts;
  return [
    { title: labels.day, place: 'time', cell: credit => moment(credit.alert_time) },
    { title: labels.amount, place: 'sum', cell: credit => rupees(credit.amount_paise), number: true },
    { title: labels.reference, place: 'spare', cell: credit => credit.reference ?? '–' },
    { title: statement.description, place: who, cell: credit => html`<bdi>${credit.payer ?? '–'}</bdi>` },
    { title: statement.mail, place: 'customer', cell: credit => mailLink(visit, credit) },
  ];
}

/** Links to the order that the mail paid, or to the payment that paid none. */
function mailLink({ texts }: Visit, { verdict, order_id: orderId, alert_id: alertId }: ReportedCredit): Html {
  if (verdict === 'paid' && orderId !== null)
    return html`<a href="/dashboard/orders/${encodeURIComponent(orderId)}">${orderId}</a>`;
  if (verdict === 'wrong_account' || verdict === 'wrong_recipient')
    return html`<a href="/dashboard/payments/not-counted">${texts.verdicts[verdict][0]}</a>`;
  return html`<a href="/dashboard/money/${encodeURIComponent(alertId)}">${texts.verdicts[verdict][0]}</a>`;
}
