import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type DeathPoint, dyingConnection } from '../../../drills/model/dying-connection.ts';
import { type Letter, writeLetter } from '../../../drills/model/letter.ts';
import { accountDigits } from '../../../drills/model/model.ts';
import { type Installation, openInstallation, type Real } from '../../../drills/model/real.ts';
import { day, minute } from '../../../src/base/clock.ts';
import { askErasure } from '../../../src/operator/privacy/ask-erasure.ts';
import { readPersonValues } from '../../../src/operator/privacy/person-values.ts';
import { selectErasures } from '../../../src/operator/privacy/queries/erasures.ts';
import { showPerson } from '../../../src/operator/privacy/show-person.ts';
import { eraseDue } from '../../../src/operator/privacy/start-erasing.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { endCredit } from '../../../src/payments/review/end-credit.ts';
import { payableOf } from '../../support/credit.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-erase-'));
let installation: Installation;
let real: Real;
before(async () => {
  installation = await openInstallation();
});
beforeEach(async () => {
  real = await installation.begin();
  const { world } = real.api;
  await world.sql`delete from erasures`;
  await world.sql`delete from erasure_keys`;
  world.config = { ...world.config, erasuresFile: join(folder, `list-${Math.random()}.json`) };
});
after(async () => {
  assert.deepEqual(await findBreaches(real.api.world), []);
  await installation.stop();
  rmSync(folder, { recursive: true, force: true });
});

const customer = { name: 'Rahul Sharma', email: 'rahul.sharma@example.in', phone: '+91 98765 43210' };
const reference = '691234567890';
const values = ['Rahul', 'rahul.sharma', '98765', '9876543210', reference];
const doer = () => ({
  merchantId: real.businesses[0]!.merchantId,
  actor: 'owner@shop.in',
  address: '',
  now: real.api.world.clock.now(),
});

const create = async (change: Record<string, unknown> = {}) =>
  (await real.api.create({ amount: 500, customer, ...change }, real.businesses[0]!.apiKey)).json();

/** The bank's mail about this sum, judged. */
async function pay(amount: number, change: Partial<Letter> = {}): Promise<string> {
  const date = real.api.world.clock.now().getTime();
  const letter = writeLetter({
    to: [real.businesses[0]!.address],
    amount,
    digits: accountDigits[0]!,
    reference,
    date,
    signedAt: date,
    payer: '9876543210',
    ...change,
  });
  const alertId = await real.store(0, letter);
  await real.work();
  return alertId;
}

async function verdictOf(alertId: string) {
  const [row] = await real.api.world.sql<{ verdict: string; raw: number; erasure_id: string | null }[]>`
    select verdict, erasure_id, (select count(*) from raw_mails r where r.alert_id = a.alert_id) as raw
    from alerts a where alert_id = ${alertId}`;
  return row!;
}

/** As the senders do it when the shop has answered. */
async function deliver(): Promise<void> {
  await real.api.world.sql`
    with sent as (delete from delivery_queue returning *)
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, response, asked_by)
    select merchant_id, delivery_id, event_id, attempt, 'delivered', due_at, due_at, 'thanks, Rahul', asked_by from sent`;
}

const ask = (text: string) =>
  real.api.world.sql.begin(tx => askErasure(tx, real.api.world, doer(), readPersonValues(text)!));
const erase = () => eraseDue(real.api.world, 'test');
const reportOf = async () => (await selectErasures(real.api.world.sql, doer().merchantId, 1))[0]!;

/** Tables in which one of the person's values stands, as a dump of the database would show it. */
async function left(): Promise<string[]> {
  const { sql } = real.api.world;
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql.unsafe(
      `select count(*) as count from ${name} t where exists (select from unnest($1::text[]) v where position(v in t::text) > 0)`,
      [values],
    );
    if (Number(row!['count']) > 0) found.push(name);
  }
  return found.sort();
}

describe('a person who paid', () => {
  test('is found by phone, UPI ID, mail address and UTR, and nobody else with them', async () => {
    const order = await create();
    const alertId = await pay(payableOf(order));
    const other = await create({ amount: 500, customer: { name: 'Asha', email: 'asha@example.in' } });
    await pay(payableOf(other), { reference: '699999999999', payer: 'asha' });
    for (const text of [
      '09876543210',
      '9876543210@okbank',
      'Rahul.Sharma@example.in',
      reference,
      '+91-98765-43210',
    ]) {
      const person = await showPerson(real.api.world, doer().merchantId, readPersonValues(text)!, {
        whole: true,
      });
      assert.deepEqual(
        [
          person.rows['orders']!.map(row => row['order_id']),
          person.rows['alerts']!.map(row => row['alert_id']),
        ],
        [[order.order_id], [alertId]],
        text,
      );
      assert.equal(person.rows['raw_mails']!.length, 1);
      assert.equal(person.rows['event_bodies']!.length, 1);
    }
    const elsewhere = await showPerson(
      real.api.world,
      real.businesses[1]!.merchantId,
      readPersonValues(reference)!,
      {
        whole: true,
      },
    );
    assert.deepEqual(Object.values(elsewhere.rows).flat(), []);
  });

  test('is erased once everything is decided and told; the books, the rules and the order stay', async () => {
    const { world } = real.api;
    const order = await create({
      success_url: 'https://shop.example.com/thanks?mail=rahul.sharma@example.in',
    });
    await pay(payableOf(order));
    await ask('9876543210, rahul.sharma@example.in');
    await erase();
    assert.deepEqual(
      (await reportOf()).report.waits?.map(wait => wait.what),
      ['order', 'event', 'alert'],
    );
    world.clock.advance(16 * minute);
    await erase();
    assert.deepEqual(
      (await reportOf()).report.waits?.map(wait => wait.what),
      ['event'],
      'not told yet (R8)',
    );
    await deliver();
    world.clock.advance(16 * minute);
    await erase();
    const { report, erased_at } = await reportOf();
    assert.deepEqual([report.waits, report.kept], [[], []]);
    assert.ok(erased_at);
    assert.deepEqual(await left(), []);
    assert.deepEqual(await findBreaches(world), []);
    const shown = (await real.api.get(`/orders/${order.order_id}`, real.businesses[0]!.apiKey)).json();
    assert.deepEqual(
      [shown.status, shown.customer, shown.bank_reference, shown.success_url],
      ['paid', null, null, 'https://shop.example.com/'],
    );
    world.clock.advance(3 * day);
    await erase();
    const over = await reportOf();
    assert.deepEqual([over.sealed, over.next_at], [null, null]);
    assert.ok(over.done_at);
  });

  test('stays paid once: neither the same mail nor another about the same payment pays, and no bytes come back', async () => {
    const { world } = real.api;
    const order = await create();
    const date = world.clock.now().getTime();
    const first = await pay(payableOf(order), { date, signedAt: date });
    await deliver();
    world.clock.advance(16 * minute);
    await ask(reference);
    await erase();
    assert.deepEqual(await left(), []);
    // The same bytes are found again in the mailbox.
    assert.equal(await pay(payableOf(order), { date, signedAt: date }), first);
    assert.equal((await verdictOf(first)).raw, 0);
    // Another order waits for exactly what another mail with the erased reference tells.
    world.clock.advance(day);
    for (const [payer, isKeyKnown] of [
      ['somebody', true],
      ['newcomer', false],
    ] as const) {
      // A process that has not heard of any erasure.
      if (!isKeyKnown) world.secrets = { ...world.secrets };
      const next = await create({ customer: undefined });
      const copy = await pay(payableOf(next), { payer });
      assert.deepEqual(
        [(await verdictOf(copy)).verdict, (await verdictOf(copy)).raw],
        ['duplicate', 0],
        payer,
      );
      assert.ok((await verdictOf(copy)).erasure_id);
      world.clock.advance(20 * minute);
    }
    // Money with a reference of its own pays as ever.
    const next = await create({ customer: undefined });
    const paid = await pay(payableOf(next), { reference: '698888888888', payer: 'asha' });
    assert.equal((await verdictOf(paid)).verdict, 'paid');
    assert.deepEqual(await findBreaches(world), []);
  });

  test('money that a person has yet to decide about waits, its note goes with it, and the audit log names ids', async () => {
    const { world } = real.api;
    const alertId = await pay(777_77);
    world.clock.advance(day);
    await ask('9876543210@okbank');
    await erase();
    assert.deepEqual((await reportOf()).report.waits, [{ what: 'alert', id: alertId }]);
    const end = {
      alertId,
      end: 'given_back',
      returnReference: '695555555555',
      note: 'to Rahul Sharma',
    } as const;
    await world.sql.begin(tx => endCredit(tx, doer(), end));
    const [deed] = await world.sql`select details from audit_log where subject = ${alertId}`;
    assert.doesNotMatch(String(deed!['details']), /Rahul|695555555555/);
    world.clock.advance(16 * minute);
    await erase();
    assert.deepEqual((await reportOf()).report.waits, []);
    assert.deepEqual(await left(), []);
    assert.deepEqual(await findBreaches(world), []);
  });

  test('stands in no archive: neither in one that was written before nor in one that is written after', async () => {
    const { world } = real.api;
    await world.sql`insert into plans (plan, history_days) values ('short', 30) on conflict do nothing`;
    await world.sql`update merchants set plan = 'short' where merchant_id = ${doer().merchantId}`;
    const early = await create();
    await pay(payableOf(early));
    await deliver();
    world.clock.advance(20 * day);
    const later = await create();
    await pay(payableOf(later), { reference: '691234567891' });
    await deliver();
    world.clock.advance(10 * day);
    await keepHistory(world);
    const archived = async () =>
      (await showPerson(world, doer().merchantId, readPersonValues('9876543210')!, { whole: true })).archives;
    assert.equal((await archived()).length, 1);
    await ask('9876543210, rahul.sharma@example.in');
    await erase();
    assert.deepEqual(await archived(), []);
    world.clock.advance(30 * day);
    await keepHistory(world);
    assert.deepEqual(await archived(), []);
    await world.sql`delete from order_archives`;
    await world.sql`delete from collections`;
    await world.sql`update merchants set plan = 'unlimited' where false`;
  });

  test('comes back with a restored backup, and is erased again by the list; newer rows stay', async () => {
    const { world } = real.api;
    const order = await create();
    await pay(payableOf(order));
    await deliver();
    world.clock.advance(day);
    // As the restored database has it: the rows of before, and no word of an erasure.
    const [row] =
      await world.sql`select customer, bank_reference from orders where order_id = ${order.order_id}`;
    await ask('rahul.sharma@example.in');
    await erase();
    assert.match(readFileSync(world.config.erasuresFile, 'utf8'), /"marks"/);
    assert.doesNotMatch(readFileSync(world.config.erasuresFile, 'utf8'), /rahul/i);
    await world.sql`update orders set customer = ${world.sql.json(row!['customer'])}, erasure_id = null`;
    await world.sql`update alerts set erasure_id = null`;
    await world.sql`update events set erasure_id = null`;
    await world.sql`delete from erasures`;
    await world.sql`delete from erasure_keys`;
    const newer = await create();
    await erase();
    await erase();
    assert.equal((await reportOf()).asked_by, 'list');
    const customers = await world.sql<{ order_id: string }[]>`
      select order_id from orders where customer is not null and merchant_id = ${doer().merchantId}`;
    assert.deepEqual(
      customers.map(one => one.order_id),
      [newer.order_id],
    );
    await world.sql`delete from events where order_id = ${order.order_id}`;
    await world.sql`delete from orders where order_id = ${order.order_id}`;
    await world.sql`delete from alerts`;
  });

  test('nothing is erased where no list can be written, and the owner is told so', async () => {
    const { world } = real.api;
    await create();
    world.clock.advance(day);
    writeFileSync(join(folder, 'file'), '');
    world.config = { ...world.config, erasuresFile: join(folder, 'file', 'list.json') };
    await ask('rahul.sharma@example.in');
    await erase();
    assert.equal((await reportOf()).report.problem, 'no_list');
    assert.ok((await left()).includes('orders'));
    world.config = { ...world.config, erasuresFile: join(folder, 'now.json') };
    await erase();
    assert.equal((await reportOf()).report.problem, undefined);
    assert.deepEqual(await left(), []);
  });

  test('the program dies at any line: the next round ends it', async () => {
    const { world } = real.api;
    const { sql } = world;
    for (const point of [0, 3, 6, 9, 12, 15, 'before commit', 'after commit'] as DeathPoint[]) {
      const order = await create();
      await pay(payableOf(order), {
        reference: `6912345678${String(point).length}${Math.floor(Math.random() * 10)}`,
      });
      await deliver();
      world.clock.advance(16 * minute);
      await ask('9876543210, rahul.sharma@example.in');
      for (let times = 0; times < 3; times++)
        await eraseDue({ ...world, sql: dyingConnection(sql, point) }, 'test').catch(() => {});
      world.clock.advance(11 * minute);
      await erase();
      assert.deepEqual(await left(), [], String(point));
    }
  });

  test('rows of the audit log and ids of the shop that hold a value are named in the report, and stay', async () => {
    const { world } = real.api;
    await create({ merchant_order_id: 'cart of rahul.sharma@example.in' });
    await world.sql.begin(async tx => {
      const { record } = await import('../../../src/business/accounts/audit.ts');
      await record(tx, {
        ...doer(),
        at: doer().now,
        action: 'credit.keep',
        subject: 'x',
        details: `{"note":"9876543210"}`,
      });
    });
    world.clock.advance(day);
    await ask('rahul.sharma@example.in, 9876543210');
    await erase();
    assert.deepEqual(
      (await reportOf()).report.kept?.map(({ what }) => what),
      ['audit', 'order_id'],
    );
    assert.deepEqual(await left(), ['audit_log', 'orders']);
  });
});
