import type { Bank } from '../../alerts/banks/bank.ts';
import { printsPayerId } from '../../alerts/banks/bank-support.ts';
import { later } from '../../base/clock.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise, paiseFromText } from '../../base/money.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { vpaForm } from '../../business/merchants/read-upi-account.ts';
import { qrSvg, upiLink } from '../../orders/upi-link.ts';
import { giveBack, undoGivingBack, undoTime } from '../../payments/review/give-back.ts';
import { segments } from '../frame/choosing.ts';
import { button, copyable, field, hidden } from '../frame/controls.ts';
import { rupees, screen, shortSum } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';
import { moneyPath, noteField } from './credit-words.ts';
import { orderPath, personOf } from './payment-rows.ts';
import { type CreditRow, selectCredit, selectCredits } from './queries/credits.ts';
import { selectOneOrder } from './queries/orders.ts';

const ofOrder = '/dashboard/orders/:order_id/give-back';

/** Giving back: in the shop's own UPI app, and then noted here. The program moves no money. */
export const giveBackRoutes = [
  get(`${moneyPath}/:alert_id/give-back`, 'money.decide', showOfCredit),
  get(ofOrder, 'money.decide', showOfOrder),
  post(ofOrder, 'money.decide', noteOfOrder),
  post(`${ofOrder}/undo`, 'money.decide', undoOfOrder),
];

export const longestReference = 40;

/** Money without an order is given back in one piece. `changes.ts` notes it. */
async function showOfCredit({ sql, banks }: World, visit: Visit): Promise<Answer> {
  const { money: words, payments, shell } = visit.texts;
  const credit = await selectCredit(sql, visit.merchantId, visit.params['alert_id']!, visit.now);
  if (!credit || (credit.state !== 'open' && credit.state !== 'to_give_back')) return notFound();
  const path = `${moneyPath}/${credit.alert_id}`;
  const amount = credit.amount_paise ?? 0;
  const reference = field('return_reference', `${words.returnReference} (${shell.optional})`, {
    hint: words.returnReferenceHint,
    maxlength: longestReference,
  });
  return screen(payments.one.giveBack, {
    text: payments.giveBack.to({ who: shownName(credit.payer) || payments.giveBack.customer }),
    back: { href: path, text: words.payment({ sum: shortSum(amount) }) },
  })`
<div class="stack one-column"><p class="figure">${money(amount)}</p>
${payBackStep(visit, { payerId: certainPayer(credit, banks.current()), amount, reference: credit.bank_reference })}
${noteStep(visit, `${path}/given-back`, amount, html`${reference}${noteField(visit, 'give-back-note')}`)}</div>`;
}

async function showOfOrder(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, query, now } = visit;
  const orderId = params['order_id']!;
  const order = await selectOneOrder(world.sql, merchantId, orderId, now);
  if (order?.status !== 'paid') return notFound();
  const words = texts.payments.giveBack;
  const path = orderPath(orderId);
  const before = order.given_back_paise;
  const left = order.received_paise! - before;
  if (left <= 0) return redirect(path, words.left);
  const [credit] = await selectCredits(world.sql, merchantId, order.alert_id ? [order.alert_id] : []);
  const isPart = query.has('part');
  const typed = query.text('amount');
  const sum = isPart ? paiseFromText(typed) : left;
  const amount = sum !== null && sum > 0 && sum <= left ? sum : null;
  const ways = [
    { href: `${path}/give-back`, text: words.all({ sum: rupees(left) }), current: !isPart },
    { href: `${path}/give-back?part=1`, text: words.part, current: isPart },
  ];
  const error = typed !== '' && amount === null ? words.wrong({ sum: rupees(left) }) : undefined;
  const payerId = credit ? certainPayer(credit, world.banks.current()) : null;
  const who = personOf(order) ?? words.customer;
  const { giveBack: title, title: above } = texts.payments.one;
  return screen(title, { text: words.to({ who }), back: { href: path, text: above } })`
<div class="stack one-column">${segments(words.howMuch, ways)}
${isPart && html`<form class="stack">${hidden({ part: '1' })}${field('amount', words.howMuch, { value: typed, inputmode: 'decimal', required: true, error, ...(amount !== null && amount < left && { hint: words.stays({ sum: rupees(left - amount) }) }) })}<div class="actions">${button(words.show, { plain: true })}</div></form>`}
${
  amount !== null &&
  html`${payBackStep(visit, { payerId, amount, reference: order.bank_reference })}
${noteStep(visit, `${path}/give-back`, amount, hidden({ amount: String(amount), before: String(before) }))}`
}</div>`;
}

async function noteOfOrder(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, params, now } = visit;
  const orderId = params['order_id']!;
  const [amount, before] = [form.text('amount'), form.text('before')];
  if (![amount, before].every(text => /^\d{1,12}$/.test(text))) return notFound();
  const asked = { orderId, amount: Number(amount), before: Number(before) };
  const given = await world.sql.begin(tx => giveBack(tx, actorOf(visit), asked));
  const path = orderPath(orderId);
  if ('refusal' in given) {
    if (given.refusal === 'unknown_order') return notFound();
    return redirect(`${path}/give-back`, texts.money.refusals[given.refusal]);
  }
  const undo = {
    action: `${path}/give-back/undo`,
    values: { refund: given.refund_id },
    until: later(now, undoTime),
  };
  const said = texts.money.done.given_back({ sum: rupees(given.amount_paise) });
  return redirect(path, said, { undo });
}

async function undoOfOrder(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, params } = visit;
  const asked = { orderId: params['order_id']!, refundId: form.text('refund') };
  const refused = await world.sql.begin(tx => undoGivingBack(tx, actorOf(visit), asked));
  if (refused?.refusal === 'unknown_order') return notFound();
  const said = refused ? texts.money.refusals[refused.refusal] : texts.payments.giveBack.undone;
  return redirect(orderPath(asked.orderId), said);
}

function noteStep({ texts }: Visit, action: string, amount: number, fields: Html): Html {
  const words = texts.payments.giveBack;
  return html`<form method="post" action="${action}" class="stack">${fields}<button class="button wide">${words.done({ sum: shortSum(amount) })}</button><p class="small quiet">${words.doneText}</p></form>`;
}

type PayBack = { payerId: string | null; amount: number; reference: string | null };

/** For the owner's own app. The ID is in the name field, so that the app itself shows whose ID it is. */
function payBackStep({ texts }: Visit, { payerId, amount, reference }: PayBack): Html {
  const { money: words, payments } = texts;
  if (payerId === null)
    return html`<div class="card filled"><p><b>${payments.giveBack.first}</b></p><p class="quiet">${payments.giveBack.noId}</p></div>`;
  const payee = { vpa: payerId, payeeName: payerId, kind: 'personal', merchantCode: null } as const;
  const link = upiLink(payee, paise(amount), `Refund ${reference ?? ''}`.trim());
  const sum = rupees(amount);
  return html`<div class="card filled pay-back"><div class="proof-qr" role="img" aria-label="${words.payBackQr({ sum, id: payerId })}">${trusted(qrSvg(link))}</div>
<p><b>${payments.giveBack.first}</b></p>
<p class="small">${words.payBack({ sum, id: payerId })} <strong>${words.payBackName}</strong></p><p class="small">${copyable(texts, 'payer', payerId, texts.labels.payer)}</p><p class="small quiet">${words.payBackHere}</p></div>`;
}

/** Some banks print stars or a row of x for hidden digits. */
const masked = /x{4}/;

/**
 * The payer's UPI ID, if the bank's signed mail names it with certainty. Null if somebody must look for the money
 * first: a common fraud is to ask back money that never came.
 */
function certainPayer(credit: CreditRow, banks: readonly Bank[]): string | null {
  const { payer, bank, template, amount_paise, to_look_for, told_twice } = credit;
  const wording = banks.find(({ id }) => id === bank)?.templates.find(({ id }) => id === template);
  if (payer === null || amount_paise === null || to_look_for || told_twice) return null;
  const id = payer.toLowerCase();
  return wording && printsPayerId(wording) && vpaForm.test(id) && !masked.test(id) ? id : null;
}
