import { ApiError } from '../../base/http/api-error.ts';
import type { Form } from '../../base/http/form.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { codePoints } from '../../base/http/text.ts';
import { mostPaise, type Paise, paiseFromText } from '../../base/money.ts';
import { shownName } from '../../base/read-name.ts';
import { payableTime } from '../../base/time-windows.ts';
import type { World } from '../../base/world.ts';
import { isTooMuch, moneyRules } from '../../business/merchants/money-rules.ts';
import { whyRefused } from '../../orders/create-order.ts';
import { createCounterPayment } from '../../orders/links/pay-by-link.ts';
import type { PaymentLink } from '../../orders/links/queries.ts';
import { linkOf, type Order, paymentUrl } from '../../orders/order.ts';
import { addedTo } from '../../orders/page/format-amount.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { sayClock, sayTime } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { copyable, linkButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { facts, note, rupees, timeLeft } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';
import { type NearCredit, nearNotes } from './near-credits.ts';
import type { CounterOrder } from './queries.ts';

export const counterPath = '/dashboard/counter';

export function shownPayment(
  visit: Visit,
  order: CounterOrder,
  near: readonly NearCredit[],
  baseUrl: string,
): Html {
  const { texts } = visit;
  const words = texts.counter;
  const amount = rupees(order.payable_paise);
  const url = paymentUrl(baseUrl, order.pay_token);
  const shared = words.shareText({ shop: visit.merchant.name, amount });
  const left = order.expires_at.getTime() - visit.now.getTime();
  return html`<div class="stack near">${nearNotes(visit, order, near, counterPath)}
<div class="middle"><p class="amount${near.length > 0 && ' smaller'}${amount.length > 10 && ' long'}">${money(order.payable_paise)}</p><p class="quiet">${words.added(addedTo(order))}</p></div>${tooMuchNote(texts, order)}
<div class="qr counter-qr${near.length > 0 && ' medium'}" role="img" aria-label="${words.qr({ amount })}">${trusted(qrSvg(linkOf(order)))}</div>
<div class="as-qr"><progress class="meter" max="${payableTime}" value="${left}" data-left="${left}" aria-hidden="true"></progress>
<p class="quiet middle">${timeLeft(texts, left)} · ${words.anyApp}</p></div>
${nextCustomer(texts, near.length > 0)}
${fold(words.send, html`<div class="stack near"><p>${copyable(texts, 'payment-link', url, words.link)}</p>${shareButtons(texts, shared, url)}</div>`)}</div>`;
}

type Asked = Pick<Order, 'status' | 'account_kind' | 'payable_paise'>;

/** Warns about an amount that UPI apps decline, before anybody waits for it. */
export function tooMuchNote({ counter }: Texts, order: Asked): Html | null {
  if (order.status !== 'pending' || !isTooMuch(order)) return null;
  return note(counter.tooMuch({ limit: rupees(moneyRules.personalPayment.paise) }), 'bad');
}

/** Replaces the QR code once nobody waits for it. Only money that came is green. */
export function shownOutcome(
  visit: Visit,
  order: CounterOrder,
  near: readonly NearCredit[],
  baseUrl: string,
): Html {
  const { counter: words, shell } = visit.texts;
  if (order.status === 'paid') return paidPanel(visit, order, baseUrl);
  const over = near.length === 0 ? words.nothingCame : words.timeOver;
  const said = { expired: over, manual_review: words.near.held } as Partial<Record<Order['status'], string>>;
  return html`<div class="stack near">${nearNotes(visit, order, near, counterPath)}<div class="over-panel"><p class="amount smaller">${money(order.payable_paise)}</p>
<p>${said[order.status] ?? shell.statuses[order.status]}</p>${nextCustomer(visit.texts, near.length > 0)}</div></div>`;
}

function nextCustomer({ counter }: Texts, plain = false): Html {
  return html`<a class="button wide${plain && ' plain'}" href="${counterPath}">${counter.next}</a>`;
}

/** Readable from across the counter. Nothing else on this screen has its colour. */
function paidPanel(visit: Visit, order: CounterOrder, baseUrl: string): Html {
  const { counter: words } = visit.texts;
  const sum = order.received_paise ?? order.payable_paise;
  const payer = shownName(order.customer?.name) || shownName(order.payer);
  const about = [payer, order.purpose].filter(Boolean).join(' · ');
  return html`<div class="received paid-panel"><span class="tick">${icon('tick')}</span>
<p><span class="unseen">${words.paid({ amount: rupees(sum) })}</span><span aria-hidden="true">${visit.texts.payments.states.received}</span></p><p class="amount${rupees(sum).length > 10 && ' long'}" aria-hidden="true">${money(sum)}</p>
<p><bdi>${about}</bdi><br><span class="small">${order.paid_at && sayClock(visit.texts.tag, order.paid_at)}</span></p>${nextCustomer(visit.texts)}</div>
<div class="buttons" data-near>${receiptButton(visit, order, baseUrl)}${linkButton(`/dashboard/pay/${order.order_id}`, words.receipt, { plain: true })}</div>`;
}

/** The customer's own page of the payment is their receipt. */
export function receiptButton(visit: Visit, order: Order, baseUrl: string, plain = true): Html {
  const { counter: words } = visit.texts;
  const amount = rupees(order.received_paise ?? order.payable_paise);
  const text = words.receiptText({ shop: visit.merchant.name, amount });
  return whatsappLink(`${text} ${paymentUrl(baseUrl, order.pay_token)}`, words.sendReceipt, plain);
}

export function receipt(visit: Visit, order: CounterOrder, baseUrl: string): Html {
  const { texts, merchant } = visit;
  const words = texts.counter;
  return html`<section class="card receipt"><p class="figure">${money(order.received_paise ?? order.payable_paise)}</p>
${facts([
  [texts.labels.shop, html`<bdi>${merchant.name}</bdi>`],
  [words.purpose, order.purpose !== '' && html`<bdi>${order.purpose}</bdi>`],
  [texts.labels.customer, order.customer?.name !== undefined && html`<bdi>${order.customer.name}</bdi>`],
  [texts.orders.asked, words.added(addedTo(order))],
  [texts.payments.states.given, order.given_back_paise && rupees(order.given_back_paise)],
  // A printed receipt needs the whole date, because "today" means nothing later; the script leaves it alone.
  [words.paidAt, order.paid_at && sayTime(texts.tag, order.paid_at)],
  [texts.labels.bankReference, order.bank_reference ?? '–'],
  [texts.labels.order, order.order_id],
])}
<div class="buttons no-print">${receiptButton(visit, order, baseUrl)}<button type="button" class="button plain" data-print hidden>${icon('print', true)}${words.print}</button></div></section>`;
}

/** WhatsApp opens by its own address; a script offers the device's own share menu. */
export function shareButtons({ counter }: Texts, text: string, url: string, more: Html | null = null): Html {
  const message = text.includes(url) ? text : `${text} ${url}`;
  return html`<div class="buttons">${whatsappLink(message, counter.whatsapp, more === null)}
<button type="button" class="button plain" data-share="${url}" data-share-text="${text.replace(url, '').trim()}" hidden>${icon('share', true)}${counter.share}</button>${more}</div>`;
}

function whatsappLink(message: string, words: string, plain = true): Html {
  return html`<a class="button${plain && ' plain'}" href="${whatsappHref(message)}" target="_blank" rel="noreferrer">${icon('chat', true)}${words}</a>`;
}

export function whatsappHref(message: string): string {
  return `https://wa.me/?text=${encodeURIComponent(message)}`;
}

export const mostPurpose = 80;
export const mostName = 120;

export type CounterFault = {
  field: 'amount' | 'purpose' | 'customer' | null;
  text: string;
  way?: Html | null;
};

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
    const asked = { merchantId, amount, purpose, customerName, by: { made_by: user.email } };
    const order = await world.sql.begin(tx => createCounterPayment(tx, world, asked));
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

export function linkUrl({ baseUrl }: Pick<World, 'baseUrl'>, { token }: Pick<PaymentLink, 'token'>): string {
  return `${baseUrl}/l/${token}`;
}
