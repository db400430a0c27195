import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptHeldMail } from '../../../src/alerts/held/accept-held-mail.ts';
import { readHeldMail } from '../../../src/alerts/held/read-held-mail.ts';
import { hour, minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { newKey } from '../../support/doubted-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { twinShop } from '../../support/twin-stage.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The bank reports one credit to two addresses of the shop (R2). */
const { shop, reported, owner, accept, listSecond, useBank } = twinShop();
const second = { to: 'second@shop.in' };
const readable = { name: 'RAVI KUMAR', to: 'second@shop.in' };
const refused = /money\/held\//;

test('two held mails about one credit pay two orders only if a person who saw the first says they are two payments', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const first = await reported(one.payable_amount, '690000000001');
  const twin = await reported(one.payable_amount, '690000000001', second);
  for (const alertId of [first, twin]) assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
  const who = await owner();
  const shown = await accept(who, first, one.order_id);
  assert.equal(await shop.statusOf(one.order_id), 'paid');
  const blind = await accept(who, twin, two.order_id);
  assert.equal(await shop.statusOf(two.order_id), 'pending');
  assert.match(blind.location, refused);
  assert.ok(shown.body.includes(`held/${twin}`), 'a held mail of the same minute is shown');
  assert.equal(shown.seen, '', 'and asks nothing: it has paid nothing');
  assert.ok(blind.body.includes(`/dashboard/orders/${one.order_id}`), 'the twin is shown');
  assert.deepEqual(await findBreaches(shop.api.world), []);
  await accept(who, twin, two.order_id, { ticks: true });
  assert.equal(await shop.statusOf(two.order_id), 'paid');
  assert.deepEqual(await findBreaches(shop.api.world), []);
  const { sql } = shop.api.world;
  assert.deepEqual(
    (await sql`select bank_reference from possible_references order by alert_id = ${first} desc`).map(
      row => row['bank_reference'],
    ),
    ['690000000001', '690000000001'],
    'not the bank’s telephone numbers',
  );
  await shop.api.world.sql`update possible_references set asked = false`;
  assert.match((await findBreaches(shop.api.world)).join('\n'), /R2: .*690000000001/);
  await shop.api.world.sql`update possible_references set asked = true`;
});

test('a readable twin of an accepted mail waits for a person, however late, and its page shows the other', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const held = await reported(two.payable_amount, '690000000002');
  const who = await owner();
  const { location } = await accept(who, held, one.order_id);
  assert.equal(await shop.statusOf(one.order_id), 'paid', location);
  shop.api.world.clock.advance(4 * minute);
  const twin = await reported(two.payable_amount, '690000000002', readable);
  assert.equal((await shop.alert(twin)).verdict, 'no_order');
  assert.match((await shop.alert(twin)).reason, /another mail/);
  assert.equal(await shop.statusOf(two.order_id), 'manual_review');
  const deciding = `/dashboard/money/${twin}/orders/${two.order_id}`;
  for (const path of [`/dashboard/money/${twin}`, deciding])
    assert.ok((await who.get(path)).body.includes(`/dashboard/orders/${one.order_id}`), path);
  assert.ok((await who.get(`/dashboard/orders/${two.order_id}`)).body.includes(`href="${deciding}"`));
  const path = `${deciding}/accept`;
  await who.post(path);
  assert.equal(await shop.statusOf(two.order_id), 'manual_review', 'not without the question');
  await who.post(path, { seen: held });
  assert.equal(await shop.statusOf(two.order_id), 'paid');
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('a held mail whose readable twin has paid is accepted only by a person who saw that payment', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const paying = await reported(one.payable_amount, '690000000003', readable);
  assert.equal((await shop.alert(paying)).verdict, 'paid');
  const held = await reported(one.payable_amount, '690000000003');
  const who = await owner();
  const blind = await accept(who, held, two.order_id);
  assert.equal(await shop.statusOf(two.order_id), 'pending');
  assert.equal(blind.seen, paying);
  assert.ok(blind.body.includes(`/dashboard/orders/${one.order_id}`));
  await accept(who, held, two.order_id, { ticks: true });
  assert.equal(await shop.statusOf(two.order_id), 'paid');
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

/** Does what the route does when the owner has read the mail; `inside` runs before the transaction ends. */
async function accepting(alertId: string, orderId: string) {
  const { world } = shop.api;
  const { merchantId } = shop.merchant;
  const held = await readHeldMail(world, merchantId, alertId, world.clock.now());
  assert.ok(held !== null && held !== 'busy');
  const who = { merchantId, actor: 'owner@shop.in', address: '192.0.2.1', now: world.clock.now() };
  const chosen = { orderId, amount: held.offer.amounts[0]!, reference: null, note: '', seen: [] };
  return (inside = async () => {}) =>
    world.sql.begin(async tx => {
      const refused = await acceptHeldMail(tx, world, who, held, chosen);
      await inside();
      return refused;
    });
}

/** Accepts a held mail, and ends the transaction only once `other` waits for one of its locks. */
async function acceptSlowly<T>(alertId: string, orderId: string, other: () => Promise<T>): Promise<T> {
  const { world } = shop.api;
  const accepts = await accepting(alertId, orderId);
  let answer: Promise<T> | undefined;
  const refused = await accepts(async () => {
    answer = other();
    await waitFor('the other waits', async () => {
      const [row] = await world.sql`
        select count(*) as count from pg_locks join pg_database d on d.oid = database
        where d.datname = current_database() and locktype = 'advisory' and not granted`;
      return row!['count'] > 0;
    });
  });
  assert.equal(refused, null);
  return await answer!;
}

test('a person who accepts the other mail at the same time waits for the first, and is then asked', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const first = await reported(one.payable_amount, '690000000101');
  const twin = await reported(one.payable_amount, '690000000101', second);
  const other = await accepting(twin, two.order_id);
  const refused = await acceptSlowly(first, one.order_id, () => other());
  assert.deepEqual(refused, { refusal: 'maybe_counted' });
  assert.deepEqual(
    [await shop.statusOf(one.order_id), await shop.statusOf(two.order_id)],
    ['paid', 'pending'],
  );
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('a readable twin that is judged at the same moment waits for the accept, and then for a person', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const held = await reported(two.payable_amount, '690000000201');
  await acceptSlowly(held, one.order_id, () => reported(two.payable_amount, '690000000201', readable));
  assert.deepEqual(
    [await shop.statusOf(one.order_id), await shop.statusOf(two.order_id)],
    ['paid', 'manual_review'],
  );
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('the screen lists mails of the same minute and sum, and asks only if no reference separates them', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const other = await reported(one.payable_amount, '690000000004', readable);
  const held = await reported(one.payable_amount, '690000000005');
  const { body, seen } = await accept(await owner(), held, two.order_id);
  assert.ok(body.includes(`/dashboard/orders/${one.order_id}`), 'it is shown');
  assert.equal(seen, '', `${other} has a reference of its own`);
  assert.equal(await shop.statusOf(two.order_id), 'paid');
});

test('in another business with the same account a twin is asked about, and nothing of the first business is shown', async () => {
  const { world } = shop.api;
  const mine = await shop.order();
  const held = await reported(mine.payable_amount, '690000000006');
  await accept(await owner(), held, mine.order_id);
  const first = shop.merchant;
  shop.merchant = await addTestMerchant(world, { account: { bank: 'test' } });
  await world.sql`delete from extra_alert_addresses where address = 'second@shop.in'`;
  await listSecond();
  const theirs = await shop.order();
  const readableTwin = await reported(theirs.payable_amount, '690000000006', readable);
  assert.equal((await shop.alert(readableTwin)).verdict, 'no_order');
  const next = await shop.order();
  const heldTwin = await reported(next.payable_amount, '690000000006', second);
  const who = await owner();
  const blind = await accept(who, heldTwin, next.order_id);
  assert.equal(await shop.statusOf(next.order_id), 'pending');
  assert.match(blind.seen, /elsewhere/);
  for (const secret of [held, mine.order_id]) assert.ok(!blind.body.includes(secret));
  await accept(who, heldTwin, next.order_id, { ticks: true });
  assert.equal(await shop.statusOf(next.order_id), 'paid');
  assert.deepEqual(await findBreaches(world), []);
  shop.merchant = first;
});

test('numbers that a payer writes hold no other payment, except one with exactly that reference', async () => {
  const [one, two, three] = [await shop.order(), await shop.order(), await shop.order()];
  const name = 'RS 5 690000000302 690000000303';
  const held = await reported(one.payable_amount, '690000000301', { name });
  await accept(await owner(), held, one.order_id);
  await reported(two.payable_amount, '690000000304', { name: 'SITA DEVI' });
  assert.equal(await shop.statusOf(two.order_id), 'paid');
  await reported(three.payable_amount, '690000000303', { name: 'SITA DEVI' });
  assert.equal(await shop.statusOf(three.order_id), 'manual_review');
  const [row] = await shop.api.world.sql`
    select count(*) as count from possible_references where alert_id = ${held}`;
  assert.equal(row!['count'], 3);
});

test('money without an order is not counted if it may be an accepted mail’s', async () => {
  const { sql } = shop.api.world;
  await sql`update upi_accounts set counts_takings = true where merchant_id = ${shop.merchant.merchantId}`;
  const order = await shop.order();
  const held = await reported(77.31, '690000000007');
  await accept(await owner(), held, order.order_id);
  shop.api.world.clock.advance(hour);
  const twin = await reported(77.31, '690000000007', readable);
  const other = await reported(78.31, '690000000008', readable);
  const orderless = await sql`select alert_id from takings where merchant_id = ${shop.merchant.merchantId}`;
  assert.ok(orderless.some(row => row['alert_id'] === other));
  assert.ok(!orderless.some(row => row['alert_id'] === twin));
});

test('a phone number in an accepted mail is no reference: a twin of the same sum and minute still waits', async () => {
  await useBank('sbi');
  const [one, two, three] = [await shop.order(), await shop.order(), await shop.order()];
  const sbiReported = async (rupees: number, narration: string, to: string) => {
    const body = `Dear Customer,\r\nYour AC XXXXX004321 Credited INR ${rupees.toFixed(2)} on 15/11/26 -${narration}. Avl Bal INR 3,10,000.00.-SBI\r\n`;
    const alertId = await shop.mail(rupees, {
      key: newKey,
      body,
      change: { Subject: 'CBSSBI ALERT', To: to },
    });
    await shop.judge();
    return alertId;
  };
  const known = await sbiReported(three.payable_amount, 'UPI/CR/690000000076/SITA DEVI', 'merchant@shop.in');
  assert.equal(await shop.statusOf(three.order_id), 'paid', (await shop.alert(known)).reason);
  const held = await sbiReported(two.payable_amount, 'ASHA RAO 9876543210', 'merchant@shop.in');
  await accept(await owner(), held, one.order_id);
  assert.equal(await shop.statusOf(one.order_id), 'paid');
  await sbiReported(two.payable_amount, 'UPI/CR/690000000077/ASHA RAO', 'second@shop.in');
  assert.equal(await shop.statusOf(two.order_id), 'manual_review');
});

test('a refused accept leaves no record that a person was asked', async () => {
  const [one, two] = [await shop.order(), await shop.order()];
  const held = await reported(two.payable_amount, '690000000078');
  const who = await owner();
  await accept(who, held, one.order_id);
  const twin = await reported(two.payable_amount, '690000000078', readable);
  assert.equal(await shop.statusOf(two.order_id), 'manual_review');
  await who.post(`/dashboard/money/${twin}/orders/${one.order_id}/accept`, { seen: held });
  assert.equal(await shop.statusOf(two.order_id), 'manual_review');
  const noted = await shop.api.world.sql`select asked from possible_references where alert_id = ${twin}`;
  assert.deepEqual([...noted], []);
});
