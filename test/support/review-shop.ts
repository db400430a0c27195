import type { Transaction } from '../../src/base/database/connect.ts';
import type { Actor } from '../../src/business/accounts/record-audit.ts';
import type { Credit } from '../../src/payments/matching/credit.ts';
import type { ReviewRefusal } from '../../src/payments/matching/review-refusal.ts';
import {
  acceptCredit,
  attachByHand,
  declineCredit,
  endCredit,
  reopenCredit,
} from '../../src/payments/review/decide-by-hand.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { type MatchingShop, matchingShop } from './matching-shop.ts';

type Answer = Promise<ReviewRefusal['refusal'] | null>;

/** A business whose owner decides about money. */
export type ReviewShop = MatchingShop & {
  who(): Actor;
  /** Genuine money that met no order, as judged. */
  stray(change: Partial<Credit> & { amount: Credit['amount'] }): Promise<string>;
  attach(alertId: string, orderId: string): Answer;
  accept(alertId: string, orderId: string, note?: string): Answer;
  decline(alertId: string, orderId: string, note?: string): Answer;
  end(alertId: string, end: 'given_back' | 'kept'): Answer;
  reopen(alertId: string): Answer;
  claim(orderId: string, reference: string): Promise<void>;
  stateOf(alertId: string): Promise<string | null>;
  // biome-ignore lint/suspicious/noExplicitAny: the answer's JSON, as the tests read it
  get(orderId: string): Promise<any>;
  holdNearMisses(): Promise<void>;
  eventTypes(): Promise<string[]>;
};

export function reviewShop(): ReviewShop {
  const shop = matchingShop();
  const begin = async (work: (tx: Transaction) => Promise<ReviewRefusal | null>) =>
    (await shop.api.world.sql.begin(work))?.refusal ?? null;
  const sql = () => shop.api.world.sql;
  const review = Object.assign(shop, {
    who: () => ({
      merchantId: shop.merchant.merchantId,
      actor: 'owner@shop.example',
      address: '203.0.113.9',
      now: shop.api.world.clock.now(),
    }),
    async stray(change: Partial<Credit> & { amount: Credit['amount'] }) {
      const given = await shop.credit(change);
      await shop.confirm(given);
      return given.alertId;
    },
    attach: (alertId: string, orderId: string) =>
      begin(tx => attachByHand(tx, shop.api.world, review.who(), { alertId, orderId })),
    accept: (alertId: string, orderId: string, note = 'as agreed') =>
      begin(tx => acceptCredit(tx, shop.api.world, review.who(), { alertId, orderId, note })),
    decline: (alertId: string, orderId: string, note = 'too little') =>
      begin(tx => declineCredit(tx, review.who(), { alertId, orderId, note })),
    end: (alertId: string, end: 'given_back' | 'kept') =>
      begin(tx => endCredit(tx, review.who(), { alertId, end, returnReference: '700000000001', note: '' })),
    reopen: (alertId: string) => begin(tx => reopenCredit(tx, review.who(), { alertId })),
    claim: (orderId: string, reference: string) =>
      enterReference(shop.api.world, {
        merchantId: shop.merchant.merchantId,
        orderId,
        reference,
        now: shop.api.world.clock.now(),
      }),
    async stateOf(alertId: string) {
      const [row] = await sql()`
        select state from handled_credits where merchant_id = ${shop.merchant.merchantId} and alert_id = ${alertId}`;
      return row?.['state'] ?? null;
    },
    get: async (orderId: string) => (await shop.api.get(`/orders/${orderId}`, shop.merchant.apiKey)).json(),
    async holdNearMisses() {
      await sql()`update merchants set hold_near_misses = true where merchant_id = ${shop.merchant.merchantId}`;
    },
    async eventTypes() {
      const rows = await sql()`
        select type from events where merchant_id = ${shop.merchant.merchantId} order by created_at, type`;
      return rows.map(row => row['type']);
    },
  }) as ReviewShop;
  return review;
}
