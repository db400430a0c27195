// The till: a person takes a payment on their own phone or at a counter, without a shop's server.

import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { moneyRules } from '../../business/merchants/money-rules.ts';
import { postForm, typedFields } from '../frame/controls.ts';
import { card, rupees, screen } from '../frame/parts.ts';
import { type Answer, get, notFound, page, post, redirect, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { boxRoutes } from './box.ts';
import { counterRoutes } from './counter.ts';
import { linkRoutes } from './links.ts';
import { makeFromForm, mostName, mostPurpose, type TillFault } from './make-from-form.ts';
import { nearRoutes, selectNearCredits } from './near-credits.ts';
import { paymentPage, paymentState } from './payment-page.ts';
import { selectTillOrder } from './queries.ts';

export const tillScreenRoutes = [
  get('/dashboard/pay', 'payments.take', (world, visit) => newPayment(world, visit)),
  post('/dashboard/pay', 'payments.take', makePayment),
  get('/dashboard/pay/:order_id', 'payments.take', showPayment),
  get('/dashboard/pay/:order_id/state', 'payments.take', showState),
  ...nearRoutes,
  ...counterRoutes,
  ...boxRoutes,
  ...linkRoutes,
];

async function newPayment(world: World, visit: Visit, fault: TillFault | null = null): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.till;
  const wrong = (name: string) => (fault?.field === name ? fault.text : undefined);
  const input = typedFields(form, wrong, { autocomplete: 'off' });
  const optional = (label: string) => `${label} (${texts.shell.optional})`;
  const accounts = await selectAccounts(world.sql, visit.merchantId);
  const isPersonal = accounts.find(account => account.is_default)?.kind === 'personal';
  const hint = words.personalLimit(rupees(moneyRules.personalPayment.paise));
  const amount = {
    ...(isPersonal && { hint }),
    inputmode: 'decimal',
    required: true,
    autofocus: true,
    maxlength: 12,
  } as const;
  const fields = [
    ...(fault?.field === null ? [html`<p class="error" role="alert">${fault.text}${fault.way}</p>`] : []),
    input('amount', words.amount, amount),
    input('purpose', optional(words.purpose), { hint: words.purposeHint, maxlength: mostPurpose }),
    input('customer', optional(texts.labels.customer), { maxlength: mostName }),
  ];
  return screen(texts.shell.navigation.newPayment, { text: words.text, ...(fault && { status: 400 }) })`
${card(postForm({ action: '/dashboard/pay', fields, submit: words.make }))}`;
}

async function makePayment(world: World, visit: Visit): Promise<Answer> {
  const made = await makeFromForm(world, visit);
  return 'fault' in made
    ? await newPayment(world, visit, made.fault)
    : redirect(`/dashboard/pay/${made.orderId}`);
}

async function showPayment(world: World, visit: Visit): Promise<Answer> {
  const order = await selectTillOrder(world.sql, visit.merchantId, visit.params['order_id']!, visit.now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, visit.now);
  return page({ title: order.order_id, body: paymentPage(visit, order, near, world.baseUrl) });
}

async function showState(world: World, visit: Visit): Promise<Answer> {
  const order = await selectTillOrder(world.sql, visit.merchantId, visit.params['order_id']!, visit.now);
  if (!order) return notFound();
  const near = await selectNearCredits(world.sql, order, visit.now);
  return { kind: 'fragment', body: paymentState(visit, order, near) };
}
