import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { claimAlerts } from '../../../src/alerts/judging/queries/claims.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { oldestOpenWindows } from '../../../src/alerts/mailboxes/queries/positions.ts';
import { minute } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { record } from '../../../src/business/accounts/audit.ts';
import { setDisabled } from '../../../src/business/merchants/queries.ts';
import { ways } from '../../../src/operator/moving/tables.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { claimDue } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import {
  answers,
  busyShop,
  create,
  exported,
  filled,
  get,
  milaan,
  newFile,
  openMovingStage,
  places,
} from '../../support/moving-stage.ts';
import { rowsOf } from '../../support/rows-of.ts';
import { tablesOfTheInstallation } from '../../support/tables-of-the-installation.ts';
import { waitFor } from '../../support/wait-for.ts';

openMovingStage();

async function halt(merchantId: number): Promise<void> {
  const { sql, clock } = places.from.world;
  await setDisabled(sql, merchantId, clock.now(), { reason: 'selling air', onlyNewOrders: true });
}

test('every table of the database declares how it travels with its business', async () => {
  const rows = await places.from.world.sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const known = [...Object.keys(ways), ...Object.keys(tablesOfTheInstallation)];
  const missing = rows.map(({ name }) => name).filter(name => !known.includes(name));
  assert.deepEqual(
    missing,
    [],
    `say in src/operator/moving/tables.ts how these travel, or in tables-of-the-installation.ts that they do not: ${missing.join(', ')}`,
  );
  assert.deepEqual(
    known.filter(name => !rows.some(row => row.name === name)),
    [],
  );
});

test('inside one installation every row arrives unchanged, sealed secrets and sessions too', async () => {
  const { merchantId } = await filled();
  await halt(merchantId);
  const before = await rowsOf(places.from.world, merchantId);
  const writing = exported(merchantId, { inside: '' });
  // The move waits for the delivery in progress.
  await waitFor('parked', async () => {
    const [row] = await places.from.world.sql`
      select from pushes where merchant_id = ${merchantId} and next_try_at = 'infinity'`;
    return row !== undefined;
  });
  await places.from.world.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
  await milaan(places.to.world, 'import-business', { file: await writing });
  const after = await rowsOf(places.to.world, merchantId);
  const changed = Object.keys(before).filter(table => before[table] !== after[table]);
  // Deliveries that were due are due now, the epoch is raised, and the log says what happened.
  const expected = ['audit_heads', 'audit_log', 'deliveries_in_hand', 'delivery_queue', 'mails', 'merchants'];
  assert.deepEqual(changed.sort(), [...expected, 'notices', 'passkey_challenges', 'pushes'].sort());
  const [row] = await places.to.world.sql`
    select disabled_at is not null as halted, no_new_orders, disabled_reason, moved_at, left_at
    from merchants where merchant_id = ${merchantId}`;
  const halted = { halted: true, no_new_orders: true, disabled_reason: 'selling air' };
  assert.deepEqual({ ...row }, { ...halted, moved_at: null, left_at: null });
  assert.deepEqual(await findBreaches(places.to.world), []);
});

test('the API’s answers and the pages are the same, byte for byte', async () => {
  const merchant = await busyShop();
  const before = await answers(places.from.app, merchant);
  assert.equal(before.length, 2 + 3 * 8);
  const file = await exported(merchant.merchantId, { inside: '' });
  places.to.world.clock.set(places.from.world.clock.now());
  await milaan(places.to.world, 'import-business', { file });
  assert.deepEqual(await answers(places.to.app, merchant), before);
  assert.deepEqual(await findBreaches(places.to.world), []);
  assert.deepEqual(await findBreaches(places.from.world), []);
});

test('a business that is being moved answers 503 with Retry-After, and nothing of it is read, judged, paid or sent', async () => {
  const { world, app } = places.from;
  const merchant = await busyShop();
  const { merchantId, apiKey } = merchant;
  const listed = (await get(app, '/orders?limit=100', apiKey)).json().data;
  const open = listed.find(({ status }: { status: string }) => status === 'pending');
  const credit = await storedCredit(world, merchantId, { amount: payableOf(open) });
  await world.sql`update alerts set next_try_at = ${world.clock.now()} where alert_id = ${credit.alertId}`;
  await exported(merchantId, { inside: '' });
  const { pathname } = new URL(listed[3].payment_url);
  const asked = [
    await create(app, apiKey),
    await get(app, '/orders', apiKey),
    await get(app, `/orders/${open.order_id}`, apiKey),
    await app.inject({ url: `${pathname}/status` }),
    await app.inject({ url: pathname }),
    await app.inject({
      method: 'POST',
      url: pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'reference=691234567890',
    }),
  ];
  for (const { statusCode, headers } of asked)
    assert.deepEqual([statusCode, headers['retry-after']], [503, '5']);
  await assert.rejects(confirmPayment(world, credit), /being moved/);
  const mail = { merchantId, raw: Buffer.from('a mail'), arrivedAt: world.clock.now(), foundIn: 'INBOX' };
  await assert.rejects(storeMail(world.sql, mail), /being moved/);
  const lease = newLease(world.clock.now(), minute);
  const claimed = await claimAlerts(world.sql, lease, { most: 16, busy: [] });
  const due = await claimDue(world, { places: 100, backlogPlaces: 100 });
  assert.deepEqual(
    [...claimed, ...due].filter(row => row.merchant_id === merchantId),
    [],
  );

  await milaan(world, 'export-business', { business: String(merchantId), undo: '' });
  assert.equal((await create(app, apiKey)).statusCode, 201);
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  const back = await claimDue(world, { places: 100, backlogPlaces: 100 });
  assert.equal(
    back.filter(row => row.merchant_id === merchantId).length,
    4,
    'due at once, four to a destination',
  );
  await world.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
  await assert.rejects(
    milaan(world, 'export-business', { business: String(merchantId), undo: '' }),
    /was not moved/,
  );
});

test('an exported business is closed here, and its file has no secret; it continues where it is imported', async () => {
  const other = places.to.world.secrets;
  places.to.world.secrets = secretBox([randomBytes(32)]);
  try {
    const { world, app } = places.from;
    const { merchantId, examples } = await filled();
    await world.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
    await world.sql`update users set totp_secret = 'sealed totp' where merchant_id = ${merchantId}`;
    const shop = await busyShop();
    for (const id of [merchantId, shop.merchantId])
      await world.sql`update extra_alert_addresses set confirmed_at = added_at where merchant_id = ${id}`;
    const closedAt = world.clock.now();
    const file = await exported(merchantId);
    const text = gunzipSync(readFileSync(file)).toString('latin1');
    const [stored] =
      await world.sql`select m.webhook_secret, u.password_hash from merchants m join users u using (merchant_id)
      where m.merchant_id = ${merchantId}`;
    for (const secret of [stored!['webhook_secret'], stored!['password_hash'], 'sealed totp', '"credential"'])
      assert.ok(!text.includes(secret), secret);
    await milaan(places.to.world, 'import-business', { file, plan: 'free' }).catch(error =>
      assert.match(error.message, /plan/),
    );
    await milaan(places.to.world, 'import-business', { file });
    const left = await rowsOf(places.to.world, merchantId);
    const staying = Object.entries(ways).filter(
      ([table, way]) => ('stays' in way || 'never' in way) && table !== 'audit_heads',
    );
    for (const [table] of staying) assert.equal(left[table], '', table);
    assert.ok(left['orders']?.includes(examples['orderid']!));
    const [address] = await places.to.world
      .sql`select confirmed_at from extra_alert_addresses where merchant_id = ${merchantId}`;
    assert.equal(address!['confirmed_at'], null, 'only this installation can see whose address it is');

    const listed = (await get(app, '/orders?limit=100', shop.apiKey)).json().data;
    const [openOrder, paid] = ['pending', 'paid'].map(status =>
      listed.find((order: { status: string }) => order.status === status),
    );
    const counted =
      await world.sql`select signature_id, bank_reference from alerts where order_id = ${paid.order_id}`;
    await halt(shop.merchantId);
    const archive = await exported(shop.merchantId);
    assert.equal((await create(app, shop.apiKey)).statusCode, 403);
    assert.equal((await get(app, '/orders', shop.apiKey)).statusCode, 403);
    await milaan(places.to.world, 'import-business', { file: archive });
    places.to.world.clock.set(world.clock.now());
    const amount = payableOf(openOrder);
    const again = {
      amount,
      signatureIds: [counted[0]!['signature_id']],
      reference: counted[0]!['bank_reference'],
    };
    const replayed = await storedCredit(places.to.world, shop.merchantId, again);
    assert.equal((await confirmPayment(places.to.world, replayed)).outcome, 'duplicate', 'R2 travels');
    await places.to.world
      .sql`update alerts set arrival_epoch = 1 where merchant_id = ${shop.merchantId} and verdict = 'unjudged'`;
    const fresh = await storedCredit(places.to.world, shop.merchantId, { amount });
    assert.deepEqual(await confirmPayment(places.to.world, fresh), {
      outcome: 'paid',
      orderId: openOrder.order_id,
    });
    const events = await places.to.world
      .sql`select from events where order_id = ${openOrder.order_id} and type = 'payment.paid'`;
    assert.equal(events.length, 1);
    assert.equal((await create(places.to.app, shop.apiKey)).statusCode, 201, 'another operator decides anew');
    const [row] = await places.to.world
      .sql`select arrival_epoch from merchants where merchant_id = ${shop.merchantId}`;
    assert.equal(row!['arrival_epoch'], 1, 'R14: before its first new row');
    const [since] = await oldestOpenWindows(places.to.world.sql, [merchantId], places.to.world.clock.now());
    assert.deepEqual(since, closedAt, 'a mailbox that is connected hours later is read from then on');
    assert.deepEqual(await findBreaches(places.to.world), []);
  } finally {
    places.to.world.secrets = other;
  }
});

test('a file that is truncated, changed, foreign, newer or already imported is refused with the reason, and leaves nothing', async () => {
  const { merchantId, apiKey } = await busyShop();
  await places.from.world.sql.begin(tx =>
    record(tx, {
      merchantId,
      at: places.from.world.clock.now(),
      actor: 'a',
      action: 'sign_in',
      subject: 's',
    }),
  );
  const file = await exported(merchantId, { inside: '' });
  const plain = gunzipSync(readFileSync(file));
  const refused = async (bytes: Buffer, why: RegExp, world = places.to.world) => {
    const changed = newFile();
    writeFileSync(changed, bytes);
    await assert.rejects(milaan(world, 'import-business', { file: changed }), why);
    assert.equal((await get(places.to.app, '/orders', apiKey)).statusCode, 401);
  };
  const without = (find: string, put: string) => {
    const copy = Buffer.from(plain);
    assert.equal(find.length, put.length);
    const at = copy.indexOf(find);
    assert.ok(at > 0, find);
    copy.write(put, at, 'latin1');
    return gzipSync(copy);
  };
  const whole = readFileSync(file);
  await refused(whole.subarray(0, whole.length - 2_000), /unexpected end|cut off/);
  await refused(gzipSync(plain.subarray(0, plain.length - 4096)), /cut off|damaged/);
  await refused(Buffer.from('not an archive'), /incorrect header/);
  await refused(
    without('"status": "paid"', '"status": "late"'),
    /orders are not as they were written|violates/,
  );
  await refused(without('"format": 1', '"format": 2'), /form 2, and this version reads form 1/);
  await refused(without('"schema": "0', '"schema": "9'), /newer: upgrade here first/);
  await refused(without('end.json', 'and.json'), /damaged/);
  await refused(without(`"name": "Chai Point"`, `"name": "Chai Joint"`), /another SECRET_KEY, or changed/);
  const stranger = { ...places.to.world, secrets: secretBox([randomBytes(32)]) };
  await refused(whole, /another SECRET_KEY/, stranger);
  await assert.rejects(milaan(places.from.world, 'import-business', { file }), /was moved away from here/);

  const [alert] = await places.from.world
    .sql`select signature_id from alerts where merchant_id = ${merchantId} and verdict = 'paid'`;
  await places.to.world
    .sql`insert into counted_signatures (signature_id, merchant_id, alert_id, counted_at, settled)
    values (${alert!['signature_id']}, 7, 'x', ${places.to.world.clock.now()}, true)`;
  await refused(whole, /counted here for another business \(R2\)/);
  await places.to.world.sql`delete from counted_signatures where merchant_id = 7`;
  await milaan(places.to.world, 'import-business', { file });
  await assert.rejects(milaan(places.to.world, 'import-business', { file }), /is here already/);
  await assert.rejects(exported(1), /there is no business 1/);
});
