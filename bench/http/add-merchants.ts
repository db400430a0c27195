import { systemClock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { hashApiKey, newApiKey } from '../../src/business/merchants/api-key.ts';
import { defaultPlan } from '../../src/business/merchants/plans.ts';
import { insertApiKey, insertMerchant, insertUpiAccount } from '../../src/business/merchants/queries.ts';

export type Merchant = { merchantId: number; apiKey: string; accountId: string };

/** Businesses with consecutive ids, each with a key and one account. */
export async function addMerchants(sql: Sql, firstId: number, count: number): Promise<Merchant[]> {
  const merchants = Array.from({ length: count }, (_, index) => ({
    merchantId: firstId + index,
    apiKey: newApiKey(firstId + index, 'live'),
    accountId: `acc_${firstId + index}`,
  }));
  const created_at = systemClock.now();
  await sql.begin(async tx => {
    for (const { merchantId: merchant_id, apiKey, accountId } of merchants) {
      await insertMerchant(tx, {
        merchant_id,
        name: `Shop ${merchant_id}`,
        plan: defaultPlan,
        created_at,
        webhook_secret: 'never used here',
      });
      const key = { merchant_id, key_id: `key_${merchant_id}`, name: 'bench', created_at };
      await insertApiKey(tx, { ...key, key_hash: hashApiKey(apiKey) });
      const place = { merchantId: merchant_id, accountId, now: created_at };
      await insertUpiAccount(tx, place, {
        vpa: `shop${merchant_id}@okaxis`,
        payeeName: `Shop ${merchant_id}`,
        kind: 'merchant',
        merchantCode: '5411',
        bank: 'hdfc',
        accountDigits: '4321',
      });
    }
  });
  return merchants;
}
