import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute, second } from '../../../src/base/clock.ts';
import { doubtedShop, newKey, wrongKey } from '../../support/doubted-shop.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = doubtedShop();

test('a flood of forgeries costs one DNS query per check, not one per mail, and delays no genuine alert', async () => {
  const { clock } = shop.api.world;
  shop.publish('s1', newKey);
  await shop.mail(1, { key: newKey });
  await shop.judge();
  clock.advance(2 * second);
  const flood = 120;
  for (let n = 0; n < flood; n++) await shop.mail(2, { key: wrongKey });
  const before = shop.asked;
  for (const at of [0, minute, 10 * minute, hour, 6 * hour, day]) {
    clock.advance(at);
    const order = await shop.order();
    const alertId = await shop.mail(order.payable_amount, { key: newKey });
    await shop.judge();
    assert.equal((await shop.alert(alertId)).verdict, 'paid');
  }
  assert.ok(shop.asked - before <= 12, `${shop.asked - before} questions`);
});

test('a flood with changing selectors is rationed, and a known key is still fetched', async () => {
  const { clock } = shop.api.world;
  shop.publish('s1', newKey);
  await shop.mail(1, { key: newKey });
  await shop.judge();
  clock.advance(6 * minute);
  const before = shop.asked;
  for (let n = 0; n < 1_500; n++) await shop.mail(2, { selector: `x${n}`, key: wrongKey });
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
  assert.ok(shop.asked - before <= 1_250, `${shop.asked - before} questions`);
});

test("made-up selectors, at this business and at others, do not delay a bank's new one", async () => {
  const { clock } = shop.api.world;
  const ours = shop.merchant;
  shop.merchant = await addTestMerchant(shop.api.world, { account: { bank: 'test' } });
  for (let n = 0; n < 300; n++) await shop.mail(2, { selector: `a${n}`, key: wrongKey });
  shop.merchant = ours;
  for (let n = 0; n < 300; n++) await shop.mail(2, { selector: `b${n}`, key: wrongKey });
  await shop.judge();
  // Asked for in vain over and over, they keep nothing of the ration for names that were never asked for.
  clock.advance(2 * second);
  await shop.judge();
  shop.publish('brand-new', newKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { selector: 'brand-new', key: newKey });
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
});
