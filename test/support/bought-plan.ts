import { day, later } from '../../src/base/clock.ts';

type Purchase = { merchantId: number; orderId: string; suffix: string; now: Date };

/** The rows of a plan that a business bought of itself, which nobody can: one for each side. */
export function boughtPlan({ merchantId, orderId, suffix, now }: Purchase) {
  const bought = {
    plan: 'standard',
    title: { en: suffix, hi: suffix },
    price_paise: 49900,
    days: 30,
    carried_days: 0,
  };
  const party = { name: suffix, address: null, gstin: null };
  const paid = { received_paise: 49937, paid_at: now, bank_reference: suffix };
  const both = { merchant_id: merchantId, order_id: orderId, ...bought, created_at: now };
  return {
    sales: { ...both, buyer_id: merchantId, buyer: party, after_changes: 0, made_by: suffix },
    terms: {
      ...both,
      receipt: { number: 1, seller: party, buyer: party, ...paid },
      ...{ starts_at: now, ends_at: later(now, 30 * day), begun_at: now },
    },
  };
}
