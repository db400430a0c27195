import type { Bank } from '../../alerts/banks/bank.ts';
import { printsPayerId } from '../../alerts/banks/bank-support.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { vpaForm } from '../../business/merchants/read-upi-account.ts';
import type { Order } from '../../orders/order.ts';
import { longestMerchantOrderId } from '../../orders/read-create-body.ts';
import { qrSvg, upiLink } from '../../orders/upi-link.ts';
import type { Twin } from '../../payments/matching/queries/twins.ts';
import type { Texts } from '../../texts/languages.ts';
import { copyable, field, linkButton, plainLink, postButton, postForm } from '../frame/controls.ts';
import { card, facts, moment, orderLink, pageHead, rupees, statusBadge, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { evidence } from '../orders/evidence.ts';
import { noteField } from './credit-item.ts';
import { creditBadge, creditStory, creditSum, isTaking, twinList } from './credit-words.ts';
import { otherOrders } from './decide-page.ts';
import { moneyPath } from './money-head.ts';
import type { CreditRow } from './queries/money.ts';

export type CreditView = {
  credit: CreditRow;
  twins: readonly Twin[];
  likely: readonly Order[];
  around: readonly Order[];
  /** Null if nobody has searched. */
  found: readonly Order[] | null;
  bankName: (id: string) => string;
  /** The payer's UPI ID, if it is certain. */
  payerId: string | null;
};

export function creditPage(visit: Visit, view: CreditView): Html {
  const { texts } = visit;
  const words = texts.money;
  const { credit } = view;
  const mayDecide = visit.may('money.decide');
  const isOpen = credit.state === 'open';
  return html`${pageHead(words.payment({ sum: creditSum(credit) }), { back: { href: moneyPath, text: texts.shell.navigation.money } })}
${twinList(visit, view.twins)}${otherOrders(visit, credit)}${card(html`${payTo(visit, credit)}${ended(visit, credit, mayDecide)}
<details><summary>${words.evidence}</summary>${evidence(texts, credit, view.bankName)}</details>`)}
${isOpen && mayDecide && chooseCard(visit, view)}
${(isOpen || credit.state === 'to_give_back') && mayDecide && html`${giveBackCard(visit, view)}${!isTaking(credit) && keepCard(visit, credit)}`}`;
}

function payTo({ texts }: Visit, credit: CreditRow): Html {
  const { labels, money: words } = texts;
  const { bank_reference: reference } = credit;
  const amount = credit.amount_paise === null ? '–' : (credit.amount_paise / 100).toFixed(2);
  return facts([
    [
      labels.state,
      html`${creditBadge(texts, credit)} ${credit.state === 'open' && creditStory(texts, credit)}`,
    ],
    [labels.amount, copyable(texts, 'amount', amount, labels.amount)],
    [
      labels.payer,
      credit.payer === null ? words.unknownPayer : copyable(texts, 'payer', credit.payer, labels.payer),
    ],
    [labels.bankReference, reference && copyable(texts, 'reference', reference, labels.bankReference)],
    [labels.cameIn, moment(credit.alert_time ?? credit.arrived_at)],
  ]);
}

function ended({ texts }: Visit, credit: CreditRow, mayDecide: boolean): Html | null {
  const words = texts.money;
  const { state, for_order, done_by, done_at, return_reference } = credit;
  if (state === 'open' || done_at === null) return null;
  const path = `${moneyPath}/${credit.alert_id}`;
  const shown = facts([
    [texts.labels.order, for_order && orderLink(for_order)],
    [words.returnReference, return_reference],
    [texts.labels.by, html`<bdi>${done_by === 'milaan' ? words.byMilaan : done_by}</bdi>`],
    [texts.labels.when, moment(done_at)],
    [words.note, credit.note ? html`<bdi>${credit.note}</bdi>` : null],
  ]);
  if (state === 'accepted' || !mayDecide) return shown;
  return state === 'attached'
    ? html`${shown}<div class="actions">${linkButton(`${path}/orders/${for_order}`, words.decide)}</div>`
    : html`${shown}<div class="actions">${postButton(`${path}/reopen`, words.undo)}</div>`;
}

function chooseCard(visit: Visit, { credit, likely, around, found }: CreditView): Html {
  const words = visit.texts.money;
  const others = around.filter(order => !likely.some(one => one.order_id === order.order_id));
  const list = (title: string, orders: readonly Order[]) =>
    orders.length > 0 &&
    html`<h3>${title}</h3><ul class="money">${orders.map(order => orderItem(visit, credit, order))}</ul>`;
  const search = field('q', words.search, {
    hint: words.searchHint,
    type: 'search',
    value: visit.query.text('q'),
    maxlength: longestMerchantOrderId,
  });
  return titledCard({ title: words.chooseTitle, id: 'orders' })`<p class="quiet">${words.chooseText}</p>
${found !== null && (found.length === 0 ? html`<p>${words.nothingFound}</p>` : list(words.found, found))}
${found === null && html`${list(words.likely, likely)}${list(words.around, others)}${likely.length + others.length === 0 && html`<p>${words.nothingAround}</p>`}`}
<form method="get" action="${moneyPath}/${credit.alert_id}#orders" class="stack">${search}<div class="actions"><button class="button plain">${words.find}</button></div></form>`;
}

function orderItem({ texts }: Visit, credit: CreditRow, order: Order): Html {
  const path = `${moneyPath}/${credit.alert_id}/orders/${order.order_id}`;
  return html`<li class="money-item"><div class="money-about">
<p class="money-line"><span class="money-sum">${rupees(order.payable_paise)}</span> ${statusBadge(texts, order.status)}</p>
<p class="quiet"><span class="id">${order.order_id}</span> · <bdi>${order.merchant_order_id}</bdi> · ${moment(order.created_at)}</p></div>
<div class="actions">${plainLink(path, texts.money.compare)}</div></li>`;
}

function giveBackCard(visit: Visit, { credit, payerId }: CreditView): Html {
  const words = visit.texts.money;
  const reference = field('return_reference', `${words.returnReference} (${visit.texts.shell.optional})`, {
    hint: words.returnReferenceHint,
    maxlength: longestReference,
  });
  return titledCard({ title: words.giveBackTitle, id: 'give-back' })`
<p class="quiet">${words.giveBackText}</p>${postForm(`${moneyPath}/${credit.alert_id}/given-back`, words.recordGivenBack, html`${payerId !== null && payBackQr(visit.texts, credit, payerId)}${reference}${noteField(visit, 'give-back-note')}`)}`;
}

export const longestReference = 40;

function keepCard(visit: Visit, credit: CreditRow): Html {
  const words = visit.texts.money;
  const keep = html`<form method="post" action="${moneyPath}/${credit.alert_id}/keep" class="stack">${noteField(visit, 'keep-note')}<div class="actions"><button class="button plain">${words.keep}</button></div></form>`;
  return card(html`<p class="quiet">${words.keepText}</p>${keep}`, { title: words.keepTitle, id: 'keep' });
}

/** Some banks print stars or a row of x for hidden digits. */
const masked = /x{4}/;

/**
 * The payer's UPI ID, if the bank's signed mail names it with certainty. Null if somebody must look for the money
 * first: a common fraud is to ask back money that never came.
 */
export function payerId(credit: CreditRow, banks: readonly Bank[]): string | null {
  const { payer, bank, template, amount_paise, to_look_for, told_twice } = credit;
  const wording = banks.find(({ id }) => id === bank)?.templates.find(({ id }) => id === template);
  if (payer === null || amount_paise === null || to_look_for || told_twice) return null;
  const id = payer.toLowerCase();
  return wording && printsPayerId(wording) && vpaForm.test(id) && !masked.test(id) ? id : null;
}

/** For the owner's own app. The ID is in the name field, so that the app itself shows whose ID it is. */
function payBackQr({ money }: Texts, credit: CreditRow, id: string): Html {
  const payee = { vpa: id, payeeName: id, kind: 'personal', merchantCode: null } as const;
  const about = `Refund ${credit.bank_reference ?? ''}`.trim();
  const link = upiLink(payee, paise(credit.amount_paise ?? 0), about);
  const sum = creditSum(credit);
  return html`<p>${money.payBack({ sum, id })} <strong>${money.payBackName}</strong></p>
<div class="proof-qr" role="img" aria-label="${money.payBackQr({ sum, id })}">${trusted(qrSvg(link))}</div>
<p class="quiet">${money.payBackHere}</p>`;
}
