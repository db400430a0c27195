import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { later, minute } from '../../../src/base/clock.ts';
import type { Transaction } from '../../../src/base/database/connect.ts';
import { randomBase62 } from '../../../src/base/random.ts';
import { type AuditAction, record } from '../../../src/business/accounts/audit.ts';
import { installation } from '../../../src/business/accounts/record-audit.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { selectErasures } from '../../../src/privacy/queries/erasures.ts';
import { eraseDue } from '../../../src/privacy/start-erasing.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(() =>
  openTestWorld({ ERASURES_FILE: join(tmpdir(), `milaan-list-${randomBase62(8)}.json`) }),
);
const site = use(() => openDashboard(world));
after(async () => {
  rmSync(world?.config.erasuresFile ?? '', { force: true });
});

const path = '/dashboard/settings/privacy';
const email = 'rahul@example.in';

async function openShop({ isOver = true } = {}) {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  await world.sql`update orders set customer = ${world.sql.json({ email })}, webhook_url = '' where order_id = ${orderId}`;
  if (isOver) world.clock.advance(20 * minute);
  const signIn = async () => await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const own = await signIn();
  const erase = async (person: string) => {
    assert.equal((await own.post(`${path}/erase`, { person, sure: 'yes' })).statusCode, 303);
    await eraseDue(world, 'test');
  };
  const report = async () => (await selectErasures(world.sql, shop.merchantId, 1))[0]!;
  return { ...shop, orderId, own, signIn, erase, report };
}

test('a waiting erasure says in both languages when it continues, and continues then', async () => {
  const { own, signIn, erase, report, orderId } = await openShop({ isOver: false });
  const asked = world.clock.now();
  await erase(email);
  const { next_at } = await report();
  // Payable for 5 minutes, and paid by a late alert for 10 more.
  assert.equal(next_at!.getTime(), later(asked, 15 * minute + 1).getTime());
  for (const [query, shown] of [
    ['?lang=en', /badge warn">Waits<[\s\S]*Looked at again from[\s\S]*datetime="([^"]+)"/],
    ['?lang=hi', /badge warn">प्रतीक्षा में<[\s\S]*फिर देखा जाएगा[\s\S]*datetime="([^"]+)"/],
  ] as const) {
    if (query === '?lang=hi') await world.sql`update users set language = 'hi'`;
    const { body } = await own.get(path);
    assert.match(body, shown);
    assert.ok(body.includes(`datetime="${next_at!.toISOString()}"`));
    assert.doesNotMatch(body, /orders: 0|ऑर्डर: 0/);
  }
  await world.sql`update users set language = 'en'`;
  world.clock.set(next_at!);
  await eraseDue(world, 'test');
  const { body } = await (await signIn()).get(path);
  assert.match(body, /badge good">Erased<[\s\S]*orders: 1/);
  assert.doesNotMatch(body, /Looked at again from/);
  const [order] = await world.sql`select customer from orders where order_id = ${orderId}`;
  assert.equal(order!['customer'], null);
});

test('an operator’s note about a person loses its words, and the owner sees none of them', async () => {
  const { own, erase, report, merchantId } = await openShop();
  const { sql, clock } = world;
  const note = { merchant_id: merchantId, written_at: clock.now(), author: 'op@example.in' };
  await sql`insert into business_notes ${sql([
    { ...note, note: `${email} called: the shop is a fraud` },
    { ...note, note: 'All is well' },
  ])}`;
  assert.doesNotMatch((await own.post(`${path}/person`, { person: email })).body, /fraud/);
  assert.doesNotMatch((await own.post(`${path}/export`, { person: email })).body, /fraud|business_notes/);
  clock.advance(minute);
  await erase(`${email}, 691234567890`);
  assert.deepEqual((await report()).report.kept, []);
  const notes = await sql<
    { note: string }[]
  >`select note from business_notes where merchant_id = ${merchantId} order by note_id`;
  assert.deepEqual(
    notes.map(one => one.note),
    ['', 'All is well'],
  );
});

test('an operator’s search words are in no log: neither old ones of 0.2.0 nor those it still writes', async () => {
  const { sql, clock } = world;
  const search = { merchantId: installation, at: clock.now(), actor: 'op@example.in', subject: '' } as const;
  const write = (tx: Transaction, text: string, action: AuditAction = 'operator.find') =>
    record(tx, { ...search, action, details: { hits: '' }, words: { text } });
  await sql.begin(async tx => {
    // Write the rows without triggers, as before the upgrade.
    await tx`set local session_replication_role = replica`;
    await write(tx, `UTR 6912 3456 7890 of ${email}`);
  });
  const [upgrade] = readFileSync('migrations/0039_searches_without_words.sql', 'utf8').split('\n\n').slice(1);
  assert.match(upgrade!, /^delete/);
  await sql.unsafe(upgrade!);
  await sql.begin(tx => write(tx, email));
  await sql.begin(tx => write(tx, 'another entry', 'report.settle'));
  const words = await sql<{ words: string }[]>`select words from audit_notes where merchant_id = 0`;
  assert.deepEqual(
    words.map(one => one.words),
    ['{"text":"another entry"}'],
  );
  const broken = (await findBreaches(world)).filter(line => !line.startsWith('R6: ML-'));
  assert.deepEqual(broken, [], 'the log is whole');
});

test('a reason typed by an operator is named in both logs', async () => {
  const { erase, report, merchantId } = await openShop();
  const { sql, clock } = world;
  const entry = { at: clock.now(), actor: 'op@example.in', action: 'business.disable' } as const;
  for (const [log, details] of [
    [merchantId, `complaint of ${email}`],
    [installation, `complaint of ${email}`],
  ] as const)
    await sql.begin(tx => record(tx, { ...entry, merchantId: log, subject: String(merchantId), details }));
  const other = (await addTestMerchant(world)).merchantId;
  await sql.begin(tx =>
    record(tx, { ...entry, merchantId: installation, subject: String(other), details: email }),
  );
  clock.advance(minute);
  await erase(email);
  const kept = (await report()).report.kept!.map(({ what, id }) => `${what} ${id.replace(/\d+$/, 'n')}`);
  assert.deepEqual(kept.sort(), ['audit 0/n', 'audit n']);
});

test('a complaint about a page stays until the operator has answered it, and is then deleted', async () => {
  const { own, erase, report, merchantId, orderId } = await openShop();
  const { sql, clock } = world;
  await sql`insert into page_reports ${sql({ merchant_id: merchantId, order_id: orderId, reported_at: clock.now(), note: `They cheated ${email}` })}`;
  const left = async () =>
    (await sql`select note from page_reports where merchant_id = ${merchantId}`)[0]!['note'];
  await erase(email);
  assert.match(await left(), /cheated/);
  assert.deepEqual((await report()).report.waits, [{ what: 'order', id: orderId }]);
  assert.doesNotMatch((await own.get(path)).body, /cheated|page_reports/);
  await sql`update page_reports set settled_at = ${clock.now()}`;
  clock.set((await report()).next_at!);
  await eraseDue(world, 'test');
  assert.equal(await left(), '');
  assert.deepEqual((await report()).report.waits, []);
});

test('the owner reads in which other places a value remains', async () => {
  const { own, erase, merchantId } = await openShop();
  const { sql } = world;
  await sql`update merchants set contact_email = ${email} where merchant_id = ${merchantId}`;
  await erase(email);
  assert.match((await own.get(path)).body, /Stays elsewhere[\s\S]*merchants\.contact_email/);
  const elsewhere = await openShop();
  await elsewhere.erase(email);
  assert.doesNotMatch((await elsewhere.own.get(path)).body, /merchants\.contact_email/);
});
