import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { findBreaches } from '../../src/operator/verify.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import type { Confirmation, Credit } from '../../src/payments/matching/credit.ts';
import { openTestApi, type TestApi } from './api.ts';
import { storedCredit } from './credit.ts';
import { addTestMerchant, type TestMerchant } from './test-world.ts';

/** Orders and credits of one business, a fresh one for each test of the file; at its end no rule may be broken. */
export type MatchingShop = {
  api: TestApi;
  merchant: TestMerchant;
  // biome-ignore lint/suspicious/noExplicitAny: the answer's JSON, as the tests read it
  order(change?: Record<string, unknown>): Promise<any>;
  statusOf(orderId: string): Promise<string>;
  credit(change: Partial<Credit> & { amount: Credit['amount'] }): Promise<Credit>;
  confirm(given: Credit): Promise<Confirmation>;
  collected(): Promise<number>;
  /** Nobody holds every other amount over these rupees, so that the next order gets exactly this one. */
  leaveOnly(amount: number): Promise<void>;
};

export function matchingShop(): MatchingShop {
  const shop = {
    async order(change = {}) {
      return (await shop.api.create(change, shop.merchant.apiKey)).json();
    },
    async statusOf(orderId) {
      return (await shop.api.get(`/orders/${orderId}`, shop.merchant.apiKey)).json().status;
    },
    credit: change => storedCredit(shop.api.world, shop.merchant.merchantId, change),
    confirm: given => confirmPayment(shop.api.world, given),
    async collected() {
      const rows = await shop.api.world.sql`
        select sum(collected_paise)::bigint as paise from collections where merchant_id = ${shop.merchant.merchantId}`;
      return rows[0]?.['paise'] ?? 0;
    },
    async leaveOnly(amount) {
      const { merchantId } = shop.merchant;
      const rupees = amount - (amount % 100);
      await shop.api.world.sql`
        insert into amounts (merchant_id, payable_paise, held_until, order_id)
        select ${merchantId}, ${rupees} + n, 'infinity', 'nobody' from generate_series(1, 299) n
        on conflict do nothing`;
      await shop.api.world.sql`
        delete from amounts where merchant_id = ${merchantId} and payable_paise = ${amount} and order_id = 'nobody'`;
    },
  } as MatchingShop;
  before(async () => {
    shop.api = await openTestApi();
  });
  after(async () => {
    assert.deepEqual(await findBreaches(shop.api.world), []);
    await shop.api.stop();
  });
  beforeEach(async () => {
    shop.merchant = await addTestMerchant(shop.api.world);
  });
  return shop;
}
