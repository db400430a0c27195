import type { Paise } from '../base/money.ts';

export const orderStatuses = ['pending', 'paid', 'expired', 'failed', 'manual_review'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order as every read of it returns it: its columns, the status at that moment, and its account's link data. */
export type Order = {
  merchant_id: number;
  order_id: string;
  merchant_order_id: string;
  amount_paise: Paise;
  payable_paise: Paise;
  status: OrderStatus;
  /** What came in for it: the payable amount in the ordinary case. Null until something did. */
  received_paise: Paise | null;
  created_at: Date;
  expires_at: Date;
  paid_at: Date | null;
  pay_token: string;
  account_id: string;
  success_url: string;
  failure_url: string;
  webhook_url: string;
  customer: { email?: string; name?: string } | null;
  bank_reference: string | null;
  vpa: string;
  payee_name: string;
  account_kind: 'personal' | 'merchant';
  merchant_code: string | null;
};
