import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { day, hour } from '../../../src/base/clock.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { erasureKeyBinding } from '../../../src/payments/matching/erased-references.ts';
import { askErasure } from '../../../src/privacy/ask-erasure.ts';
import { readPersonValues } from '../../../src/privacy/person-values.ts';
import { eraseDue } from '../../../src/privacy/start-erasing.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import {
  arrive,
  create,
  exported,
  milaan,
  newFile,
  openMovingStage,
  type Place,
  places,
} from '../../support/moving-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';

openMovingStage();

const paidWith = async (
  { world, app }: Place,
  shop: { merchantId: number; apiKey: string },
  reference: string,
) => {
  const order = (await create(app, shop.apiKey, { merchant_order_id: String(Math.random()) })).json();
  const credit = await storedCredit(world, shop.merchantId, { amount: payableOf(order), reference });
  await world.sql`
    update alerts a set arrival_epoch = m.arrival_epoch from merchants m
    where m.merchant_id = a.merchant_id and a.alert_id = ${credit.alertId}`;
  return (await confirmPayment(world, credit)).outcome;
};

/** A business that was paid once, with a reference that a customer wants erased. */
async function askedShop(reference: string) {
  const { world } = places.from;
  world.config = { ...world.config, erasuresFile: newFile() };
  for (const { sql } of [world, places.to.world]) {
    await sql`delete from erasures`;
    await sql`delete from erasure_keys`;
  }
  const shop = await addTestMerchant(world);
  assert.equal(await paidWith(places.from, shop, reference), 'paid');
  await world.sql`delete from delivery_queue where merchant_id = ${shop.merchantId}`;
  world.clock.advance(2 * day);
  const who = { merchantId: shop.merchantId, actor: 'o@x.in', address: '', now: world.clock.now() };
  await world.sql.begin(tx => askErasure(tx, world, who, readPersonValues(reference)!));
  await eraseDue(world, 'test');
  return shop;
}

test('inside one installation an erased reference pays nothing in the imported business', async () => {
  const reference = '691234567891';
  const shop = await askedShop(reference);
  const file = await exported(shop.merchantId, { inside: '' });
  const { world } = places.to;
  world.clock.set(places.from.world.clock.now());
  const key = randomBytes(32).toString('base64');
  await world.sql`
    insert into erasure_keys (merchant_id, sealed) values (0, ${world.secrets.seal(key, erasureKeyBinding())})`;
  await assert.rejects(arrive(file), /erased under another key than the one here/);
  await world.sql`delete from erasure_keys`;
  await arrive(file);
  assert.equal(await paidWith(places.to, shop, reference), 'duplicate');
});

test('a business leaves when its erasures are done, and 30 days after a reference that only they have', async () => {
  const { world } = places.from;
  const { secrets } = places.to.world;
  const reference = '691234567892';
  const shop = await askedShop(reference);
  const leave = () => exported(shop.merchantId);
  await assert.rejects(leave(), /an erasure for a customer is not finished yet/);
  const [open] = await world.sql`select moved_at from merchants where merchant_id = ${shop.merchantId}`;
  assert.equal(open!['moved_at'], null, 'it is not closed for nothing');
  world.clock.advance(4 * day);
  await eraseDue(world, 'test');
  const until = new Date(world.clock.now().getTime() + 30 * day).toISOString();
  await assert.rejects(leave(), new RegExp(`it can leave from ${until} on`));
  assert.equal(await paidWith(places.from, shop, reference), 'duplicate');
  world.clock.advance(30 * day);
  places.to.world.secrets = secretBox([randomBytes(32)]);
  try {
    await arrive(await leave());
  } finally {
    places.to.world.secrets = secrets;
  }
  await milaan(world, 'export-business', { business: String(shop.merchantId), undo: '' });

  const mail = 'rahul.sharma@example.in';
  const who = { merchantId: shop.merchantId, actor: 'o@x.in', address: '', now: world.clock.now() };
  await world.sql.begin(tx => askErasure(tx, world, who, readPersonValues(mail)!));
  world.clock.advance(4 * day + hour);
  await eraseDue(world, 'test');
  await leave();
});
