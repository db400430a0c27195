import { randomBytes } from 'node:crypto';
import { type Paise, rupees } from '../base/money.ts';
import type { World } from '../base/world.ts';
import { type OptionalValues, showOptional } from './optional-fields.ts';
import type { CreatedOrderJson, OrderJson, OrderStatus } from './schemas.ts';
import { qrDataUri, upiLink } from './upi-link.ts';

export type OrderFields = {
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
export type Order = OrderFields &
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

type Edge = Pick<World, 'baseUrl'>;

/** §2: the create response, and its replay. */
export function presentCreated({ baseUrl }: Edge, order: Order): CreatedOrderJson {
  const link = linkOf(order);
  return {
    order_id: order.order_id,
    payable_amount: rupees(order.payable_paise),
    status: order.status,
    expires_at: order.expires_at.toISOString(),
    payment_url: paymentUrl(baseUrl, order.pay_token),
    upi_uri: link,
    qr_base64: qrDataUri(link),
    payment_account_id: order.account_id,
  };
}

/** The order as get, list and webhooks show it. */
export function presentOrder({ baseUrl }: Edge, order: Order): OrderJson {
  return {
    order_id: order.order_id,
    merchant_order_id: order.merchant_order_id,
    amount: rupees(order.amount_paise),
    payable_amount: rupees(order.payable_paise),
    status: order.status,
    created_at: order.created_at.toISOString(),
    expires_at: order.expires_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    payment_url: paymentUrl(baseUrl, order.pay_token),
    upi_uri: linkOf(order),
    payment_account_id: order.account_id,
    // An order without a shop stays on its page.
    success_url: order.success_url || paymentUrl(baseUrl, order.pay_token),
    failure_url: order.failure_url || paymentUrl(baseUrl, order.pay_token),
    customer: order.customer,
    ...showOptional(order),
    received_amount: order.received_paise === null ? null : rupees(order.received_paise),
  };
}

export function paymentUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/pay/${token}`;
}

export function linkOf(order: Order): string {
  const payee = {
    vpa: order.vpa,
    payeeName: order.payee_name,
    kind: order.account_kind,
    merchantCode: order.merchant_code,
  };
  return upiLink(payee, order.payable_paise, order.order_id);
}

/** Replaces the shop's address for orders that were created on the dashboard or by a link. */
export const noAddress = '';

/**
 * The customer's return address once the order is final: success_url after payment, else failure_url, with the agreed
 * parameters. It is a convenience only, so the shop must check the order itself (§1).
 */
export function returnUrl(
  order: Pick<Order, 'order_id' | 'merchant_order_id' | 'status' | 'success_url' | 'failure_url'>,
): string | null {
  if (order.status === 'pending' || order.status === 'manual_review') return null;
  const target = order.status === 'paid' ? order.success_url : order.failure_url;
  if (target === noAddress) return null;
  const added = Object.entries({
    order_id: order.order_id,
    merchant_order_id: order.merchant_order_id,
    status: order.status,
  }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // Append to the text. URLSearchParams would re-encode the shop's own parameters.
  const [address = '', fragment] = target.split(/#(.*)/s);
  const joint = address.includes('?') ? '&' : '?';
  return `${address}${joint}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}
