import type { Order } from './order.ts';

/** Stands for the shop's address where there is none: the order was made on the dashboard or by a link. */
export const noAddress = '';

/**
 * Where the customer goes once the order is final: success_url after payment, failure_url after an expired or failed
 * one, with the agreed parameters. For convenience only: the shop must check the order itself (§1).
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
  // Written into the text, not through URLSearchParams: that would re-encode the shop's own parameters.
  const [address = '', fragment] = target.split(/#(.*)/s);
  const joint = address.includes('?') ? '&' : '?';
  return `${address}${joint}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}
