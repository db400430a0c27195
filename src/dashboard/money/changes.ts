import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { ReviewRefusal } from '../../payments/matching/review-refusal.ts';
import {
  acceptCredit,
  attachByHand,
  declineCredit,
  endCredit,
  reopenCredit,
} from '../../payments/review/decide-by-hand.ts';
import { undoTime } from '../../payments/review/give-back.ts';
import { undoStep } from '../../payments/review/undo-step.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, fresh, notFound, post, redirect, type Undo, type Visit } from '../frame/route.ts';
import { creditSum, decidePath, moneyPath } from './credit-words.ts';
import { longestReference } from './give-back-page.ts';
import { selectCredit } from './queries/money.ts';

const one = `${moneyPath}/:alert_id` as const;

export const moneyChanges = [
  // Accepting can make any order paid, so a recent confirmation is required.
  post(`${one}/orders/:order_id/accept`, fresh('money.decide'), accept),
  post(`${one}/orders/:order_id/attach`, 'money.decide', attach),
  post(`${one}/orders/:order_id/decline`, 'money.decide', decline),
  post(`${one}/given-back`, 'money.decide', endAs('given_back')),
  post(`${one}/keep`, 'money.decide', endAs('kept')),
  post(`${one}/reopen`, 'money.decide', reopen),
  post(`${one}/undo`, 'money.decide', undo),
  post(`${one}/not-arrived`, 'money.decide', deny),
];

async function accept(world: World, visit: Visit): Promise<Answer> {
  const { done } = visit.texts.money;
  const seen = visit.form.text('seen').split(' ');
  const asked = { alertId: alertOf(visit), orderId: orderOf(visit), note: visit.form.text('note'), seen };
  const after = redirect(`/dashboard/orders/${asked.orderId}`, done.accepted);
  return await decide(world, visit, after, tx => acceptCredit(tx, world, actorOf(visit), asked));
}

async function attach(world: World, visit: Visit): Promise<Answer> {
  const { done } = visit.texts.money;
  const asked = { alertId: alertOf(visit), orderId: orderOf(visit) };
  const after = redirect(decidePath, done.attached, { undo: undoOf(visit) });
  return await decide(world, visit, after, tx => attachByHand(tx, world, actorOf(visit), asked));
}

async function decline(world: World, visit: Visit): Promise<Answer> {
  const { done } = visit.texts.money;
  const asked = { alertId: alertOf(visit), orderId: orderOf(visit), note: visit.form.text('note') };
  const giveBack = `${moneyPath}/${asked.alertId}/give-back`;
  const after = redirect(giveBack, done.declined, { undo: undoOf(visit) });
  return await decide(world, visit, after, tx => declineCredit(tx, actorOf(visit), asked));
}

function endAs(end: 'given_back' | 'kept') {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const { form, texts } = visit;
    const alertId = alertOf(visit);
    const reference = form.text('return_reference');
    if (!referenceForm.test(reference))
      return redirect(`${moneyPath}/${alertId}/give-back`, texts.money.returnReferenceWrong);
    const returnReference = end === 'given_back' && reference !== '' ? reference : null;
    const asked = { alertId, end, returnReference, note: form.text('note') };
    const credit = await selectCredit(world.sql, visit.merchantId, alertId, visit.now);
    const said = credit ? texts.money.done[end]({ sum: creditSum(credit) }) : '';
    const after = redirect(decidePath, said, { undo: undoOf(visit) });
    return await decide(world, visit, after, tx => endCredit(tx, actorOf(visit), asked));
  };
}

/** The message's button for five minutes. It names this step, so that a later one is not undone. */
function undoOf(visit: Visit): Undo {
  const { now } = visit;
  const values = { at: String(now.getTime()) };
  return { action: `${moneyPath}/${alertOf(visit)}/undo`, values, until: later(now, undoTime) };
}

async function undo(world: World, visit: Visit): Promise<Answer> {
  const alertId = alertOf(visit);
  const at = /^\d{1,15}$/.exec(visit.form.text('at'));
  if (!at) return notFound();
  const after = redirect(`${moneyPath}/${alertId}`, visit.texts.payments.giveBack.undone);
  const asked = { alertId, at: new Date(Number(at[0])) };
  return await decide(world, visit, after, tx => undoStep(tx, actorOf(visit), asked));
}

const referenceForm = new RegExp(`^[A-Za-z0-9/-]{0,${longestReference}}$`);

async function reopen(world: World, visit: Visit): Promise<Answer> {
  const alertId = alertOf(visit);
  const after = redirect(`${moneyPath}/${alertId}`, visit.texts.payments.giveBack.undone);
  return await decide(world, visit, after, tx => reopenCredit(tx, actorOf(visit), { alertId }));
}

/** Somebody has looked, and the money is not in the account. It pays nothing and stays in the list. */
async function deny(world: World, visit: Visit): Promise<Answer> {
  const alertId = alertOf(visit);
  const after = redirect(`${moneyPath}/${alertId}`, visit.texts.money.done.notArrived);
  return await decide(world, visit, after, tx =>
    reopenCredit(tx, actorOf(visit), { alertId, notArrived: true }),
  );
}

/** Runs in one transaction. If a rule refuses, the payment's page says so and shows the present state. */
async function decide(
  world: World,
  visit: Visit,
  afterwards: Answer,
  change: (tx: Transaction) => Promise<ReviewRefusal | null>,
): Promise<Answer> {
  const { refusals } = visit.texts.money;
  const refused = await world.sql.begin(change);
  if (refused?.refusal === 'unknown_credit' || refused?.refusal === 'unknown_order') return notFound();
  return refused ? redirect(`${moneyPath}/${alertOf(visit)}`, refusals[refused.refusal]) : afterwards;
}

function alertOf({ params }: Visit): string {
  return params['alert_id'] ?? '';
}

function orderOf({ params }: Visit): string {
  return params['order_id'] ?? '';
}
