import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Party, selectTerms } from '../../orders/sales/queries.ts';
import { sayTime } from '../../texts/say-time.ts';
import { facts, rupees, screen } from '../frame/parts.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';

/** What was received for which days, to print. What tax is in it is for whoever writes invoices. */
export async function showReceipt(world: World, { texts, merchantId, params }: Visit): Promise<Answer> {
  const terms = await selectTerms(world.sql, merchantId, { all: true });
  const term = terms.find(one => one.order_id === params['order_id']);
  if (!term) return notFound();
  const words = texts.plan;
  const { receipt } = term;
  const party = ({ name, address, gstin }: Party) =>
    html`<bdi>${name}</bdi>${address !== null && html`<br><bdi>${address}</bdi>`}${gstin !== null && html`<br>GSTIN ${gstin}`}`;
  const number = `R-${receipt.number}`;
  const back = { href: '/dashboard/plan', text: texts.shell.navigation.plan };
  return screen(words.receipt(number), { back })`
<section class="card receipt"><div class="card-head"><h2>${words.receipt(number)}</h2></div>
${facts([
  [words.receiptFrom, party(receipt.seller)],
  [words.receiptTo, party(receipt.buyer)],
  [texts.labels.plan, term.title[texts.tag]],
  [texts.labels.days, words.daysOf(term.days, term.carried_days)],
  [words.price, rupees(term.price_paise)],
  [texts.labels.received, html`<strong>${rupees(receipt.received_paise)}</strong>`],
  [texts.labels.when, sayTime(texts.tag, new Date(receipt.paid_at), 'full')],
  [texts.labels.bankReference, receipt.bank_reference],
  [texts.labels.order, term.order_id],
])}
<p class="quiet">${words.receiptText}</p>
<div class="actions"><button type="button" class="button" data-print hidden>${texts.till.print}</button></div></section>`;
}
