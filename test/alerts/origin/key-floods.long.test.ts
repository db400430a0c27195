import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute, second } from '../../../src/base/clock.ts';
import { doubtedShop, newKey, wrongKey } from '../../support/doubted-shop.ts';

const shop = doubtedShop();

test('a flood of forgeries costs a question a look and not a question a mail, and delays no genuine alert', async () => {
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

test('a flood under ever other selectors is rationed, and a key that is known is asked for all the same', async () => {
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
