import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openCells } from '../../../src/base/cells.ts';
import { day, minute } from '../../../src/base/clock.ts';
import { awaySql } from '../../../src/base/database/away-sql.ts';
import type { Queryable, Transaction } from '../../../src/base/database/connect.ts';
import { paise } from '../../../src/base/money.ts';
import { idsEnd } from '../../../src/base/settings/config-cells.ts';
import { findLink, makeLink } from '../../../src/business/accounts/links.ts';
import { insertTaken } from '../../../src/business/accounts/queries/taken.ts';
import { byOperator, recordDeed } from '../../../src/business/accounts/record-deed.ts';
import { recoverPassword } from '../../../src/business/accounts/recover-password.ts';
import { removeBusinesses } from '../../../src/business/accounts/remove-businesses.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { selectPlans, writePlans } from '../../../src/business/merchants/plans.ts';
import { setDisabled } from '../../../src/business/merchants/queries.ts';
import { copyInstallation } from '../../../src/operator/cells/copy-installation.ts';
import { findLeftOvers, moveInside, takeBack, tidy } from '../../../src/operator/cells/move-inside.ts';
import { removeHere } from '../../../src/operator/cells/queries.ts';
import { settleRestored } from '../../../src/operator/cells/settle-restored.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { createOrder } from '../../../src/orders/create-order.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { storedCredit } from '../../support/credit.ts';
import { fillBusiness } from '../../support/dashboard-business.ts';
import { rowsOf } from '../../support/rows-of.ts';
import { openTestCells, type TestCells } from '../../support/test-cells.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';

let stage: TestCells;
before(async () => {
  stage = await openTestCells();
});
after(() => stage.stop());

const quiet = () => {};

/** A row in every table, by which no rule is broken; nothing is being sent. */
async function filled(world: TestWorld): Promise<number> {
  const { merchantId } = await fillBusiness(world);
  await world.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
  await world.sql`update collections set collected_paise = 0 where merchant_id = ${merchantId}`;
  await world.sql`
    update amounts a set held_until = o.expires_at + interval '12 minutes' from orders o
    where a.merchant_id = ${merchantId} and o.merchant_id = a.merchant_id and o.order_id = a.order_id`;
  return merchantId;
}

/** In which cells it is open, and where it is looked for. */
async function whereOpen(merchantId: number): Promise<{ open: number[]; sought: number }> {
  await stage.cells.look();
  const open: number[] = [];
  for (const { sql, cell } of stage.worlds) {
    const rows = await sql`select from merchants where merchant_id = ${merchantId} and moved_at is null`;
    if (rows.length > 0) open.push(cell!);
  }
  return { open, sought: stage.cells.of(merchantId).cell! };
}

const killed = new Error('killed');

/** The cells as a process sees them to which this happens before it says that to one of them: it dies, mostly. */
function dyingAt(cell: number, text: string, happens: () => Promise<unknown> = () => Promise.reject(killed)) {
  const dying = <Q extends Queryable>(queryable: Q): Q =>
    Object.assign((strings: TemplateStringsArray, ...values: unknown[]) => {
      if (String(strings).includes(text)) return happens().then(() => queryable(strings, ...values));
      return queryable(strings, ...values);
    }, queryable) as Q;
  const worlds = stage.worlds.map(world => ({ ...world }));
  const { sql } = stage.worlds[cell]!;
  worlds[cell]!.sql = Object.assign(dying(sql), {
    begin: <T>(work: (tx: Transaction) => Promise<T>, options?: object) =>
      sql.begin(tx => work(dying(tx)), options),
  });
  const ranges = worlds.map((_, at) => ({ from: Math.floor((idsEnd / 2) * at), cell: at }));
  return openCells({ ranges, newCell: 1 }, worlds);
}

test('every row moves to the other cell, and is open in one at most, wherever a move is killed', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const merchantId = await filled(from);
  const [user] = await from.sql`select user_id, email from users where merchant_id = ${merchantId} limit 1`;
  const wanted = { merchant_id: merchantId, user_id: user!['user_id'], email: user!['email'], made_by: '' };
  const link = await from.sql.begin(tx => makeLink(tx, from, { ...wanted, purpose: 'recover' }));
  const before = await rowsOf(from, merchantId);
  const move = { merchantId, to: 1 };
  const die = () => {
    throw killed;
  };
  await assert.rejects(moveInside(stage.cells, move, die), killed);
  assert.deepEqual(await whereOpen(merchantId), { open: [], sought: 0 }, 'behind the fence');

  await assert.rejects(moveInside(dyingAt(0, 'update placed'), move, quiet), killed);
  assert.deepEqual(await whereOpen(merchantId), { open: [], sought: 0 }, 'before the switch');
  // What is done now would not go along: it is refused, and not answered and forgotten.
  const row = (await findLink(from, link.split('/').at(-1)!, 'recover'))!;
  await assert.rejects(recoverPassword(from, row, { password: 'a new password 22', address: '' }), {
    code: 'ML503',
  });
  const halting = from.sql.begin(async tx => {
    await setDisabled(tx, merchantId, from.clock.now(), { reason: '', onlyNewOrders: false });
    await recordDeed(tx, byOperator(from, merchantId), { action: 'business.disable', subject: '' });
  });
  await assert.rejects(halting, { code: 'ML503' });
  await assert.rejects(moveInside(dyingAt(1, 'set moved_at = null'), move, quiet), killed);
  assert.deepEqual(await whereOpen(merchantId), { open: [], sought: 1 }, 'behind the switch');

  from.clock.advance(minute);
  const silent = await moveInside(stage.cells, move, quiet);
  assert.ok(silent >= minute, 'since it stood still for the first time');
  assert.deepEqual(await whereOpen(merchantId), { open: [1], sought: 1 });
  const after = await rowsOf(to, merchantId);
  const changed = Object.keys(before).filter(table => before[table] !== after[table]);
  assert.deepEqual(
    changed.sort(),
    ['audit_heads', 'audit_log', 'chats', 'delivery_queue', 'merchants', 'passkey_challenges', 'pushes'],
    'what was due is due now, the epoch is raised, and the log says what happened',
  );
  assert.deepEqual(await findBreaches(to), []);
  await assert.rejects(moveInside(stage.cells, move, quiet), /is in cell 1 already/);
});

test('a copy that was overtaken is thrown away, and what was ordered meanwhile goes along', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(from);
  const move = moveInside(dyingAt(0, 'update placed'), { merchantId, to: 1 }, quiet);
  await assert.rejects(move, killed);
  await takeBack(stage.cells, { merchantId, to: 1 });
  assert.deepEqual(await whereOpen(merchantId), { open: [0], sought: 0 });
  await assert.rejects(takeBack(stage.cells, { merchantId, to: 1 }), /nothing to take back/);
  from.clock.advance(1000);
  const caller = { merchantId, signedIn: true } as const;
  const { order } = await createOrder(from.sql, from, caller, {
    amount: paise(499_00),
    merchantOrderId: 'meanwhile',
    successUrl: 'https://shop.example.com/thanks',
    failureUrl: 'https://shop.example.com/sorry',
    webhookUrl: 'https://shop.example.com/hook',
    customer: null,
    account: null,
  });
  await moveInside(stage.cells, { merchantId, to: 1 }, quiet);
  const found = await to.sql`select from orders where order_id = ${order.order_id}`;
  assert.equal(found.length, 1);
  await assert.rejects(takeBack(stage.cells, { merchantId, to: 1 }), /is in cell 1 already/);

  // And back again, paid with what was counted there.
  const credit = await storedCredit(to, merchantId, { amount: order.payable_paise });
  await to.sql`
    update alerts a set arrival_epoch = m.arrival_epoch from merchants m
    where m.merchant_id = a.merchant_id and a.alert_id = ${credit.alertId}`;
  assert.equal((await confirmPayment(to, credit)).outcome, 'paid');
  await to.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
  await moveInside(stage.cells, { merchantId, to: 0 }, quiet);
  assert.deepEqual(await whereOpen(merchantId), { open: [0], sought: 0 });
  const [paid] = await from.sql`select status from orders where order_id = ${order.order_id}`;
  assert.equal(paid!['status'], 'paid');
  assert.deepEqual(await findBreaches(from), []);
});

test('a move that is taken back while its process stands still for long places nothing any more', async () => {
  for (const [from, to] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { sql } = stage.worlds[from]!;
    const { merchantId } = await addTestMerchant(stage.worlds[from]!);
    const stopped = dyingAt(0, 'update placed', async () => {
      // As the server does with a transaction in which nothing is said for 30 seconds.
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`;
      await takeBack(stage.cells, { merchantId, to });
    });
    await assert.rejects(moveInside(stopped, { merchantId, to }, quiet), /taken it back meanwhile/);
    assert.deepEqual(await whereOpen(merchantId), { open: [from], sought: from });
  }
});

test('what is left behind stays for a day, and then goes without taking anything from the one that moved', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const merchantId = await filled(from);
  await moveInside(stage.cells, { merchantId, to: 1 }, quiet);
  const there = await rowsOf(to, merchantId);
  const isLeft = async () =>
    (await findLeftOvers(stage.cells, from)).some(({ merchant_id }) => merchant_id === merchantId);
  assert.ok(!(await tidy(stage.cells, from)).includes(merchantId) && (await isLeft()));
  from.clock.advance(day + minute);
  assert.ok((await tidy(stage.cells, from)).includes(merchantId));
  assert.ok(!(await isLeft()));
  for (const [table, rows] of Object.entries(await rowsOf(from, merchantId))) assert.equal(rows, '', table);
  assert.deepEqual(await rowsOf(to, merchantId), there);
});

test('of a mail that reached a business of each cell the one that settled something keeps it', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const [mover, other] = [await addTestMerchant(from), await addTestMerchant(to)];
  const count = ({ sql, clock }: TestWorld, id: number, signature: string, settled: boolean) => sql`
    insert into counted_signatures (signature_id, merchant_id, alert_id, settled, counted_at)
    values (${signature}, ${id}, ${`al ${signature}`}, ${settled}, ${clock.now()})`;
  for (const [signature, here, there] of [
    ['both wait', false, false],
    ['ours', true, false],
    ['theirs', false, true],
  ] as const) {
    await count(from, mover.merchantId, signature, here);
    await count(to, other.merchantId, signature, there);
  }
  await moveInside(stage.cells, { merchantId: mover.merchantId, to: 1 }, quiet);
  const rows = await to.sql`
    select signature_id, merchant_id from counted_signatures
    where signature_id in ('both wait', 'ours', 'theirs') order by signature_id`;
  assert.deepEqual(
    rows.map(row => row['merchant_id']),
    [mover.merchantId, mover.merchantId, other.merchantId],
  );
  await to.sql`delete from counted_signatures where signature_id in ('both wait', 'ours', 'theirs')`;
  const twice = await addTestMerchant(from);
  await count(from, twice.merchantId, 'twice', true);
  await count(to, other.merchantId, 'twice', true);
  await assert.rejects(
    moveInside(stage.cells, { merchantId: twice.merchantId, to: 1 }, quiet),
    /was counted here for another business \(R2\)/,
  );
  await takeBack(stage.cells, { merchantId: twice.merchantId, to: 1 });
  await to.sql`delete from counted_signatures where signature_id = 'twice'`;
});

test('a business that nobody knows, and one that is open in both cells, do not move', async () => {
  await assert.rejects(moveInside(stage.cells, { merchantId: 1, to: 1 }, quiet), /there is no business 1/);
  await assert.rejects(moveInside(stage.cells, { merchantId: 1, to: 7 }, quiet), /there is no cell 7/);
  const { merchantId } = stage.merchants[0]!;
  await assert.rejects(moveInside(stage.cells, { merchantId, to: 1 }, quiet), /open in cell 1 too/);
  assert.deepEqual(await whereOpen(merchantId), { open: [0, 1], sought: 0 });
});

test('a cell that comes back from a backup is closed for what has moved since', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const [left, came] = [await addTestMerchant(from), await addTestMerchant(to)];
  await moveInside(stage.cells, { merchantId: left.merchantId, to: 1 }, quiet);
  await moveInside(stage.cells, { merchantId: came.merchantId, to: 0 }, quiet);
  // Cell 0 as it was before both: one is open in it, the other was never there, and nothing is placed.
  await from.sql`update merchants set moved_at = null where merchant_id = ${left.merchantId}`;
  await from.sql`update merchants set moved_at = created_at where merchant_id = ${came.merchantId}`;
  const [seen] = await from.sql`select moved_at from merchants where merchant_id = ${came.merchantId}`;
  await removeHere(from, came.merchantId, seen!['moved_at']);
  await from.sql`delete from placed where merchant_id in ${from.sql([left.merchantId, came.merchantId])}`;
  for (const { merchantId } of stage.merchants)
    await to.sql`update merchants set moved_at = created_at where merchant_id = ${merchantId} and name = 'WRONG CELL'`;
  await settleRestored(stage.cells, from);
  for (const { merchantId } of [left, came])
    assert.deepEqual(await whereOpen(merchantId), { open: [1], sought: 1 });
  // Of before both is also a wish to be deleted, which was taken back since.
  await from.sql`update merchants set deletion_requested_at = created_at - interval '9 days' where merchant_id = ${left.merchantId}`;
  await insertTaken(
    from.sql,
    [{ kind: 'person', name: 'o@left.in', merchant_id: left.merchantId }],
    from.clock.now(),
  );
  await removeBusinesses(from);
  const kept = await from.sql`
    select from merchants m join taken t using (merchant_id) where merchant_id = ${left.merchantId}`;
  assert.equal(kept.length, 1, 'the fence stands, and the name is its business’s');
});

test('plans and bank entries of cell 0 come to the others, and go when nobody is on them', async () => {
  const [home, cell] = stage.worlds as [TestWorld, TestWorld];
  const plans = (world: TestWorld) => world.sql`select plan, monthly_limit_paise from plans order by plan`;
  const copy = () => copyInstallation(home.sql, cell.sql, cell.clock.now());
  await home.sql`insert into plans (plan, monthly_limit_paise) values ('small', 100), ('large', 900)`;
  const entry = { id: 'test', bank: 'test' };
  await home.sql`
    insert into bank_entries (bank, entry, note, saved_at, saved_by)
    values ('test', ${home.sql.json(entry)}, '', ${home.clock.now()}, 'o@x.in')`;
  await copy();
  assert.deepEqual([...(await plans(cell))], [...(await plans(home))]);
  const merchantId = await createMerchant(cell.sql, cell, { name: 'On large', plan: 'large' });
  const without = (await selectPlans(home.sql)).filter(({ plan }) => plan !== 'large');
  const remove = () => home.sql.begin(tx => writePlans(tx, without, { cells: stage.cells }));
  await assert.rejects(remove(), /plan "large" is not in the file, but businesses are on it \(1\)/);
  const { sql } = cell;
  cell.sql = awaySql();
  await assert.rejects(remove(), /cell 1 is away/);
  cell.sql = sql;
  await home.sql`update plans set monthly_limit_paise = 200 where plan = 'small'`;
  await home.sql`delete from plans where plan = 'large'`;
  await home.sql`update bank_entries set removed_at = saved_at`;
  await copy();
  const names = (await plans(cell)).map(({ plan }) => plan);
  assert.deepEqual(names, ['large', 'small', 'standard'], 'one that somebody is on stays');
  const [limit] = await cell.sql`select monthly_limit_paise from plans where plan = 'small'`;
  assert.equal(limit!['monthly_limit_paise'], 200);
  assert.equal((await cell.sql`select from bank_entries where removed_at is not null`).length, 1);
  await cell.sql`update merchants set plan = 'standard' where merchant_id = ${merchantId}`;
  await home.sql`delete from plans where plan = 'small'`;
  await copy();
  assert.deepEqual([...(await plans(cell))], [...(await plans(home))]);
});
