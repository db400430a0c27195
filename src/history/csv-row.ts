import { rupeesText } from '../money.ts';
import type { Order } from '../orders/order.ts';

const columns = [
  'order_id',
  'merchant_order_id',
  'amount',
  'payable_amount',
  'status',
  'created_at',
  'expires_at',
  'paid_at',
  'payment_account_id',
  'bank_reference',
  'customer_name',
  'customer_email',
  'received_amount',
] as const;

export const csvHeader = `${columns.join(',')}\r\n`;

/** One row an order, after RFC 4180. */
export function csvRow(order: Order): string {
  const cells: Record<(typeof columns)[number], string> = {
    order_id: order.order_id,
    merchant_order_id: order.merchant_order_id,
    amount: rupeesText(order.amount_paise),
    payable_amount: rupeesText(order.payable_paise),
    status: order.status,
    created_at: order.created_at.toISOString(),
    expires_at: order.expires_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? '',
    payment_account_id: order.account_id,
    bank_reference: order.bank_reference ?? '',
    customer_name: order.customer?.name ?? '',
    customer_email: order.customer?.email ?? '',
    received_amount: order.received_paise === null ? '' : rupeesText(order.received_paise),
  };
  return `${columns.map(column => cell(cells[column])).join(',')}\r\n`;
}

/** Ids and names come from strangers: a spreadsheet must not take one for a formula, also behind blanks or full-width. */
function cell(text: string): string {
  const harmless = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
