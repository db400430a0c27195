import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { dismissHeldLine, listHeldLine, mailHeldLines } from '../../../src/alerts/held/held-lines.ts';
import { openBankFigures } from '../../../src/alerts/judging/bank-figures.ts';
import { day, hour } from '../../../src/base/clock.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import { doubtedShop, newKey, wrongKey } from '../../support/doubted-shop.ts';
import { heldPayment } from '../../support/held-payment.ts';

const shop = doubtedShop();
const by = { actor: 'op@milaan.example', address: '192.0.2.1' };
const newLine = 'A new word from your bank of 12-11-2026';
const listed = 'A new word from your bank of {date}';

beforeEach(async () => {
  const { sql, clock } = shop.api.world;
  for (const table of ['bank_entries', 'held_lines', 'bank_verdicts', 'bank_skeletons', 'bank_sources'])
    await sql.unsafe(`delete from ${table}`);
  await sql`delete from alerts where verdict = 'unreadable'`;
  clock.advance(day);
  shop.publish('s1', newKey);
});

const lines = () => shop.api.world.sql`select * from held_lines order by line_id`;
const ownNotices = () =>
  shop.api.world.sql`
    select * from notices where merchant_id = ${shop.merchant.merchantId} and kind = 'alert_held' order by notice_id`;

test('a new line is noted once for all mails that it holds, without names or amounts', async () => {
  const { sql } = shop.api.world;
  await heldPayment(shop, newLine);
  await heldPayment(shop, newLine.replace('12-11', '13-11'));
  const [line, ...more] = await lines();
  assert.equal(more.length, 0);
  assert.deepEqual([line!['bank'], line!['line']], ['test', listed]);
  assert.equal(
    line!['surroundings'],
    '{greeting}\nA new word from your bank of #\n{statement}\nCall # # # or see {link} Thank you.',
  );
  const held = await sql`select from alerts where held_line = ${line!['line_id']}`;
  assert.equal(held.length, 2);
});

test('when the operator lists a line, every mail that it held pays the order of its own time', async () => {
  const { world } = shop.api;
  const held = [await heldPayment(shop, newLine), await heldPayment(shop, newLine)];
  world.clock.advance(20 * hour);
  const [line] = await lines();
  const list = () => world.sql.begin(tx => listHeldLine(tx, world, line!['line_id'], by));
  assert.equal((await list())?.held, 2);
  assert.equal(await list(), null);
  await world.banks.reload(world);
  await shop.judge();
  for (const { order } of held) assert.equal(await shop.statusOf(order.order_id), 'paid');
  assert.equal((await world.sql`select from alerts where held_line is not null`).length, 0);
});

test('a line that the operator declined is not asked about again, and its mails stay held', async () => {
  const { world } = shop.api;
  await heldPayment(shop, newLine);
  const [line] = await lines();
  assert.equal(await world.sql.begin(tx => dismissHeldLine(tx, world, line!['line_id'], by)), true);
  await heldPayment(shop, newLine);
  const [same, ...more] = await lines();
  assert.equal(more.length, 0);
  assert.notEqual(same!['settled_at'], null);
});

test('a mail without the bank’s signature is reported neither to the operator nor to the owner', async () => {
  const order = await shop.order();
  const body = `Dear Customer,\r\n${newLine}\r\nRs.${order.payable_amount.toFixed(2)} is credited to your account XX4321 by ravi@okbank. UPI reference 812345678901. Thank you.\r\n`;
  await shop.mail(order.payable_amount, { key: wrongKey, body });
  await shop.judge();
  shop.api.world.clock.advance(2 * day);
  await shop.judge();
  assert.deepEqual([(await lines()).length, (await ownNotices()).length], [0, 0]);
});

test('a flood of new lines fills the operator’s list only to its limit, and all of its mails are held', async () => {
  const { world } = shop.api;
  await world.sql`
    insert into held_lines (bank, line, surroundings, first_seen)
    select 'test', 'line ' || n, '', ${world.clock.now()} from generate_series(1, 100) n`;
  const { alertId } = await heldPayment(shop, newLine);
  assert.equal((await lines()).length, 100);
  assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
});

test('the owner is notified that a held mail may have money, once a day until they have seen it', async () => {
  const { sql, clock } = shop.api.world;
  const { alertId } = await heldPayment(shop, newLine);
  await heldPayment(shop, newLine);
  const [notice, ...more] = await ownNotices();
  assert.equal(more.length, 0);
  assert.equal(notice!['facts']['alert'], alertId);
  assert.equal(notice!['facts']['bank'], 'Test Bank');
  clock.advance(day);
  await heldPayment(shop, newLine);
  assert.equal((await ownNotices()).length, 1, 'the first is not seen yet');
  await sql`update notices set seen_at = ${clock.now()}`;
  await heldPayment(shop, newLine);
  await heldPayment(shop, newLine);
  assert.equal((await ownNotices()).length, 2);
});

test('a mail from another bank reports nothing about the business’s money', async () => {
  const { sql } = shop.api.world;
  const { merchantId } = shop.merchant;
  const order = await shop.order();
  await sql`update upi_accounts set bank = 'hdfc' where merchant_id = ${merchantId}`;
  const body = `Dear Customer,\r\n${newLine}\r\nRs.${order.payable_amount.toFixed(2)} is credited to your account XX4321 by ravi@okbank. UPI reference 812345678902. Thank you.\r\n`;
  await shop.mail(order.payable_amount, { key: newKey, body });
  await shop.judge();
  assert.equal((await ownNotices()).length, 0);
  assert.equal((await lines()).length, 1);
});

test('operators get one mail for a new line, and one mail an hour for many', async () => {
  const { world } = shop.api;
  const { sql, clock } = world;
  await addTestUser(shop.api.world, 0, 'operator');
  const mails = () => sql`select subject from mails where merchant_id = 0 order by mail_id`;
  const config = { ...world.config, smtpUrl: 'smtp://mail.example' };
  await heldPayment(shop, newLine);
  assert.equal(await mailHeldLines(world), 0, 'no SMTP, no mail');
  const mail = () => mailHeldLines({ ...world, config });
  assert.deepEqual([await mail(), await mail()], [1, 0]);
  await heldPayment(shop, 'Another line,');
  await heldPayment(shop, 'And one more,');
  assert.equal(await mail(), 0);
  clock.advance(hour + 1);
  assert.deepEqual([await mail(), await mail()], [2, 0]);
  assert.deepEqual(
    (await mails()).map(one => one['subject']),
    ['Bank mails are held; new lines: 1', 'Bank mails are held; new lines: 2'],
  );
});

test('every credit records its layout, its sender and its signer, and every verdict is counted', async () => {
  const { sql, metrics } = shop.api.world;
  for (let n = 0; n < 2; n++) {
    const order = await shop.order();
    await shop.mail(order.payable_amount, { key: newKey });
    await shop.judge();
  }
  await heldPayment(shop, newLine);
  shop.publish('s2', wrongKey);
  await shop.mail(1, { key: newKey, selector: 's2' });
  await shop.judge();
  await shop.judging.figures.flush();
  const skeletons = await sql`select bank, template, skeleton, mails from bank_skeletons`;
  assert.deepEqual(skeletons, [
    { bank: 'test', template: 'upi-credit', skeleton: '{greeting}{statement} Thank you.', mails: 2 },
  ]);
  assert.deepEqual(await sql`select kind, source, mails from bank_sources order by kind, source`, [
    { kind: 'domain', source: 'test.bank.in', mails: 3 },
    { kind: 'sender', source: 'alerts@test.bank.in', mails: 3 },
  ]);
  assert.deepEqual(await sql`select verdict, mails from bank_verdicts order by verdict`, [
    { verdict: 'paid', mails: 2 },
    { verdict: 'retrying', mails: 1 },
    { verdict: 'unreadable', mails: 1 },
  ]);
  const text = await metrics.registry.metrics();
  assert.match(text, /milaan_alerts_judged_total\{bank="test",verdict="paid"\} \d/);
});

test('only a bounded number of made-up layouts and signers is kept, the newest of them', async () => {
  const { world } = shop.api;
  const figures = openBankFigures(world);
  for (let n = 1; n <= 60; n++) {
    world.clock.advance(1000);
    figures.note({ ...unlisted, unlistedDomain: `evil${n}.example` } as never, 'unreadable');
  }
  await figures.flush();
  const kept = await world.sql`select source from bank_sources order by last_seen`;
  assert.equal(kept.length, 50);
  assert.equal(kept.at(-1)!['source'], 'evil60.example');
});

const unlisted = {
  verdict: 'unreadable',
  bankId: 'test',
  sender: 'alerts@test.bank.in',
  signingDomain: null,
  surroundings: null,
};
