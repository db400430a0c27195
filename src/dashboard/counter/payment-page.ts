import { ApiError } from '../../base/http/api-error.ts';
import type { Form } from '../../base/http/form.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { codePoints } from '../../base/http/text.ts';
import { mostPaise, type Paise, paiseFromText } from '../../base/money.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { isTooMuch, moneyRules } from '../../business/merchants/money-rules.ts';
import { whyRefused } from '../../orders/create-order.ts';
import { takePayment } from '../../orders/links/pay-by-link.ts';
import type { Order } from '../../orders/order.ts';
import { addedTo } from '../../orders/page/format-amount.ts';
import { linkOf, paymentUrl } from '../../orders/present-order.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayTime } from '../../texts/say-time.ts';
import { copyable } from '../frame/controls.ts';
import { card, facts, moment, note, pageHead, rupees, statusBadge, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { CreditRow } from '../money/queries/money.ts';
import { nearNotes } from './near-credits.ts';
import type { CounterOrder } from './queries.ts';

/** A payment at the counter: the QR code to show, the link to send, and the state when it is paid. */
export function paymentPage(visit: Visit, order: CounterOrder, near: readonly CreditRow[], baseUrl: string) {
  const { texts } = visit;
  const words = texts.counter;
  const url = paymentUrl(baseUrl, order.pay_token);
  const isOpen = order.status === 'pending';
  const live = `/dashboard/pay/${order.order_id}/state`;
  return html`${pageHead(order.purpose || words.payment)}
<div id="till-state" class="stack" aria-live="polite"${order.status !== 'paid' && html` data-live="${live}"`}>${paymentState(visit, order, near)}</div>
${tooMuchNote(texts, order)}
${
  isOpen &&
  card(html`<div class="till-qr"><p class="figure">${words.payExactly({ amount: rupees(order.payable_paise) })}</p><p class="quiet">${words.added(addedTo(order))}</p>
<div class="proof-qr" role="img" aria-label="${words.qr({ amount: rupees(order.payable_paise) })}">${trusted(qrSvg(linkOf(order)))}</div>
<p class="quiet">${words.until}: ${moment(order.expires_at)}</p></div>`)
}
${
  isOpen &&
  titledCard({ title: words.send })`
<p>${copyable(texts, 'till-link', url, words.link)}</p>${shareButtons(texts, words.shareText({ shop: visit.business.name, amount: rupees(order.payable_paise) }), url)}`
}`;
}

type Asked = Pick<Order, 'status' | 'account_kind' | 'payable_paise'>;

/** Warns about an amount that UPI apps decline, before anybody waits for it. */
export function tooMuchNote({ counter }: Texts, order: Asked): Html | null {
  if (order.status !== 'pending' || !isTooMuch(order)) return null;
  return note(counter.tooMuch({ limit: rupees(moneyRules.personalPayment.paise) }), 'bad');
}

/** The live part. Once the order is paid, it is the receipt. */
export function paymentState(visit: Visit, order: CounterOrder, near: readonly CreditRow[]): Html {
  const { texts, business } = visit;
  const words = texts.counter;
  if (order.status !== 'paid' || order.paid_at === null)
    return html`<p${order.status !== 'pending' && html` class="till-closed"`}>${statusBadge(texts, order.status)} ${order.status === 'pending' ? words.waiting : order.status === 'expired' ? (near.length === 0 ? words.expired : words.timeOver) : ''}</p>${nearNotes(visit, order, near, '/dashboard/pay')}`;
  return html`<div data-over="/dashboard/pay/${order.order_id}">${paidPanel(texts, order)}</div>
<section class="card receipt"><div class="card-head"><h2>${words.receipt}</h2></div>
${facts([
  [texts.labels.shop, html`<bdi>${business.name}</bdi>`],
  [words.purpose, order.purpose !== '' && html`<bdi>${order.purpose}</bdi>`],
  [texts.labels.customer, order.customer?.name !== undefined && html`<bdi>${order.customer.name}</bdi>`],
  [texts.labels.received, rupees(order.received_paise ?? order.payable_paise)],
  [texts.orders.asked, words.added(addedTo(order))],
  // A printed receipt needs the whole date, because "today" means nothing later; the script leaves it alone.
  [words.paidAt, sayTime(texts.tag, order.paid_at)],
  [texts.labels.bankReference, order.bank_reference ?? '–'],
  [texts.labels.order, order.order_id],
])}
<div class="actions"><button type="button" class="button plain" data-print hidden>${words.print}</button></div></section>`;
}

/** Readable from across the counter. Nothing else on this screen has its colour. */
export function paidPanel({ counter }: Texts, order: CounterOrder): Html {
  const about = [order.purpose, shownName(order.customer?.name)].filter(Boolean).join(', ');
  const sum = rupees(order.received_paise ?? order.payable_paise);
  return html`<div class="paid-panel"><span class="paid-tick" aria-hidden="true">✓</span>
<p class="paid-sum${sum.length > 9 && ' long'}"><strong>${counter.paid({ amount: sum })}</strong></p>
${about !== '' && html`<p><bdi>${about}</bdi></p>`}</div>`;
}

/** WhatsApp opens by its own address; a script offers the device's own share menu. */
export function shareButtons({ counter }: Texts, text: string, url: string): Html {
  const message = `${text} ${url}`;
  return html`<div class="actions"><a class="button plain" href="https://wa.me/?text=${encodeURIComponent(message)}" target="_blank" rel="noreferrer">${counter.whatsapp}</a>
<button type="button" class="button plain" data-share="${url}" data-share-text="${text}" hidden>${counter.share}</button></div>`;
}

export const mostPurpose = 80;
export const mostName = 120;

export type CounterFault = {
  field: 'amount' | 'purpose' | 'customer' | null;
  text: string;
  way?: Html | null;
};

/** Reads the amount and its other fields from either form. */
export async function makeFromForm(
  world: World,
  { form, texts, merchantId, user, may }: Visit,
): Promise<{ orderId: string } | { fault: CounterFault }> {
  const words = texts.counter;
  const amount = readAmount(form);
  if (amount === null) return { fault: { field: 'amount', text: words.wrongAmount } };
  const [purpose, customerName] = [form.text('purpose'), form.text('customer')];
  if (codePoints(purpose) > mostPurpose) return { fault: { field: 'purpose', text: words.tooLong } };
  if (codePoints(customerName) > mostName) return { fault: { field: 'customer', text: words.tooLong } };
  try {
    const order = await world.sql.begin(tx =>
      takePayment(tx, world, { merchantId, amount, purpose, customerName, by: { person: user.email } }),
    );
    return { orderId: order.order_id };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isFull = error.code === 'plan_limit_reached' && may('business.read');
    const way = isFull ? html` <a href="/dashboard/plan">${texts.home.openPlan}</a>` : null;
    return { fault: { field: null, text: sayReason(texts.tag, whyRefused(error)), way } };
  }
}

export function readAmount(form: Form, name = 'amount'): Paise | null {
  const amount = paiseFromText(form.text(name));
  return amount === null || amount < 1 || amount > mostPaise ? null : amount;
}
