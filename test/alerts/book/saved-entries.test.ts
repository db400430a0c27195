import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { alertRules } from '../../../src/alerts/alert-rules.ts';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import {
  removeBankEntry,
  saveBankEntry,
  startFollowingBanks,
} from '../../../src/alerts/book/bank-entries.ts';
import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { startJudging } from '../../../src/alerts/judging/start-judging.ts';
import { hour } from '../../../src/base/clock.ts';
import { banksOfAllTimes } from '../../../src/operator/verify.ts';
import { testBank } from '../../support/alert-banks.ts';
import { doubtedShop, newKey } from '../../support/doubted-shop.ts';
import { heldPayment } from '../../support/held-payment.ts';
import { waitFor } from '../../support/wait-for.ts';

const shop = doubtedShop();
const by = { actor: 'op@milaan.example', address: '192.0.2.1' };
const newLine = 'A new word from your bank.';
const save = (entry: object) => shop.api.world.sql.begin(tx => saveBankEntry(tx, shop.api.world, entry, by));

beforeEach(async () => {
  await shop.api.world.sql`delete from bank_entries`;
  await shop.api.world.sql`delete from alerts where verdict = 'paid'`;
  shop.publish('s1', newKey);
});

test('after a line is listed, its held mails are judged again, and each pays the order of its own time', async () => {
  const { world } = shop.api;
  const { order, alertId } = await heldPayment(shop, newLine);
  world.clock.advance(5 * hour);
  const { bank, held } = await save({ id: 'test', openings: [newLine] });
  assert.deepEqual([bank, held], ['test', 1]);
  await world.banks.reload(world);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  const [{ action, subject } = {}] = await world.sql`
    select action, subject from audit_log where merchant_id = 0 order by seq desc limit 1`;
  assert.equal(action, 'bank_entry.save');
  assert.equal(subject, 'test');
});

test('below a listed line, a statement short enough to be a payer’s waits for the owner, however often it came', async () => {
  const { world } = shop.api;
  await save({ id: 'test', openings: [newLine] });
  await world.banks.reload(world);
  for (let times = 0; times < 4; times++) {
    const { order, alertId } = await heldPayment(shop, newLine, { isShort: true, isHeld: false });
    assert.equal((await shop.alert(alertId)).verdict, 'no_order');
    assert.match((await shop.alert(alertId)).reason, /until you have found it in your account/);
    assert.equal(await shop.statusOf(order.order_id), 'manual_review');
  }
});

test('a judge that has not read a saved entry gives no final verdict: the mail waits until it has', async () => {
  const { world } = shop.api;
  const { alertId } = await heldPayment(shop, newLine);
  await save({ id: 'test', openings: [newLine] });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'unjudged');
  await world.banks.reload(world);
  world.clock.advance(2000);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
});

test('a removed entry’s verdicts stay, and verify accepts them', async () => {
  const { world } = shop.api;
  const { order } = await heldPayment(shop, newLine);
  const { entryId } = await save({ id: 'test', openings: [newLine] });
  await world.banks.reload(world);
  await shop.judge();
  await world.sql.begin(tx => removeBankEntry(tx, world, entryId, by));
  await world.banks.reload(world);
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  const lists = await banksOfAllTimes({ ...world, config: { ...world.config, mode: 'live' } });
  const breaches = async (...of: (readonly Bank[])[]) =>
    (await Promise.all(alertRules(...of).map(rule => rule.breaches(world.sql)))).flat();
  assert.equal((await breaches(world.banks.current())).length, 1, 'today’s banks alone cannot read it');
  assert.deepEqual(await breaches(...lists), []);
});

test('a running judge pays held mails as soon as their line is saved, without a person', async () => {
  const { world } = shop.api;
  const { order } = await heldPayment(shop, newLine);
  const running = [startFollowingBanks(world), startJudging(world, shop.judging.tools)];
  try {
    await save({ id: 'test', openings: [newLine] });
    await waitFor('the payment', async () => {
      world.clock.advance(500);
      return (await shop.statusOf(order.order_id)) === 'paid';
    });
  } finally {
    await Promise.all(running.map(one => one.stop()));
  }
});

test('every process uses a saved entry, and stops using a removed one, without a restart', async () => {
  const { world } = shop.api;
  const following = startFollowingBanks(world);
  const openings = () => world.banks.current()[0]!.openings.length;
  try {
    const before = openings();
    const { entryId } = await save({ id: 'test', openings: [newLine] });
    await waitFor('the saved line', () => openings() === before + 1);
    const removed = await world.sql.begin(tx => removeBankEntry(tx, world, entryId, by));
    assert.equal(removed, 'removed');
    await waitFor('its end', () => openings() === before);
    assert.equal(await world.sql.begin(tx => removeBankEntry(tx, world, entryId, by)), 'unknown');
  } finally {
    await following.stop();
  }
});

test('an entry that a file must not have is refused with the file’s message, and nothing is stored', async () => {
  const { sql } = shop.api.world;
  const wrong: [object, RegExp][] = [
    [{ id: 'test', openings: ['You paid {payer_name}'] }, /may not have \{payer_name\}/],
    [{ id: 'nobody', senders: ['a@nobody.bank.in'] }, /needs the field "name"/],
    [
      { id: 'nobody', name: 'Nobody', senders: ['alerts@test.bank.in'], signing_domains: ['nobody.in'] },
      /belongs to the bank "test"/,
    ],
    [{ id: 'test', templates: [testTemplate('upi-credit')] }, /has a template "upi-credit" already/],
    [{ id: 'test', signing_domains: ['gmail.com'] }, /proves no bank/],
    [[{ id: 'test' }, { id: 'test' }], /must be one bank/],
    [{ openings: ['x'] }, /"id"/],
    [{ id: 'test', openings: ['x'.repeat(70_000)] }, /longer than/],
  ];
  for (const [entry, complaint] of wrong) await assert.rejects(save(entry), complaint);
  assert.equal((await sql`select from bank_entries`).length, 0);
});

test('an entry is not removed while another entry needs it', async () => {
  const { world } = shop.api;
  const { entryId } = await save({
    id: 'tiny',
    name: 'Tiny Bank',
    senders: ['a@tiny.bank.in'],
    signing_domains: ['tiny.bank.in'],
  });
  await save({ id: 'tiny', templates: [testTemplate('one')] });
  assert.equal(await world.sql.begin(tx => removeBankEntry(tx, world, entryId, by)), 'needed');
});

test('an entry that a new release also ships is left out and shown, and the others are read', async () => {
  const { world } = shop.api;
  await save({ id: 'test', templates: [testTemplate('later')] });
  await save({
    id: 'tiny',
    name: 'Tiny Bank',
    senders: ['a@tiny.bank.in'],
    signing_domains: ['tiny.bank.in'],
  });
  const test = testBank();
  const released = { ...test, templates: [...test.templates, { ...test.templates[0]!, id: 'later' }] };
  const book = openBankBook(() => [released]);
  await book.reload(world);
  assert.deepEqual(
    book.skipped().map(({ error }) => error.message.replace(/line \d+/, 'line')),
    ['line: the bank "test" has a template "later" already'],
  );
  assert.deepEqual(
    book.current().map(bank => bank.id),
    ['test', 'tiny'],
  );
  assert.ok(book.current()[1]!.greetings.length > 0, 'a new bank greets as every bank does');
});

function testTemplate(id: string) {
  return {
    id,
    channel: 'upi',
    subject: 'Account update',
    body: 'Rs.{amount} was added to {account}. UPI reference {reference}.',
  };
}

test('an entry saved before payers’ rows were refused is left out and reported, and the others are read', async () => {
  const { world } = shop.api;
  const rows = { '[Payer Name]': '[{payer_name}]', 'UPI Ref. No.': '{reference}', Amount: 'INR {amount}' };
  const body = 'UPI payment has been credited to your bank account.';
  const template = { id: 'own-rows', channel: 'upi', subject: '{any}', unconfirmed: true, body, rows };
  const entry = {
    id: 'village',
    name: 'Village Bank',
    senders: ['alerts@village.bank.in'],
    signing_domains: ['village.bank.in'],
    templates: [template],
  };
  await assert.rejects(save(entry), /payer's words \("Payer Name"\) above "Amount": a payer could write/);
  const by = { note: '', saved_at: world.clock.now(), saved_by: 'op@milaan.example' };
  await world.sql`insert into bank_entries ${world.sql({ ...by, bank: 'village', entry: world.sql.json(entry) })}`;
  const { bank } = await save({ id: 'test', openings: [newLine] });
  assert.equal(bank, 'test');
  await world.banks.reload(world);
  assert.match(world.banks.skipped()[0]!.error.message, /payer's words \("Payer Name"\) above "Amount"/);
  assert.equal(world.banks.skipped().length, 1);
  assert.equal(
    world.banks.current().some(({ id }) => id === 'village'),
    false,
  );
  assert.ok(world.banks.current().find(({ id }) => id === 'test'));
});
