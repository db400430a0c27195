import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { breachesAfter } from '../support/breaches-after.ts';
import { accountsFor, type BreakingChange, testBreaches } from '../support/breaches-by-merchant.ts';
import { payableOf } from '../support/credit.ts';
import { writeLetter } from '../support/model/letter.ts';
import { openInstallation } from '../support/model/real.ts';
import { use } from '../support/use.ts';

const paidBy = (name: string) => `(select alert_id from orders where merchant_order_id = '${name}')`;
const unpay = `update orders set status = 'pending', paid_at = null, alert_id = null where merchant_order_id = 'one'`;

/** Changes that only manual SQL or a bug of ours can make; constraints that prevent them are dropped first. */
const changes: BreakingChange[] = [
  ['R1', 'its alert is gone', `update orders set alert_id = 'nobody' where merchant_order_id = 'one'`, 'R2'],
  [
    'R1',
    'its alert says something else',
    `update alerts set verdict = 'no_order' where alert_id = ${paidBy('one')}`,
  ],
  [
    'R1',
    'its alert is about other money',
    `update alerts set amount_paise = 1 where alert_id = ${paidBy('one')}`,
  ],
  [
    'R1',
    'its alert is too old for it',
    `update alerts set alert_time = alert_time - interval '61 seconds' where alert_id = ${paidBy('one')}`,
  ],
  [
    'R1',
    'the mail tells of another time',
    `update alerts set alert_time = alert_time + interval '1 second' where alert_id = ${paidBy('one')}`,
  ],
  [
    'R1',
    'the mail tells of another reference',
    `update alerts set bank_reference = '999999999999' where alert_id = ${paidBy('one')}`,
    'R2',
  ],
  [
    'R1',
    'the mail is another payment’s',
    `update raw_mails set raw = (select raw from raw_mails where alert_id = ${paidBy('two')}) where alert_id = ${paidBy('one')}`,
  ],
  ['R1', 'the mail is no mail', `update raw_mails set raw = 'broken' where alert_id = ${paidBy('one')}`],
  ['R1', 'the mail is gone too early', `delete from raw_mails where alert_id = ${paidBy('one')}`],
  [
    'R2',
    'one alert pays two orders',
    `drop index orders_alert; update orders set alert_id = ${paidBy('one')} where merchant_order_id = 'two'`,
    'R1',
    'R14',
  ],
  [
    'R2',
    'a signature counts twice',
    `update alerts set signature_id = (select signature_id from alerts where alert_id = ${paidBy('one')})
     where alert_id = ${paidBy('two')}`,
    'R1',
  ],
  [
    'R2',
    'a further signature counts twice',
    `update alerts set other_signature_ids = array(select signature_id from alerts where alert_id = ${paidBy('one')})
     where alert_id = ${paidBy('two')}`,
  ],
  [
    'R2',
    'a reference counts twice, once without its zero',
    `update alerts set bank_reference = '12345678901' where alert_id = ${paidBy('two')}`,
    'R1',
  ],
  [
    'R2',
    'a reference counts twice, once with a zero more',
    `update alerts set bank_reference = '0012345678901' where alert_id = ${paidBy('two')}`,
    'R1',
  ],
  [
    'R2',
    'an alert paid nothing',
    `${unpay}; delete from delivery_queue; delete from events`,
    'R16',
    'R4',
    'R8',
    'amounts',
    'collections',
  ],
  [
    'R3',
    'two orders wait for one amount',
    `update orders set payable_paise = (select payable_paise from orders where merchant_order_id = 'one')
     where merchant_order_id = 'two'`,
    'R1',
    'R8',
  ],
  ['R4', 'paid and not paid', `${unpay}`, 'R16', 'R2', 'R8', 'amounts', 'collections'],
  [
    'R5',
    'two orders of one id',
    `drop index orders_merchant_order_id; update orders set merchant_order_id = 'one' where merchant_order_id = 'two'`,
  ],
  [
    'R5',
    'an id released before its time',
    `update orders set id_released = true where merchant_order_id = 'one';
     update orders set merchant_order_id = 'one' where merchant_order_id = 'two'`,
  ],
  [
    'R6',
    'an offset of nothing',
    `alter table public.orders drop constraint orders_check; update orders set amount_paise = payable_paise`,
  ],
  ['R6', 'a wide offset without need', `update orders set amount_paise = payable_paise - 150`],
  [
    'R6',
    'whole rupees',
    `update orders set payable_paise = 50100, amount_paise = 50050 where merchant_order_id = 'two'`,
    'R1',
    'R8',
  ],
  ['R6', 'an amount that nobody holds', `delete from amounts`],
  [
    'R6',
    'an amount given back too early',
    `update amounts set held_until = '2020-01-01' where order_id <> 'nobody'`,
  ],
  [
    'R15',
    'a neighbour without need',
    `delete from amounts where order_id = 'nobody';
     update orders set created_at = created_at + interval '2 minutes', expires_at = expires_at + interval '2 minutes',
       payable_paise = (select payable_paise + 1 from orders where merchant_order_id = 'one')
     where merchant_order_id = 'two'`,
    'R1',
    'R6',
    'R8',
  ],
  [
    'amounts',
    'an amount of a paid order that is clear before its hold is over',
    `update amounts set clear_at = held_until - interval '1 second' where order_id <> 'nobody'`,
  ],
  [
    'amounts',
    'an amount that is clear a day before it is',
    `${unpay}; update amounts set clear_at = clear_at where order_id <> 'nobody'`,
    'R16',
    'R2',
    'R4',
    'R8',
    'collections',
  ],
  [
    'amounts',
    'an amount whose earlier holder is forgotten',
    `update amounts set doubted_until = clear_at + interval '1 second' where order_id <> 'nobody'`,
  ],
  [
    'table',
    'paid although another customer gave the reference',
    `insert into claimed_references select merchant_id, 'ML-9', '012345678901', paid_at - interval '1 second'
       from orders where merchant_order_id = 'one';
     insert into orders select (jsonb_populate_record(o, '{"order_id": "ML-9", "merchant_order_id": "nine",
       "status": "pending", "paid_at": null, "alert_id": null, "pay_token": "nine", "created_at": "2020-01-01T00:00:00Z",
       "expires_at": "2020-01-01T00:05:00Z"}')).* from orders o where merchant_order_id = 'one'`,
    'R16',
  ],
  [
    'table',
    'paid by money of the day before',
    `update orders set created_at = '2021-01-07T12:00:00Z', expires_at = '2021-01-07T12:05:00Z' where merchant_order_id = 'two';
     update alerts set bank_reference = '100600000001' where alert_id = ${paidBy('two')}`,
    'R1',
    'R2',
  ],
  [
    'table',
    'paid by another row than the third',
    `update alerts set table_row = 7 where alert_id = ${paidBy('one')}`,
  ],
  ['R8', 'no event', `delete from delivery_queue; delete from events`],
  [
    'R8',
    'a second event',
    `drop index events_order; insert into events select merchant_id, 'evt_2', type, order_id, webhook_url, created_at
     from events limit 1`,
  ],
  ['R8', 'an event that is never sent', `delete from delivery_queue`],
  [
    'R8',
    'an event of other money',
    `update event_bodies set body = replace(body, '"payable_amount":5', '"payable_amount":1')`,
  ],
  ['R13', 'another bank paid', `update upi_accounts set bank = 'stranger'`],
  ['R13', 'another account was paid', `update upi_accounts set account_digits = '9999'`],
  [
    'R14',
    'its alert was here before it',
    `update alerts set arrival_number = (select min(arrival_number) - 1 from orders) where alert_id = ${paidBy('one')}`,
  ],
  [
    'R8',
    'an attempt under another id',
    `insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, request, asked_by)
     select merchant_id, delivery_id, event_id, attempt, 'delivered', due_at, due_at,
       '{"headers": {"webhook-id": "evt_other"}}', asked_by from delivery_queue;
     delete from delivery_queue`,
  ],
];

/** These are not about one business. */
const wideChanges: [rule: string, change: string, sql: string][] = [
  ['R1', 'the key is forgotten', 'delete from dkim_keys'],
  ['R14', 'numbers that begin anew', 'alter sequence arrivals restart with 1'],
];

/**
 * Businesses with two orders each that really signed mails paid, `one` before `two`, and with orders in an archive.
 */
async function paidTwice() {
  const installation = await openInstallation();
  const accounts = accountsFor(changes);
  const { api, merchants, store, work } = await installation.begin(accounts);
  const { sql, clock } = api.world;
  for (const name of ['one', 'two']) {
    for (const [place, { apiKey, address }] of merchants.entries()) {
      const order = (await api.create({ amount: 500, merchant_order_id: name }, apiKey)).json();
      const date = clock.now().getTime();
      const letter = {
        to: [address],
        amount: payableOf(order),
        digits: accounts[place]![0]!,
        reference: name === 'one' ? '012345678901' : '612345678902',
        date,
        signedAt: date,
        payer: name,
      };
      await store(place, writeLetter(letter));
    }
    for (let paid = 0; paid < merchants.length; ) {
      const { length } = await work();
      assert.notEqual(length, 0, 'no mail was judged');
      paid += length;
    }
  }
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    select distinct merchant_id, '2020-01-01'::date, 1, 1, ''::bytea, '2020-01-01'::timestamptz from orders`;
  assert.deepEqual(await breachesAfter(sql, 'select'), []);
  return { sql, merchants, stop: installation.stop };
}

const stage = use(paidTwice);

describe('verify finds', () => {
  testBreaches(changes, stage);

  for (const [rule, change, statements] of wideChanges)
    test(`${rule}: ${change}`, async () => {
      const found = await breachesAfter(stage.sql, statements);
      assert.ok(
        found.some(line => line.startsWith(`${rule}: `)),
        `found only: ${found.join('; ')}`,
      );
    });

  test('verify lists the first hundred of 200,000 breaches of one rule, and the number of the others', async () => {
    const found = await breachesAfter(
      stage.sql,
      `insert into collections (merchant_id, month, collected_paise)
       select merchant_id, '2030-01-01'::date + n, 1 from merchants cross join generate_series(1, 200000) n
       where merchant_id = (select min(merchant_id) from orders)`,
    );
    assert.equal(found.length, 101);
    assert.match(found[0]!, /^collections: merchant \d+ 2030-01-02/);
    assert.equal(found[100], 'collections: and 199900 more');
  });

  test('verify finds nothing once each breach is undone', async () => {
    assert.deepEqual(await breachesAfter(stage.sql, 'select'), []);
  });
});
