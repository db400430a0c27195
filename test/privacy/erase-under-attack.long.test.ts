import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { day, hour, later, minute } from '../../src/base/clock.ts';
import { learnErasureKey } from '../../src/payments/matching/erased-references.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { askErasure } from '../../src/privacy/ask-erasure.ts';
import { hashValue } from '../../src/privacy/person-values.ts';
import { selectErasures } from '../../src/privacy/queries/erasures.ts';
import { eraseDue } from '../../src/privacy/start-erasing.ts';
import { payableOf } from '../support/credit.ts';
import { type ErasingStage, openErasingStage, reference } from '../support/erasing-stage.ts';

let stage: ErasingStage;
before(async () => {
  stage = await openErasingStage();
});
beforeEach(() => stage.begin());
after(() => stage.stop());

async function mailOf(alertId: string) {
  const [row] = await stage.world().sql<{ verdict: string; raw: number; erasure_id: string | null }[]>`
    select verdict, erasure_id, (select count(*) from raw_mails r where r.alert_id = a.alert_id) as raw
    from alerts a where alert_id = ${alertId}`;
  return row!;
}

/** Stores a mail that no key signed, or that no program could read. */
async function unread(raw: Buffer, verdict = 'forged', alertId = 'al_unread'): Promise<string> {
  const { sql, clock } = stage.world();
  const { merchantId } = stage.who();
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict)
    values (${merchantId}, ${alertId}, 3, ${clock.now()}, 'test', ${verdict})`;
  await sql`
    insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    values (${merchantId}, ${alertId}, ${clock.now()}, ${raw})`;
  return alertId;
}

test('a megabyte of one character in a stranger’s mail costs no more than a megabyte of words', async () => {
  const taken = async (text: string) => {
    await stage.world().sql`delete from alerts`;
    await stage.world().sql`delete from raw_mails`;
    const mail = `From: a@b.in\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n${text.repeat(1e6 / text.length)}`;
    await unread(deflateSync(mail));
    // Not by the clock on the wall, which goes on while others have the processor.
    const began = process.cpuUsage();
    await stage.show('9876543210');
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  const words = await taken('plain words ');
  for (const text of ['a', '<', '@', 'a@', '9', '%', '.a'])
    assert.ok((await taken(text)) < 20 * words, `many ${text}`);
});

test('two processes at the first erasure use one key, even if one is killed between the file and the database', async () => {
  const world = stage.world();
  const { sql, clock } = world;
  const keyIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')).key as string;
  for (const made of [
    ['a', 'a'],
    ['b', 'c'],
    ['d', 'e', 'killed'],
    ['f', 'f'],
    ['g', 'h'],
  ]) {
    await sql`delete from erasures`;
    await sql`delete from erasure_keys`;
    const paths = made.slice(0, 2).map(name => join(stage.folder, `${name}.json`));
    const processes = paths.map(path => ({
      ...world,
      secrets: { ...world.secrets },
      config: { ...world.config, erasuresFile: path },
    }));
    // It has written its file, and died before the database knew its key; the other one is first.
    const lost = JSON.stringify({ key: randomBytes(32).toString('base64'), erasures: [] });
    if (made[2]) writeFileSync(paths[0]!, lost);
    const { order } = await stage.buy({}, { reference: `69${randomInt(1e9, 9e9)}` });
    await stage.deliver();
    clock.advance(16 * minute);
    await stage.ask('9876543210, rahul.sharma@example.in');
    if (made[2]) await eraseDue(processes[1]!, 'test');
    await Promise.all(processes.map(one => eraseDue(one, 'test')));
    clock.advance(2 * hour);
    for (const one of processes) await eraseDue(one, 'test');
    const key = (await learnErasureKey(sql, world))!;
    const report = await stage.reportOf();
    const where = made.join(' ');
    assert.deepEqual(
      paths.map(keyIn),
      [key, key].map(one => one.toString('base64')),
      where,
    );
    assert.equal(report.marks[0], hashValue(key, stage.who().merchantId, 'phone 9876543210'), where);
    assert.equal(report.report.problem, undefined, where);
    assert.equal((await stage.get(order.order_id)).json().customer, null, where);
  }
});

test('a mail that cannot be unpacked does not match, and a failed erasure delays no other', async () => {
  const world = stage.world();
  const { sql, clock } = world;
  await unread(Buffer.from('raw'));
  await unread(deflateSync(`9876543210${' '.repeat(2e6)}`), 'forged', 'al_large');
  assert.deepEqual((await stage.show('9876543210')).rows['alerts'], []);
  const { merchantId } = stage.who();
  await sql`
    insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at)
    values (${merchantId}, '2026-01-01', 1, 1, 'broken', ${clock.now()})`;
  await stage.ask('9876543210');
  const who = { ...stage.who(), merchantId: stage.elsewhere() };
  await sql.begin(tx => askErasure(tx, world, who, ['phone 9876543210']));
  await stage.erase();
  const { report, next_at } = await stage.reportOf();
  assert.deepEqual([report.problem, next_at], ['failed', later(clock.now(), hour)]);
  assert.ok((await selectErasures(sql, stage.elsewhere(), 1))[0]!.erased_at);
  await sql`delete from order_archives`;
  clock.advance(hour);
  await stage.erase();
  assert.ok((await stage.reportOf()).erased_at);
});

test('nothing is erased while a process without the key runs; its payments continue, and the owner reads why', async () => {
  const { sql, clock } = stage.world();
  await stage.create();
  clock.advance(day);
  await stage.ask('rahul.sharma@example.in');
  await sql`insert into processes values ('shop:8080 web', '0.2.0 (0032)', clock_timestamp(), 0, 0, 0, 0)`;
  await stage.erase();
  assert.equal((await stage.reportOf()).report.problem, 'older_process');
  // The previous release counts it like this, without a mark.
  const credit = JSON.stringify({ bank: 'hdfc', reference: '699999999998', signatures: ['old'] });
  await sql`select count_credit(${stage.who().merchantId}, 'al_old', ${credit}::jsonb, ${clock.now()}, true)`;
  await sql`delete from processes`;
  await stage.erase();
  assert.deepEqual([(await stage.reportOf()).report.problem, await stage.left()], [undefined, []]);
});

test('a person who entered somebody else’s reference loses that entry, and neither order nor payment', async () => {
  const world = stage.world();
  const { sql, clock } = world;
  const { order } = await stage.buy();
  const asha = { name: 'Asha', email: 'asha@example.in' };
  const other = await stage.create({ customer: asha });
  const claim = { merchantId: stage.who().merchantId, orderId: other.order_id, now: clock.now() };
  for (const typed of [reference, '699999999999'])
    await enterReference(world, { ...claim, reference: typed });
  const claims = async () =>
    (await sql`select bank_reference from claimed_references`).map(row => row['bank_reference']);
  assert.deepEqual((await stage.show(reference)).rows['claimed_references']!.length, 1);
  await stage.pay(payableOf(other), { reference: '699999999999', payer: 'asha' });
  await stage.deliver();
  await stage.ask(reference);
  await stage.erase();
  assert.deepEqual(await claims(), [reference, '699999999999'], 'its order is undecided');
  clock.advance(day);
  await stage.erase();
  const answerAbout = async (id: string) => (await stage.get(id)).json();
  assert.equal((await answerAbout(order.order_id)).customer, null);
  const kept = await answerAbout(other.order_id);
  assert.deepEqual([kept.customer.name, kept.bank_reference], ['Asha', '699999999999']);
  assert.deepEqual(await claims(), ['699999999999']);
  await stage.ask('699999999999');
  await stage.erase();
  assert.equal((await answerAbout(other.order_id)).customer, null);
});

test('at most twenty requests run at once, and waiting rows are read more and more rarely', async () => {
  const { sql, clock } = stage.world();
  await stage.pay(777_77);
  const asked = [];
  for (let at = 0; at < 21; at++) asked.push(await stage.ask('9876543210'));
  assert.deepEqual([asked.indexOf(null), asked.length], [20, 21]);
  await sql`delete from erasures where erasure_id <> ${asked[0]}`;
  const looks: number[] = [];
  const began = clock.now().getTime();
  while (clock.now().getTime() - began < 30 * day) {
    await stage.erase();
    const { next_at } = await stage.reportOf();
    looks.push(next_at!.getTime() - clock.now().getTime());
    clock.set(next_at!);
  }
  assert.deepEqual([looks[0], looks.at(-1)], [10 * minute, day]);
  assert.ok(looks.length < 65, `${looks.length} looks in a month`);
  clock.set(new Date(began));
});

test('a mail without a readable wording is found by its sender and its other recipients too', async () => {
  const mail = (head: string) => deflateSync(`${head}\r\nSubject: x\r\n\r\nhello`);
  await unread(mail('From: Rahul <9876543210@mail.in>'), 'forged', 'al_from');
  await unread(mail('From: a@b.in\r\nTo: =?utf-8?q?9876543210?= <c@d.in>'), 'forged', 'al_to');
  await unread(mail('From: a@b.in\r\nTo: c@d.in'), 'forged', 'al_other');
  const { sql } = stage.world();
  await sql`insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
    values (${stage.who().merchantId}, '9876543210@shop.in', now(), now())`;
  await unread(mail('From: a@b.in\r\nTo: us: Own <9876543210@Shop.in>, c@d.in;'), 'forged', 'al_own');
  const { rows } = await stage.show('9876543210');
  assert.deepEqual(rows['alerts']!.map(row => row['alert_id']).sort(), ['al_from', 'al_to']);
  await sql`delete from extra_alert_addresses where address = '9876543210@shop.in'`;
});

test('their bank’s mail that a person may still read waits as long as it is held', async () => {
  const { sql, clock } = stage.world();
  const { alertId } = await stage.buy({ customer: undefined }, { payer: 'asha' });
  const mail = deflateSync('From: a@b.in\r\nSubject: x\r\n\r\nRs 900 paid by 9876543210@okbank');
  const held = await unread(mail, 'unreadable', 'al_held');
  await sql`
    update alerts h set bank = a.bank, recipient = a.recipient, signature_id = 'held', signing_domain = a.signing_domain,
      selector = a.selector, alert_time = a.alert_time
    from alerts a where h.alert_id = ${held} and a.alert_id = ${alertId}`;
  await stage.ask('9876543210');
  clock.advance(3 * day);
  await stage.erase();
  assert.deepEqual((await stage.reportOf()).report.waits, [{ what: 'alert', id: held }]);
  assert.equal((await mailOf(held)).raw, 1);
  await sql`update upi_accounts set removed_at = ${clock.now()} where merchant_id = ${stage.who().merchantId}`;
  clock.advance(day);
  await stage.erase();
  assert.equal((await mailOf(held)).raw, 0);
});
