import assert from 'node:assert/strict';
import { day } from '../../../src/base/clock.ts';
import { type Letter, writeLetter } from './letter.ts';
import { accountDigits } from './merchants.ts';
import type { Model } from './model.ts';
import { type Moment, momentsOf } from './moments.ts';
import type { ModelOrder, Verdict } from './order-and-mail.ts';
import type { Real } from './real.ts';

/** When the bank says that it wrote: now, or at a moment of the order. */
export type When = Moment | 'now';
export const allWhens: When[] = [
  'now',
  'too early',
  'just early',
  'created',
  'last second',
  'expiry',
  'last late',
  'too late',
];

export function timeOf(model: Model, order: ModelOrder, when: When): number {
  return when === 'now' ? model.now : momentsOf(order)[when];
}

/** The letter that pays an order exactly; `change` makes it another one. */
export function letterFor(
  model: Model,
  real: Real,
  order: Pick<ModelOrder, 'merchant' | 'account' | 'payable'>,
  change: Partial<Letter> = {},
): Letter {
  const serial = model.letters.length + 1;
  const letter = {
    to: [real.merchants[order.merchant]!.address],
    amount: order.payable,
    digits: accountDigits[order.account]!,
    reference: `6${String(serial).padStart(11, '0')}`,
    date: model.now,
    payer: `payer${serial}`,
    ...change,
  };
  // A bank's clock may be ahead, its signature may not: the Date alone is then later than the arrival.
  return { ...letter, signedAt: Math.min(letter.date, model.now) };
}

/** A letter reaches a mailbox, as it was written or as `raw`; the model hears of it as well. */
export async function arrive(
  model: Model,
  real: Real,
  letter: Letter,
  {
    merchant,
    raw = writeLetter(letter),
    verdict = 'unjudged',
  }: { merchant: number; raw?: Buffer; verdict?: Verdict },
): Promise<string> {
  const alertId = await real.store(merchant, raw);
  const { amount, reference, digits, statedDay, payer: signature } = letter;
  const alertTime = Math.min(letter.date, model.now);
  const ownBank = (letter.bank ?? 'model') === 'model';
  const onTrial = letter.onTrial === true;
  const facts = { alertId, merchant, signature, amount, alertTime, reference, digits, ownBank, onTrial };
  model.arrive({ ...facts, statedDay, verdict });
  if (verdict === 'unjudged' && !model.letters.some(({ letter: known }) => known.payer === letter.payer))
    model.letters.push({ letter, raw });
  return alertId;
}

/** Runs the worker's round, and passes its results to the model in their order. */
export async function judge(model: Model, real: Real, options?: Parameters<Real['work']>[0]): Promise<void> {
  for (const { alertId, at } of await real.work(options)) model.confirm(alertId, at);
}

/** Time passes, and the worker goes on with what waits. */
export async function pass(model: Model, real: Real, milliseconds: number): Promise<void> {
  model.now += milliseconds;
  real.api.world.clock.advance(milliseconds);
  const met = await real.work();
  for (const { alertId } of met)
    assert.notEqual(
      model.mails.get(alertId)?.verdict,
      'no_order',
      `${alertId} met nobody and was offered again`,
    );
  for (const { alertId, at } of met) model.confirm(alertId, at);
  for (const mail of model.mails.values())
    if (mail.verdict === 'retrying' && model.now - mail.arrivedAt >= day) mail.verdict = 'forged';
}
