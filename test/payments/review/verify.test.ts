import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import {
  acceptCredit,
  attachByHand,
  declineCredit,
  endCredit,
} from '../../../src/payments/review/decide-by-hand.ts';
import { breachesAfter } from '../../support/breaches-after.ts';
import { accountsFor, type BreakingChange, testBreaches } from '../../support/breaches-by-merchant.ts';
import { writeLetter } from '../../support/model/letter.ts';
import { type Merchant, openInstallation, type Real } from '../../support/model/real.ts';
import { use } from '../../support/use.ts';

const creditOf = (name: string) => `(select alert_id from alerts where payer like '${name}@%')`;
const handled = (name: string, change: string) =>
  `update handled_credits set ${change} where alert_id = ${creditOf(name)}`;
const alert = (name: string, change: string) =>
  `update alerts set ${change} where alert_id = ${creditOf(name)}`;
const order = (name: string, change: string) =>
  `update orders set ${change} where merchant_order_id = '${name}'`;

const note = (name: string, paise: string) =>
  `insert into refunds select merchant_id, order_id, 'rf_1', account_id, ${paise}, 'owner', created_at from orders where merchant_order_id = '${name}'`;

/** Changes that only manual SQL or a bug of ours can make; constraints that prevent them are dropped first. */
const changes: BreakingChange[] = [
  [
    'R1',
    'accepted money of another sum than the order says',
    order('accepted', 'received_paise = 49999'),
    'R8',
    'collections',
  ],
  [
    'R1',
    'an excuse for another order',
    handled('accepted', `order_id = 'ML-0000000000'`),
    'R14',
    'R16',
    'table',
  ],
  [
    'R1',
    'an order paid by another sum that nobody accepted',
    handled('accepted', `state = 'kept'`),
    'R14',
    'R16',
    'table',
  ],
  [
    'R1',
    'the mail of accepted money is gone',
    `delete from raw_mails where alert_id = ${creditOf('accepted')}`,
  ],
  [
    'R2',
    'a signature that counts elsewhere',
    `update counted_signatures set merchant_id = 7, alert_id = 'theirs'`,
  ],
  ['R2', 'a signature that may still pass on', `update counted_signatures set settled = false`],
  ['R2', 'a signature that counts for nothing', `delete from counted_signatures`],
  ['R2', 'a reference that counts for another mail', `update counted_references set alert_id = 'another'`],
  [
    'R4',
    'an accepted order that is not paid',
    `${order('accepted', `status = 'pending', paid_at = null, alert_id = null`)}`,
    'R16',
    'R2',
    'R8',
    'amounts',
    'collections',
  ],
  [
    'R13',
    'money of another account',
    `update upi_accounts set account_digits = '9999', bank_named_at = '2020-01-01'`,
  ],
  [
    'R14',
    'money from before the order that nobody accepted',
    handled('accepted', `state = 'open'`),
    'R1',
    'R16',
    'table',
  ],
  ['R16', 'a forged mail accepted', alert('accepted', `verdict = 'forged'`), 'R1'],
  ['R16', 'a forged mail attached', alert('waiting', `verdict = 'forged'`)],
  ['R16', 'a mail of another account kept', alert('kept', `verdict = 'wrong_account'`)],
  [
    'R16',
    'two credits for one order',
    `drop index handled_credits_order;
     ${handled('declined', `state = 'attached', order_id = (select order_id from orders where merchant_order_id = 'waiting')`)}`,
  ],
  [
    'R16',
    'accepted for an order that another mail paid',
    `update orders set alert_id = ${creditOf('kept')} where merchant_order_id = 'accepted'`,
    'R1',
    'R14',
    'R2',
    'table',
  ],
  ['R16', 'an order that waits for nothing', handled('waiting', `state = 'open'`)],
  [
    'R16',
    'an order that waits and has expired instead',
    order('waiting', `status = 'pending', received_paise = null`),
  ],
  ['R16', 'an attached credit whose order is gone', `delete from orders where merchant_order_id = 'waiting'`],
  ['R16', 'a waiting order that says another sum came', order('waiting', 'received_paise = 50001')],
  ['R16', 'a waiting order that does not say what came', order('waiting', 'received_paise = null')],
  ['R16', 'a failed order that says another sum came', order('declined', 'received_paise = 50001')],
  ['R16', 'accepted by nobody', handled('accepted', `done_by = 'milaan'`)],
  [
    'R16',
    'accepted by somebody else than the log says',
    handled('accepted', `done_by = 'thief@shop.example'`),
  ],
  [
    'R16',
    'attached by somebody, which the log does not say',
    handled('waiting', `done_by = 'thief@shop.example'`),
  ],
  ['R16', 'declined at another time', handled('declined', `done_at = done_at + interval '1 second'`)],
  ['R16', 'money that left the list and nobody ended', alert('waiting', 'is_ended = true')],
  ['R16', 'money that was kept and is still on the list', alert('kept', 'is_ended = false')],
  ['refunds', 'more given back than was received', note('accepted', 'received_paise + 1')],
  ['refunds', 'a note that the log does not have', note('accepted', '1')],
  ['refunds', 'an unpaid order given back', note('declined', '1')],
  ['R16', 'given back, which the log does not say', handled('kept', `state = 'given_back'`)],
  [
    'table',
    'a reference that two customers gave, with one of them by itself',
    `${handled('waiting', `found_by = 'reference', done_by = 'milaan'`)};
     insert into claimed_references select o.merchant_id, o.order_id, a.bank_reference, o.created_at
       from orders o, alerts a where a.alert_id = ${creditOf('waiting')} and o.merchant_order_id in ('waiting', 'declined')`,
  ],
  [
    'R8',
    'an event of another sum',
    `update event_bodies set body = replace(body, '"received_amount":500', '"received_amount":501')`,
  ],
  [
    'collections',
    'a month that counts what was asked for',
    `update collections set collected_paise = collected_paise + 20`,
  ],
];

/**
 * Businesses with really signed mails of 500 rupees that paid nothing, and what a person did with them: one was taken
 * for an order that was created long after, one waits, one was declined, one is kept.
 */
async function decided() {
  const installation = await openInstallation();
  const accounts = accountsFor(changes);
  const real = await installation.begin(accounts);
  const { api, merchants } = real;
  const { sql, clock } = api.world;
  const alerts: string[][] = merchants.map(() => []);
  for (const [number, payer] of ['accepted', 'waiting', 'declined', 'kept'].entries()) {
    for (const [place, { address }] of merchants.entries()) {
      const date = clock.now().getTime();
      const [digits, reference] = [accounts[place]![0]!, `60000000000${number}`];
      const letter = { to: [address], amount: 500_00, digits, reference, date, signedAt: date, payer };
      alerts[place]!.push(await real.store(place, writeLetter(letter)));
    }
    for (let judged = 0; judged < merchants.length; ) {
      const { length } = await real.work();
      assert.notEqual(length, 0, 'no mail was judged');
      judged += length;
    }
  }
  clock.advance(30 * minute);
  for (const [place, merchant] of merchants.entries()) await decide(real, merchant, alerts[place]!);
  assert.deepEqual(await breachesAfter(sql, 'select'), []);
  return { sql, merchants, stop: installation.stop };
}

async function decide({ api }: Real, { apiKey, merchantId }: Merchant, alerts: string[]): Promise<void> {
  const { world } = api;
  const orders: string[] = [];
  for (const merchant_order_id of ['accepted', 'waiting', 'declined'])
    orders.push((await api.create({ amount: 500, merchant_order_id }, apiKey)).json().order_id);
  const who = { merchantId, actor: 'owner@shop.example', address: '', now: world.clock.now() };
  const given = (index: number) => ({ alertId: alerts[index]!, orderId: orders[index]!, note: '' });
  await world.sql.begin(async tx => {
    assert.equal(await acceptCredit(tx, world, who, given(0)), null);
    assert.equal(await attachByHand(tx, world, who, given(1)), null);
    assert.equal(await attachByHand(tx, world, who, given(2)), null);
    assert.equal(await declineCredit(tx, who, given(2)), null);
    const end = { alertId: alerts[3]!, end: 'kept', returnReference: null, note: '' } as const;
    assert.equal(await endCredit(tx, who, end), null);
  });
}

const stage = use(decided);

describe('verify finds', () => {
  testBreaches(changes, stage);

  test('verify finds nothing once each breach is undone', async () => {
    assert.deepEqual(await breachesAfter(stage.sql, 'select'), []);
  });
});
