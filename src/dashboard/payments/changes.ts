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
import { type Answer, notFound, post, reauth, redirect, type Undo, type Visit } from '../frame/route.ts';
import { creditSum, decidePath, moneyPath } from './credit-words.ts';
import { longestReference } from './give-back.ts';
import { orderPath } from './payment-rows.ts';
import { selectCredit } from './queries/credits.ts';

const one = `${moneyPath}/:alert_id` as const;

export const moneyChanges = [
  // Accepting can make any order paid, so a recent confirmation is required.
  post(`${one}/orders/:order_id/accept`, reauth('money.decide'), accept),
  post(`${one}/orders/:order_id/attach`, 'money.decide', attach),
  post(`${one}/orders/:order_id/decline`, 'money.decide', decline),
  post(`${one}/given-back`, 'money.decide', endAs('given_back')),
  post(`${one}/keep`, 'money.decide', endAs('kept')),
  post(`${one}/reopen`, 'money.decide', reopenAs()),
  post(`${one}/undo`, 'money.decide', undo),
  post(`${one}/not-arrived`, 'money.decide', reopenAs(true)),
];

async function accept(world: World, visit: Visit): Promise<Answer> {
  const asked = { ...askedOf(visit), seen: visit.form.text('seen').split(' ') };
  const after = redirect(orderPath(asked.orderId), visit.texts.money.done.accepted);
  return await decide(world, visit, after, tx => acceptCredit(tx, world, actorOf(visit), asked));
}

async function attach(world: World, visit: Visit): Promise<Answer> {
  const after = redirect(decidePath, visit.texts.money.done.attached, { undo: undoOf(visit) });
  return await decide(world, visit, after, tx => attachByHand(tx, world, actorOf(visit), askedOf(visit)));
}

async function decline(world: World, visit: Visit): Promise<Answer> {
  const asked = askedOf(visit);
  const giveBack = `${moneyPath}/${asked.alertId}/give-back`;
  const after = redirect(giveBack, visit.texts.money.done.declined, { undo: undoOf(visit) });
  return await decide(world, visit, after, tx => declineCredit(tx, actorOf(visit), asked));
}

function endAs(end: 'given_back' | 'kept') {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const { form, texts } = visit;
    const { alertId, note } = askedOf(visit);
    const reference = form.text('return_reference');
    if (!referenceForm.test(reference))
      return redirect(`${moneyPath}/${alertId}/give-back`, texts.money.returnReferenceWrong);
    const returnReference = end === 'given_back' && reference !== '' ? reference : null;
    const credit = await selectCredit(world.sql, visit.merchantId, alertId, visit.now);
    const said = credit ? texts.money.done[end]({ sum: creditSum(credit) }) : '';
    const after = redirect(decidePath, said, { undo: undoOf(visit) });
    return await decide(world, visit, after, tx =>
      endCredit(tx, actorOf(visit), { alertId, end, returnReference, note }),
    );
  };
}

const referenceForm = new RegExp(`^[A-Za-z0-9/-]{0,${longestReference}}$`);

/** The message's button for five minutes. It names this step, so that a later one is not undone. */
function undoOf(visit: Visit): Undo {
  const { now } = visit;
  const values = { at: String(now.getTime()) };
  return { action: `${moneyPath}/${askedOf(visit).alertId}/undo`, values, until: later(now, undoTime) };
}

async function undo(world: World, visit: Visit): Promise<Answer> {
  const { alertId } = askedOf(visit);
  const at = /^\d{1,15}$/.exec(visit.form.text('at'));
  if (!at) return notFound();
  const after = redirect(`${moneyPath}/${alertId}`, visit.texts.payments.giveBack.undone);
  const asked = { alertId, at: new Date(Number(at[0])) };
  return await decide(world, visit, after, tx => undoStep(tx, actorOf(visit), asked));
}

/** `notArrived`: somebody has looked, and the money is not in the account. It pays nothing and stays in the list. */
function reopenAs(notArrived = false) {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const { money, payments } = visit.texts;
    const asked = { alertId: askedOf(visit).alertId, notArrived };
    const after = redirect(
      `${moneyPath}/${asked.alertId}`,
      notArrived ? money.done.notArrived : payments.giveBack.undone,
    );
    return await decide(world, visit, after, tx => reopenCredit(tx, actorOf(visit), asked));
  };
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
  return refused ? redirect(`${moneyPath}/${askedOf(visit).alertId}`, refusals[refused.refusal]) : afterwards;
}

function askedOf({ params, form }: Visit) {
  return { alertId: params['alert_id']!, orderId: params['order_id'] ?? '', note: form.text('note') };
}
