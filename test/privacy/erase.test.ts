import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeEach, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { day, minute } from '../../src/base/clock.ts';
import { record } from '../../src/business/accounts/audit.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { csvHeader } from '../../src/orders/history/csv-line.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { endCredit } from '../../src/payments/review/decide-by-hand.ts';
import { searchArchives } from '../../src/privacy/search-archives.ts';
import { payableOf } from '../support/credit.ts';
import { openErasingStage, reference } from '../support/erasing-stage.ts';
import { use } from '../support/use.ts';

const stage = use(openErasingStage);
beforeEach(() => stage.begin());

async function mailOf(alertId: string) {
  const [row] = await stage.world().sql<{ verdict: string; raw: number; erasure_id: string | null }[]>`
    select verdict, erasure_id, (select count(*) from raw_mails r where r.alert_id = a.alert_id) as raw
    from alerts a where alert_id = ${alertId}`;
  return row!;
}

const waits = async () => (await stage.reportOf()).report.waits?.map(wait => wait.what);

test('a person is found by phone, UPI ID, mail address and UTR, and nobody else with them', async () => {
  const { order, alertId } = await stage.buy();
  await stage.buy(
    { customer: { name: 'Asha', email: 'asha@example.in' } },
    { reference: '699999999999', payer: 'asha' },
  );
  for (const text of ['09876543210', '9876543210@okbank', 'Rahul.Sharma@example.in', reference]) {
    const { rows } = await stage.show(text);
    const ids = [rows['orders']!.map(row => row['order_id']), rows['alerts']!.map(row => row['alert_id'])];
    assert.deepEqual(ids, [[order.order_id], [alertId]], text);
    assert.deepEqual([rows['raw_mails']!.length, rows['event_bodies']!.length], [1, 1]);
  }
  // R12: another business knows nothing of it.
  const elsewhere = await stage.show(reference, stage.elsewhere());
  assert.deepEqual(Object.values(elsewhere.rows).flat(), []);
});

test('a person is erased once everything is decided and sent; the books, the rules and the order stay', async () => {
  const { clock } = stage.world();
  const { order } = await stage.buy({
    success_url: 'https://shop.example.com/thanks?mail=rahul.sharma@example.in',
  });
  await stage.ask('9876543210, rahul.sharma@example.in');
  await stage.erase();
  assert.deepEqual(await waits(), ['order', 'event', 'alert']);
  clock.advance(16 * minute);
  await stage.erase();
  assert.deepEqual(await waits(), ['event'], 'not told yet (R8)');
  await stage.deliver();
  clock.advance(16 * minute);
  await stage.erase();
  const { report, erased_at } = await stage.reportOf();
  assert.deepEqual([report.waits, report.kept], [[], []]);
  assert.ok(erased_at);
  assert.deepEqual(await stage.left(), []);
  assert.deepEqual(await findBreaches(stage.world()), []);
  const { status, customer, bank_reference, success_url } = (await stage.get(order.order_id)).json();
  assert.deepEqual(
    [status, customer, bank_reference, success_url],
    ['paid', null, null, 'https://shop.example.com/'],
  );
  clock.advance(3 * day);
  await stage.erase();
  const over = await stage.reportOf();
  assert.deepEqual([over.sealed, over.next_at], [null, null]);
});

test('R2: neither the same mail nor another with the erased reference pays, and its bytes are not stored again', async () => {
  const world = stage.world();
  const date = world.clock.now().getTime();
  const letter = { date, signedAt: date };
  const { order, alertId } = await stage.buy({}, letter);
  await stage.deliver();
  world.clock.advance(16 * minute);
  await stage.ask(reference);
  await stage.erase();
  assert.deepEqual(await stage.left(), []);
  assert.equal(await stage.pay(payableOf(order), letter), alertId);
  assert.equal((await mailOf(alertId)).raw, 0);
  world.clock.advance(day);
  for (const payer of ['somebody', 'newcomer']) {
    // A process that has not heard of any erasure learns the key, and then knows it too.
    if (payer === 'newcomer') world.secrets = { ...world.secrets };
    const copy = await stage.buy({ customer: undefined }, { payer });
    const { verdict, raw, erasure_id } = await mailOf(copy.alertId);
    assert.deepEqual([verdict, raw], ['duplicate', 0], payer);
    assert.ok(erasure_id);
    world.clock.advance(20 * minute);
  }
  const other = await stage.buy({ customer: undefined }, { reference: '698888888888', payer: 'asha' });
  assert.equal((await mailOf(other.alertId)).verdict, 'paid');
  assert.deepEqual(await findBreaches(world), []);
});

test('verify still finds an alert that lost its bytes without a recorded erasure', async () => {
  const { sql } = stage.world();
  const { alertId } = await stage.buy();
  await sql`update alerts set erasure_id = 'er_nobody' where alert_id = ${alertId}`;
  assert.match((await findBreaches(stage.world())).join(), /was erased by nobody/);
});

test('an erasure waits for undecided money, removes its note, and is in the audit log by ids', async () => {
  const world = stage.world();
  const alertId = await stage.pay(777_77);
  world.clock.advance(day);
  await stage.ask('9876543210@okbank');
  await stage.erase();
  assert.deepEqual((await stage.reportOf()).report.waits, [{ what: 'alert', id: alertId }]);
  const end = {
    alertId,
    end: 'given_back',
    returnReference: '695555555555',
    note: 'to Rahul Sharma',
  } as const;
  await world.sql.begin(tx => endCredit(tx, stage.who(), end));
  const [entry] = await world.sql`select details from audit_log where subject = ${alertId}`;
  assert.doesNotMatch(String(entry!['details']), /Rahul|695555555555/);
  world.clock.advance(16 * minute);
  await stage.erase();
  assert.deepEqual(await waits(), []);
  assert.deepEqual(await stage.left(), []);
  assert.deepEqual(await findBreaches(world), []);
});

test('an erased person is in no archive, earlier or later', async () => {
  const world = stage.world();
  const { merchantId } = stage.who();
  await world.sql`insert into plans (plan, history_days) values ('short', 30) on conflict do nothing`;
  await world.sql`update merchants set plan = 'short' where merchant_id = ${merchantId}`;
  await stage.buy();
  await stage.deliver();
  world.clock.advance(20 * day);
  await stage.buy({}, { reference: '691234567891' });
  await stage.deliver();
  world.clock.advance(10 * day);
  await keepHistory(world);
  const archived = async () => (await stage.show('9876543210')).archives.length;
  assert.equal(await archived(), 1);
  await stage.ask('9876543210, rahul.sharma@example.in');
  await stage.erase();
  assert.equal(await archived(), 0);
  world.clock.advance(30 * day);
  await keepHistory(world);
  assert.equal(await archived(), 0);
});

test('a forged archive of quotation marks is searched at once, and its other lines stay unchanged', async () => {
  const { sql, clock } = stage.world();
  const { merchantId, now } = stage.who();
  const cells = (name: string) =>
    csvHeader
      .trim()
      .split(',')
      .map(title => (title === 'customer_name' ? name : title === 'order_id' ? 'ML-1' : ''))
      .join(',');
  const named = [cells('"Rahul ""R""\r\nSharma, 9876543210"'), cells('9876543210'), cells('"nobody, ""x"""')];
  const broken = `${'"'.repeat(81)}x\r\n${','.repeat(500_000)}${'"",'.repeat(500_000)}`;
  const packed = gzipSync(`${csvHeader}${named.join('\r\n')}\r\n${broken}`);
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 1, ${packed}, ${now})`;
  assert.equal((await stage.show('9876543210')).archives.length, 2);
  clock.advance(day);
  await stage.ask('9876543210');
  await stage.erase();
  const [row] = await sql<{ csv_gzip: Buffer }[]>`select csv_gzip from order_archives`;
  const left = [cells(''), cells(''), named[2], broken];
  assert.equal(String(gunzipSync(row!.csv_gzip)), csvHeader + left.join('\r\n'));
});

test('an archive that unpacks to more than the limit is refused before it fills the memory', async () => {
  const { sql } = stage.world();
  const { merchantId, now } = stage.who();
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '"'));
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 1, ${bomb}, ${now})`;
  await assert.rejects(
    stage.show('9876543210'),
    /2026-01-01 on could not be searched: Cannot create a Buffer larger than/,
  );
});

test('the event loop stays free while a hostile archive is searched, and the search finds its values', async () => {
  const { sql } = stage.world();
  const { merchantId, now } = stage.who();
  // The largest allowed parts: many quotation marks, many lines, and one line of megabytes with a value in its middle.
  const huge = `ML-1,${'"a",'.repeat(600_000)}9876543210,${'"",'.repeat(700_000)}`;
  const hostile = ['\r\n'.repeat(500_000), '"\r\n"'.repeat(200_000), huge, 'ML-2,"98765 43210"'].join('\r\n');
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 1, ${gzipSync(hostile)}, ${now})`;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { archives } = await stage.show('9876543210');
  delay.disable();
  assert.deepEqual([archives.length, archives[0] === huge], [1, true]);
  const held = Math.round(delay.max / 1e6);
  assert.ok(held < 1_000, `the event loop was held up for ${held} ms`);
});

test('two simultaneous erasures in one archive both remove their values', async () => {
  const { sql } = stage.world();
  const { merchantId, now } = stage.who();
  const titles = csvHeader.trim().split(',');
  const emailAt = titles.indexOf('customer_email');
  const people = ['anna@example.in', 'bela@example.in'];
  const lines = people.map((email, place) =>
    titles.map((_, at) => [`ML-${place}`][at] ?? (at === emailAt ? email : '')),
  );
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 2, ${gzipSync([titles, ...lines, ''].join('\r\n'))}, ${now})`;
  const asked = { merchantId, seek: { values: [] }, before: now, erases: true };
  await Promise.all(['ML-0', 'ML-1'].map(id => searchArchives({ sql }, { ...asked, orders: new Set([id]) })));
  const [part] = await sql<{ csv_gzip: Buffer }[]>`select csv_gzip from order_archives`;
  assert.doesNotMatch(String(gunzipSync(part!.csv_gzip)), /anna@|bela@/);
});

test('a restored backup erases again by the list, and only what was written before that time', async () => {
  const { sql, clock, config } = stage.world();
  const { order } = await stage.buy();
  await stage.deliver();
  clock.advance(day);
  const [row] = await sql`select customer from orders where order_id = ${order.order_id}`;
  await stage.ask('rahul.sharma@example.in');
  await stage.erase();
  const list = readFileSync(config.erasuresFile, 'utf8');
  assert.match(list, /"marks"/);
  assert.doesNotMatch(list, /rahul/i);
  // A restored database has the previous rows, and no trace of an erasure.
  await sql`update orders set customer = ${sql.json(row!['customer'])}, erasure_id = null`;
  await sql`update alerts set erasure_id = null`;
  await sql`update events set erasure_id = null`;
  await sql`delete from erasures`;
  await sql`delete from erasure_keys`;
  const newer = await stage.create();
  await stage.erase();
  await stage.erase();
  assert.equal((await stage.reportOf()).asked_by, 'list');
  const customers = await sql<{ order_id: string }[]>`select order_id from orders where customer is not null`;
  assert.deepEqual(
    customers.map(one => one.order_id),
    [newer.order_id],
  );
});

test('nothing is erased if the list cannot be written, and the owner reads why', async () => {
  const world = stage.world();
  await stage.create();
  world.clock.advance(day);
  writeFileSync(join(stage.folder, 'file'), '');
  world.config = { ...world.config, erasuresFile: join(stage.folder, 'file', 'list.json') };
  await stage.ask('rahul.sharma@example.in');
  await stage.erase();
  assert.equal((await stage.reportOf()).report.problem, 'no_list');
  assert.ok((await stage.left()).includes('orders'));
  world.config = { ...world.config, erasuresFile: join(stage.folder, 'now.json') };
  await stage.erase();
  assert.equal((await stage.reportOf()).report.problem, undefined);
  assert.deepEqual(await stage.left(), []);
});

test('rows of the audit log and ids of the shop with the value are named in the report, and stay', async () => {
  const { sql, clock } = stage.world();
  await stage.create({ merchant_order_id: 'cart of rahul.sharma@example.in' });
  const { merchantId, actor, now: at } = stage.who();
  const entry = { merchantId, actor, at, action: 'credit.keep', subject: 'al_x' } as const;
  await sql.begin(tx => record(tx, { ...entry, details: { note: '9876543210' } }));
  // Another one, which was archived and deleted.
  const line = `ML-1,inv-9876543210${','.repeat(csvHeader.split(',').length - 2)},Rahul`;
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 1, ${gzipSync(`${csvHeader}${line}\r\n`)}, ${at})`;
  await sql`
    insert into spent_order_ids (merchant_id, merchant_order_id, until)
    values (${merchantId}, 'inv-9876543210', '2030-01-01')`;
  clock.advance(day);
  await stage.ask('rahul.sharma@example.in, 9876543210');
  await stage.erase();
  const { kept } = (await stage.reportOf()).report;
  assert.deepEqual(
    kept?.map(({ what }) => what),
    ['audit', 'order_id', 'archive', 'spent_id'],
  );
  assert.deepEqual(await stage.left(), ['audit_log', 'orders', 'spent_order_ids']);
});
