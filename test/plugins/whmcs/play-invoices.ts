import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import type { WholeService } from '../../support/whole-service.ts';
import type { Whmcs } from './open-whmcs.ts';

export const callback = 'modules/gateways/callback/milaan.php';

export type Row = { order_id: string; merchant_order_id: string; amount: number; payable_amount: number };

/** The client's side of an invoice, and Milaan's of its webhooks. */
export function playInvoices(service: WholeService, whmcs: Whmcs) {
  return { page, press, ordersOf, startedOrder, send };

  async function page(id: number): Promise<string> {
    return await (await fetch(`${whmcs.url}viewinvoice.php?id=${id}`)).text();
  }

  async function press(id: number, change: Record<string, string> = {}): Promise<Response> {
    const html = await page(id);
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
    const form = { invoice: field('invoice'), token: field('token'), ...change };
    return await fetch(`${whmcs.url}modules/gateways/callback/milaan_start.php`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  }

  async function ordersOf(id: number): Promise<Row[]> {
    return (await service.world
      .sql`select order_id, merchant_order_id, amount_paise / 100.0::float8 as amount, payable_paise / 100.0::float8 as payable_amount
      from orders where merchant_order_id like ${`whmcs-${id}-%`} order by created_at`) as unknown as Row[];
  }

  async function startedOrder(id: number): Promise<Row> {
    assert.equal((await press(id)).status, 303, whmcs.said());
    return (await ordersOf(id)).at(-1)!;
  }

  /** The event that Milaan would send for an order, or another, signed now. */
  async function send(
    data: Record<string, unknown>,
    { secret = service.webhookSecret, age = 0, query = '' } = {},
  ) {
    const body = JSON.stringify({ type: 'payment.paid', timestamp: new Date().toISOString(), data });
    const time = new Date(Date.now() - age);
    const answer = await fetch(`${whmcs.url}${callback}${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', time, body),
      },
      body,
    });
    return answer.status;
  }
}

/** Milaan's answer for a paid order. */
export const paidEvent = (order: Row, change: Record<string, unknown> = {}) => ({
  order_id: order.order_id,
  merchant_order_id: order.merchant_order_id,
  amount: Number(order.amount),
  payable_amount: Number(order.payable_amount),
  received_amount: Number(order.payable_amount),
  status: 'paid',
  bank_reference: '615300112233',
  customer: { name: 'Asha Rao' },
  ...change,
});
