import { later } from '../../base/clock.ts';
import { html } from '../../base/http/html.ts';
import { paiseFromText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { giveBack, sumOf, undoGivingBack, undoTime } from '../../payments/review/give-back.ts';
import { selectRefunds } from '../../payments/review/queries/refunds.ts';
import { segments } from '../frame/choosing.ts';
import { button, field, hidden } from '../frame/controls.ts';
import { rupees, screen } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { certainPayer, payBackStep } from '../money/give-back-page.ts';
import { personOf } from '../orders/order-row.ts';
import { selectAlertsOfOrder, selectListed, selectOneOrder } from '../orders/queries.ts';
import { selectCredits } from '../payments/queries.ts';
import { orderPath } from './order-page.ts';

const one = '/dashboard/orders/:order_id/give-back';

/** Giving back a paid order: in the shop's own UPI app, and then noted here. The program moves no money. */
export const giveBackRoutes = [
  get(one, 'money.decide', show),
  post(one, 'money.decide', note),
  post(`${one}/undo`, 'money.decide', undo),
];

async function show(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, query, now } = visit;
  const orderId = params['order_id'] ?? '';
  const order = await selectOneOrder(world.sql, merchantId, orderId, now);
  if (order?.status !== 'paid') return notFound();
  const [refunds, alerts, [listed]] = await Promise.all([
    selectRefunds(world.sql, merchantId, orderId),
    selectAlertsOfOrder(world.sql, merchantId, orderId),
    selectListed(world.sql, merchantId, [orderId], now),
  ]);
  const words = texts.payments.giveBack;
  const path = orderPath(orderId);
  const before = sumOf(refunds);
  const left = order.received_paise! - before;
  if (left <= 0) return redirect(path, words.left);
  const paying = alerts.find(alert => alert.verdict === 'paid');
  const [credit] = await selectCredits(world.sql, merchantId, paying ? [paying.alert_id] : []);
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
  const who = (listed && personOf(listed)) ?? words.customer;
  return screen(words.title({ who }), { back: { href: path, text: texts.payments.one.title } })`
<div class="stack one-column">${segments(words.howMuch, ways)}
${isPart && html`<form class="stack">${hidden({ part: '1' })}${field('amount', words.howMuch, { value: typed, inputmode: 'decimal', required: true, error, ...(amount !== null && amount < left && { hint: words.stays({ sum: rupees(left - amount) }) }) })}<div class="actions">${button(words.show, { plain: true })}</div></form>`}
${
  amount !== null &&
  html`${payBackStep(visit, { payerId, amount, reference: order.bank_reference })}
<form method="post" action="${path}/give-back" class="stack">${hidden({ amount: String(amount), before: String(before) })}<button class="button wide">${words.done({ sum: rupees(amount) })}</button><p class="small quiet">${words.doneText}</p></form>`
}</div>`;
}

async function note(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, params, now } = visit;
  const orderId = params['order_id'] ?? '';
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
  const said = texts.payments.giveBack.noted({ sum: rupees(given.amount_paise) });
  return redirect(path, said, { undo });
}

async function undo(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, params } = visit;
  const asked = { orderId: params['order_id'] ?? '', refundId: form.text('refund') };
  const refused = await world.sql.begin(tx => undoGivingBack(tx, actorOf(visit), asked));
  if (refused?.refusal === 'unknown_order') return notFound();
  const said = refused ? texts.money.refusals[refused.refusal] : texts.payments.giveBack.undone;
  return redirect(orderPath(asked.orderId), said);
}
