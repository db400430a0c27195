import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStoredMails } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { startJudging } from '../../../src/alerts/judging/start-judging.ts';
import { minute, second } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { doubtedShop, newKey } from '../../support/doubted-shop.ts';
import { until } from '../../support/until.ts';

const shop = doubtedShop();

/** The next connections that touch a table die inside their statement; a sequence counts, because no rollback does. */
async function letDie(table: string, times: number): Promise<void> {
  const { sql } = shop.api.world;
  await sql.unsafe(`
    create sequence deaths;
    create function die() returns trigger language plpgsql as $$
      begin if nextval('deaths') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
    create trigger die before insert or update on ${table} for each row execute function die()`);
}

async function liveAgain(table: string): Promise<void> {
  await shop.api.world.sql.unsafe(`drop trigger die on ${table}; drop function die(); drop sequence deaths`);
}

const triesOf = async (alertId: string) =>
  (await shop.api.world.sql`select tries from alerts where alert_id = ${alertId}`)[0]!['tries'];

test('a connection that dies during judging counts no try: the mail is judged again every two seconds', async () => {
  const { clock } = shop.api.world;
  shop.publish('s1', newKey);
  // While the key is stored, and while the order is paid.
  for (const table of ['dkim_keys', 'orders']) {
    const order = await shop.order();
    const alertId = await shop.mail(order.payable_amount, { key: newKey });
    await letDie(table, 6);
    for (let rounds = 0; rounds < 6; rounds++) {
      assert.equal(await shop.judge(), 1, `${table}, round ${rounds}`);
      assert.equal((await shop.alert(alertId)).verdict, 'unjudged');
      assert.equal(await triesOf(alertId), 1);
      assert.equal(await shop.judge(), 0);
      clock.advance(2 * second);
    }
    assert.equal(await shop.judge(), 1);
    assert.equal(await shop.statusOf(order.order_id), 'paid');
    await liveAgain(table);
  }
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('a DNS fault has the usual pauses, also before and after faults of our own database', async () => {
  const { world } = shop.api;
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  const faults = ['57P01', '40P01', '53300', '40001', '57014', '55P03'];
  const pauses: number[] = [];
  for (let rounds = 0; rounds < 3; rounds++) {
    for (const code of faults.slice(2 * rounds)) {
      const broken = () => Promise.reject(Object.assign(new Error('a fault of the database'), { code }));
      assert.equal(await judgeStoredMails(world, { ...shop.judging.tools, judge: broken }), 1);
      world.clock.advance(2 * second);
    }
    // DNS has no key.
    assert.equal(await shop.judge(), 1);
    pauses.push((await shop.alert(alertId)).next_try_at!.getTime() - world.clock.now().getTime());
    world.clock.advance(pauses.at(-1)!);
  }
  assert.deepEqual(pauses, [2 * second, 10 * second, 30 * second]);
});

test('40 orders are paid within seconds, though 48 connections die while they are paid', async () => {
  const { world } = shop.api;
  const { clock, sql } = world;
  shop.publish('s1', newKey);
  for (let count = 0; count < 40; count++) {
    const { payable_amount } = await shop.order();
    await shop.mail(payable_amount, { key: newKey });
  }
  await letDie('orders', 48);
  const began = clock.now().getTime();
  // Five times as fast as the world outside.
  const time = setInterval(() => clock.advance(100), 20);
  const pace = { look: 0.2 * second, renew: 0.4 * second };
  const judging = startJudging(world, { ...shop.judging.tools, pace });
  const { merchantId } = shop.merchant;
  const paid = async () =>
    (await sql`select from orders where merchant_id = ${merchantId} and status = 'paid'`).length;
  await until(
    'all of them are paid',
    async () => (await paid()) === 40 || clock.now().getTime() > began + minute,
  );
  clearInterval(time);
  await judging.stop();
  assert.equal(await paid(), 40);
  await liveAgain('orders');
  assert.deepEqual(await findBreaches(world), []);
});
