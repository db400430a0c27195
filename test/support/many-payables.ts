import type { Sql } from '../../src/base/database/connect.ts';
import type { Credit } from '../../src/payments/matching/credit.ts';
import { payableOf } from './credit.ts';
import type { MatchingShop } from './matching-shop.ts';
import { instead } from './model/dying-connection.ts';
import { addTestMerchant, type TestMerchant } from './test-world.ts';

/** Holds every payment back until `count` of them have looked for their order, so that they all pay at the same time. */
export function allLookFirst(sql: Sql, count: number): Sql {
  const { promise: allLooked, resolve } = Promise.withResolvers<void>();
  let looked = 0;
  const onPool = (...args: Parameters<Sql>) =>
    instead(sql(...args), async (go, query) => {
      const rows = await go();
      if (query.template.strings.join('').includes('from credit_holder')) {
        if (++looked === count) resolve();
        await allLooked;
      }
      return rows;
    });
  return Object.assign(onPool as Sql, sql);
}

/** Open orders with their exact credits, in so many new businesses by turns. */
export async function payables(shop: MatchingShop, count: number, merchants: number): Promise<Payable[]> {
  const made: Payable[] = [];
  const owners: TestMerchant[] = [];
  while (owners.length < merchants) owners.push(await addTestMerchant(shop.api.world));
  for (let number = 0; number < count; number++) {
    shop.merchant = owners[number % merchants]!;
    const created = await shop.order({ amount: 500 + number });
    made.push({ orderId: created.order_id, credit: await shop.credit({ amount: payableOf(created) }) });
  }
  return made;
}

export type Payable = { orderId: string; credit: Credit };
