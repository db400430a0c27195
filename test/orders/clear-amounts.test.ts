import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hour, minute } from '../../src/base/clock.ts';
import { openSite, type Site } from '../support/checkout-site.ts';
import { payableOf } from '../support/credit.ts';
import { matchingShop } from '../support/matching-shop.ts';

const shop = matchingShop();
const { order, credit, confirm } = shop;
let site: Site;

/** All other amounts of the price are held by nobody, so that these three go round. */
async function leaveThree(): Promise<void> {
  await shop.api.world.sql`
    insert into amounts (merchant_id, payable_paise, held_until, order_id)
    select ${shop.merchant.merchantId}, 50000 + n, 'infinity', 'nobody' from generate_series(1, 299) n
    where n not in (11, 22, 33)`;
}

const tap = (token: string) => site.app.inject({ method: 'POST', url: `/pay/${token}/intent` });
const tokenOf = (created: { payment_url: string }) => created.payment_url.split('/').at(-1)!;

async function amountOf(created: { order_id: string }) {
  const [row] = await shop.api.world.sql`
    select a.clear_at, a.doubted_until, o.created_at, o.intent_at, a.held_until
    from orders o left join amounts a on a.merchant_id = o.merchant_id and a.payable_paise = o.payable_paise and a.order_id = o.order_id
    where o.order_id = ${created.order_id}`;
  return row!;
}

describe('which amount is used again first', () => {
  before(async () => {
    site = await openSite(shop.api.world);
  });
  after(() => site.stop());

  test('an amount that was paid is used again first, then an unpaid one, then one whose customer tapped an app', async () => {
    await leaveThree();
    const [tapped, unpaid, paid] = [
      await order({ amount: 500 }),
      await order({ amount: 500 }),
      await order({ amount: 500 }),
    ];
    assert.equal((await tap(tokenOf(tapped))).statusCode, 204);
    await confirm(await credit({ amount: payableOf(paid) }));
    shop.api.world.clock.advance(18 * minute);
    for (const expected of [paid, unpaid, tapped])
      assert.equal(payableOf(await order({ amount: 500 })), payableOf(expected));
  });

  test('the history of an amount’s earlier holders is kept, also when the next one pays', async () => {
    const { sql, clock } = shop.api.world;
    const first = await order({ amount: 500 });
    await shop.leaveOnly(payableOf(first));
    await tap(tokenOf(first));
    const until = (await amountOf(first))['clear_at'];
    assert.equal(until.getTime() - (await amountOf(first))['created_at'].getTime(), 48 * hour);
    clock.advance(hour);
    const next = await order({ amount: 500 });
    assert.deepEqual((await amountOf(next))['doubted_until'], until);
    await confirm(await credit({ amount: payableOf(next) }));
    assert.deepEqual((await amountOf(next))['clear_at'], until);
    // A customer who returns to an expired page does not change anybody else's amount.
    await sql`update orders set intent_at = null where order_id = ${first.order_id}`;
    await tap(tokenOf(first));
    assert.deepEqual((await amountOf(next))['clear_at'], until);
  });

  test('a tap counts once; a stranger’s token and a paid order’s do not count', async () => {
    const created = await order({ amount: 510 });
    await tap(tokenOf(created));
    const first = shop.api.world.clock.now();
    shop.api.world.clock.advance(minute);
    await tap(tokenOf(created));
    assert.deepEqual((await amountOf(created))['intent_at'], first);
    const paid = await order({ amount: 520 });
    await confirm(await credit({ amount: payableOf(paid) }));
    await tap(tokenOf(paid));
    const { intent_at, clear_at, held_until } = await amountOf(paid);
    assert.deepEqual([intent_at, clear_at], [null, held_until]);
    for (const token of ['nobody', `${tokenOf(paid)}x`, '%00'])
      assert.ok((await tap(token)).statusCode < 500);
  });

  test('200 simultaneous taps, creates and payments leave a consistent state', async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => order({ amount: 530 })));
    const credits = await Promise.all(orders.slice(0, 5).map(one => credit({ amount: payableOf(one) })));
    await Promise.allSettled([
      ...Array.from({ length: 185 }, (_, n) => tap(tokenOf(orders[n % 10]))),
      ...credits.map(confirm),
      ...Array.from({ length: 10 }, () => order({ amount: 530 })),
    ]);
    for (const [n, one] of orders.entries()) {
      if (n < 5) await confirm(credits[n]!);
      else await tap(tokenOf(one));
      const { clear_at, created_at, held_until } = await amountOf(one);
      assert.deepEqual(clear_at, n < 5 ? held_until : new Date(created_at.getTime() + 48 * hour));
    }
  });
});
