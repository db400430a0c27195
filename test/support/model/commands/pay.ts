import fc from 'fast-check';
import { minute } from '../../../../src/base/clock.ts';
import { command, hasOrder, orderAt } from '../command.ts';
import type { Letter } from '../letter.ts';
import { accountDigits, merchantCount, openAmounts } from '../merchants.ts';
import { momentsOf } from '../moments.ts';
import { allWhens, arrive, judge, letterFor, pass, timeOf } from '../post.ts';
import type { Merchant } from '../real.ts';

const order = fc.nat({ max: 7 });
/** Mostly now: that is what customers do. */
const when = fc.oneof({ weight: 2, arbitrary: fc.constant('now' as const) }, fc.constantFrom(...allWhens));

/** §1: the signed To or Cc names the mailbox or an extra alert address, in whatever case. */
const addressing = fc.constantFrom('mailbox', 'mailbox', 'extra', 'cc', 'upper case');

function addressed({ address, extra }: Merchant, how: string): Pick<Letter, 'to' | 'cc'> {
  if (how === 'extra') return { to: [extra] };
  if (how === 'cc') return { to: ['owner@elsewhere.in'], cc: [address] };
  return { to: [how === 'upper case' ? address.toUpperCase() : address] };
}

/** The exact amount once, or in two genuine payments, at any moment around the order's life. */
const exactly = (name: string, payments: number) =>
  fc.record({ order, when, referenced: fc.boolean(), addressing }).map(params =>
    command(
      name,
      params,
      async (model, real) => {
        const target = orderAt(model, params.order);
        for (let count = 0; count < payments; count++) {
          const letter = letterFor(model, real, target, {
            ...addressed(real.merchants[target.merchant]!, params.addressing),
            date: timeOf(model, target, params.when),
            ...(!params.referenced && { reference: null }),
          });
          await arrive(model, real, letter, { merchant: target.merchant });
          await judge(model, real);
        }
      },
      hasOrder,
    ),
  );
export const pay = exactly('pay', 1);
export const payTwice = exactly('payTwice', 2);

/** The customer waits until a moment at which a rule changes, and pays then. */
export const payAt = fc
  .record({
    order,
    moment: fc.constantFrom(
      'last second' as const,
      'expiry' as const,
      'last late' as const,
      'too late' as const,
    ),
  })
  .map(params =>
    command(
      'payAt',
      params,
      async (model, real) => {
        const target = orderAt(model, params.order);
        await pass(model, real, momentsOf(target)[params.moment] - model.now);
        await arrive(model, real, letterFor(model, real, target), { merchant: target.merchant });
        await judge(model, real);
      },
      model => hasOrder(model) && model.mayPassTo(momentsOf(orderAt(model, params.order))[params.moment]),
    ),
  );

/** Another bank mail about a payment that was reported already: the reference is an earlier letter's. */
export const sameReference = fc.record({ order, earlier: fc.nat({ max: 7 }) }).map(params =>
  command(
    'sameReference',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const { letter: reported } = model.letters.at(-1 - (params.earlier % model.letters.length))!;
      // A reference names its day wherever it occurs.
      const { reference, statedDay } = reported;
      const letter = letterFor(model, real, target, {
        reference,
        ...(statedDay !== undefined && { statedDay }),
      });
      await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
    },
    model => hasOrder(model) && model.letters.length > 0,
  ),
);

/** An amount that an order may come to have: the mail can be faster than its order, or the order long gone. */
export const payBlindly = fc
  .record({
    merchant: fc.nat({ max: merchantCount - 1 }),
    amount: fc.constantFrom(...openAmounts),
    digits: fc.constantFrom(...accountDigits),
    age: fc.constantFrom(0, minute),
    /** In copy to the other business, in whose mailbox it is found as well. */
    shared: fc.boolean(),
  })
  .map(params =>
    command('payBlindly', params, async (model, real) => {
      const { merchant, amount, digits, age, shared } = params;
      const mailboxes = shared ? [merchant, (merchant + 1) % merchantCount] : [merchant];
      const to = mailboxes.map(index => real.merchants[index]!.address);
      const serial = model.letters.length + 1;
      const date = model.now - age;
      const letter = {
        to,
        amount,
        digits,
        reference: `6${String(serial).padStart(11, '0')}`,
        date,
        signedAt: date,
        payer: `payer${serial}`,
      };
      for (const mailbox of mailboxes) await arrive(model, real, letter, { merchant: mailbox });
      await judge(model, real);
    }),
  );

/** Somebody pays the QR code on the wall: a sum of their own, without an order, sometimes one that an order may mean. */
export const payWall = fc
  .record({
    merchant: fc.nat({ max: merchantCount - 1 }),
    account: fc.nat({ max: 1 }),
    amount: fc.constantFrom(20_00, 333_00, 500_00, 500_45, 501_00),
    onTrial: fc.constantFrom(false, false, false, true),
  })
  .map(params =>
    command('payWall', params, async (model, real) => {
      const { merchant, account, amount, onTrial } = params;
      const letter = letterFor(model, real, { merchant, account, payable: amount }, { onTrial });
      await arrive(model, real, letter, { merchant });
      await judge(model, real);
    }),
  );
