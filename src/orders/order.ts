import { randomBytes } from 'node:crypto';
import type { Paise } from '../base/money.ts';
import type { OptionalValues } from './optional-fields.ts';

export const orderStatuses = ['pending', 'paid', 'expired', 'failed', 'manual_review'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export type OrderTerms = {
  order_id: string;
  merchant_order_id: string;
  amount_paise: Paise;
  created_at: Date;
  expires_at: Date;
  pay_token: string;
  success_url: string;
  failure_url: string;
  webhook_url: string;
  customer: { email?: string; name?: string } | null;
};

/** An order as every query returns it: its columns, its status at that moment, and its account's link data. */
export type Order = OrderTerms &
  OptionalValues & {
    merchant_id: number;
    payable_paise: Paise;
    status: OrderStatus;
    /** The received sum, usually the payable amount. Null until money was received. */
    received_paise: Paise | null;
    paid_at: Date | null;
    account_id: string;
    vpa: string;
    payee_name: string;
    account_kind: 'personal' | 'merchant';
    merchant_code: string | null;
  };

const merchantBytes = 6;
const randomLength = 16;
const shape = /^[A-Za-z0-9_-]{30}$/;

/**
 * The secret part of payment_url: 128 random bits, so that nobody can enumerate orders. The merchant's id comes first,
 * so that only that merchant's rows are searched.
 */
export function newPayToken(merchantId: number): string {
  const bytes = Buffer.alloc(merchantBytes + randomLength);
  bytes.writeUIntBE(merchantId, 0, merchantBytes);
  randomBytes(randomLength).copy(bytes, merchantBytes);
  return bytes.toString('base64url');
}

/** The merchant named by a token, or null for text that is no token. The database decides whether it exists. */
export function merchantOfToken(token: string): number | null {
  return shape.test(token) ? Buffer.from(token, 'base64url').readUIntBE(0, merchantBytes) : null;
}
