import { type Html, html } from '../http/html.ts';
import { sayTime } from '../texts/say-time.ts';
import { formatAmount } from './format-amount.ts';
import type { PageView } from './render-page.ts';

/**
 * What the customer keeps. A page that was open while she paid knows none of it: its script takes this part from the page
 * as it is then, so that what it says is always the server's word. The buttons are the script's.
 */
export function receipt({ order, texts, stays }: PageView): Html {
  if (order.status !== 'paid') return html`<div id="receipt"></div>`;
  const amount = formatAmount(order.received_paise ?? order.payable_paise).text;
  const rows: [string, string | null, string?][] = [
    [texts.paidTo, order.shop],
    [texts.paidFor, order.purpose],
    [texts.amount, amount],
    [texts.paidAt, order.paid_at && sayTime(texts.tag, order.paid_at)],
    [texts.bankReference, order.bank_reference],
    [texts.order, order.order_id],
  ];
  const given = rows.filter(([, value]) => value !== null);
  const shared = [texts.receiptTitle, ...given.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return html`<div id="receipt"><dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<p class="keep"><button type="button" hidden data-print>${texts.receiptPrint}</button>
<button type="button" hidden data-share="${shared}">${texts.receiptShare}</button></p>
${!stays && html`<noscript><p><a href="?lang=${texts.tag}&amp;stay=1">${texts.receiptKeep}</a></p></noscript>`}</div>`;
}
