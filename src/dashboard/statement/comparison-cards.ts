import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { Comparison, Difference, Group } from '../../payments/statements/compare-statement.ts';
import type { Matched } from '../../payments/statements/match-orders.ts';
import type { ReportedCredit } from '../../payments/statements/queries/reported-credits.ts';
import type { StatementLine } from '../../payments/statements/read-lines.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayDay } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { moment, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { type ListRow, money, rowList } from '../frame/rows.ts';

/** How many match, of all that the statement or a mail names; what asks for somebody; then each group with its sum. */
export function comparisonCards(
  visit: Visit,
  { statement, comparison, stored }: { statement: Statement; comparison: Comparison; stored: Matched | null },
): Html {
  const { texts } = visit;
  const words = texts.statement;
  const { matched, unreported, refused, differing, unlisted, firstDay, lastDay } = comparison;
  const all = matched.count + unreported.count + refused.count + differing.count + unlisted.count;
  const share = all === 0 ? 0 : Math.floor((matched.count / all) * 1000) / 10;
  const [first, last] = [sayDay(texts.tag, firstDay), sayDay(texts.tag, lastDay)];
  const sum = rupees(unreported.sum);
  const notes = [
    stored && stored.confirmed > 0 && words.newlyConfirmed({ count: stored.confirmed }),
    statement.others.length > 0 && words.othersText({ count: statement.others.length }),
    statement.unclear > 0 && words.unclearText({ count: statement.unclear }),
  ].filter(one => one !== false && one !== null);
  return html`<div class="stack tight"><p class="small quiet">${first === last ? first : `${first} – ${last}`}</p>
<h2 class="title">${words.match({ count: matched.count, all })}</h2>
<svg class="meter${share < 100 && ' warn'}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="1"></rect></svg></div>
${
  unreported.count > 0
    ? html`<section class="card asks"><div><h2>${words.missed({ count: unreported.count, sum })}</h2><p class="small quiet">${words.missedText}</p></div></section>`
    : html`<p class="beside good">${icon('tick')}<span>${words.allReported}</span></p>`
}
${stored && stored.missing > 0 && html`<section class="card asks"><h2>${words.newlyMissing({ count: stored.missing })}</h2>${plainLink('/dashboard/payments?view=decide#missing', words.seeMissing)}</section>`}
<table class="lines"><caption class="unseen">${words.title}</caption><tbody><tr><th scope="row">${words.matched}</th><td class="n">${matched.count.toLocaleString('en-IN')}</td><td class="sum">${money(matched.sum)}</td></tr></tbody></table>
${notes.length > 0 && html`<p class="small quiet">${notes.join(' ')}</p>`}
${group(texts, words.unreported, null, unreported, one => lineRow(texts, one))}
${group(texts, words.refused, words.refusedText, refused, one => differenceRow(texts, one))}
${group(texts, words.differing, words.differingText, differing, one => differenceRow(texts, one))}
${group(texts, words.unlisted, words.unlistedText, unlisted, one => creditRow(texts, one))}`;
}

function group<Row>(
  { labels }: Texts,
  title: string,
  text: string | null,
  { count, sum, shown }: Group<Row>,
  rowOf: (row: Row) => ListRow,
): Html | null {
  if (count === 0) return null;
  return fold(
    `${title}: ${count} · ${rupees(sum)}`,
    html`${text !== null && html`<p class="quiet">${text}</p>`}${rowList(shown.map(rowOf))}
${count > shown.length && html`<p class="quiet">${labels.andMore({ count: count - shown.length })}</p>`}`,
  );
}

function lineRow({ tag }: Texts, { day, amount, reference, text }: StatementLine): ListRow {
  return { who: html`<bdi>${text}</bdi>`, what: reference, when: sayDay(tag, day), sum: money(amount) };
}

/** With the email's own sum, because it may be another one. */
function differenceRow(texts: Texts, { line, credit }: Difference): ListRow {
  const amount = `${texts.statement.reportedAmount}: ${rupees(credit.amount_paise)}`;
  const what = line.reference === null ? amount : `${line.reference} · ${amount}`;
  return { ...lineRow(texts, line), what, state: mailLink(texts, credit) };
}

function creditRow(texts: Texts, credit: ReportedCredit): ListRow {
  return {
    who: html`<bdi>${shownName(credit.payer) || '–'}</bdi>`,
    what: credit.reference,
    when: moment(credit.alert_time),
    sum: money(credit.amount_paise),
    state: mailLink(texts, credit),
  };
}

/** Links to the order that the mail paid, or to the payment that paid none. */
function mailLink(texts: Texts, { verdict, order_id: orderId, alert_id: alertId }: ReportedCredit): Html {
  if (verdict === 'paid' && orderId !== null)
    return html`<a href="/dashboard/orders/${encodeURIComponent(orderId)}">${orderId}</a>`;
  if (verdict === 'wrong_account' || verdict === 'wrong_recipient')
    return html`<a href="/dashboard/payments/not-counted">${texts.verdicts[verdict][0]}</a>`;
  return html`<a href="/dashboard/money/${encodeURIComponent(alertId)}">${texts.verdicts[verdict][0]}</a>`;
}
