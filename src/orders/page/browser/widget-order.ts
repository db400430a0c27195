import { type Answer, askJson, giveUpAfter } from './ask-json.ts';
import type { MilaanOrder } from './milaan-widget.d.ts';
import type { Options } from './read-options.ts';

/** One try to create an order. A repeated try has the same id, so that it cannot create two orders. */
export type Attempt = { amount: number; merchantOrderId: string };

const createPatience = 30_000;
const checkPatience = 2_000;

/** §4.4: through the shop's own server, or with the key for a test. */
export function createOrder(options: Options, { amount, merchantOrderId }: Attempt): Promise<Answer> {
  const { createOrderUrl, apiKey, origin, create } = options;
  const post = (url: string, headers: Record<string, string>, body: unknown) =>
    askJson(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: giveUpAfter(createPatience),
    });
  return createOrderUrl !== null
    ? post(createOrderUrl, {}, { amount })
    : post(
        `${origin}/api/v1/orders`,
        { 'X-API-Key': apiKey ?? '' },
        { amount, merchant_order_id: merchantOrderId, ...create },
      );
}

/** §4.4: statusUrl if given, else the lookup with the key, else the public status next to payment_url. */
export function askStatus(options: Options, order: MilaanOrder, signal: AbortSignal): Promise<Answer> {
  const { statusUrl, apiKey, origin } = options;
  const id = encodeURIComponent(order.order_id);
  if (statusUrl !== null) return askJson(statusUrl + id, { signal, cache: 'no-store' });
  if (apiKey !== null) {
    const headers = { 'X-API-Key': apiKey };
    return askJson(`${origin}/api/v1/orders/${id}`, { signal, headers, cache: 'no-store' });
  }
  return askPublic(order, 'status', signal);
}

function askPublic(order: MilaanOrder, what: string, signal: AbortSignal): Promise<Answer> {
  return askJson(`${order['payment_url']}/${what}`, { signal, cache: 'no-store', credentials: 'omit' });
}

/** An order that the widget can show, or null, because a shop's server may answer anything. */
export function readCreated(body: unknown, options: Options): MilaanOrder | null {
  const order = body as Partial<MilaanOrder> | null;
  const usable =
    typeof order?.order_id === 'string' &&
    order.order_id !== '' &&
    typeof order.payable_amount === 'number' &&
    order.payable_amount > 0 &&
    typeof order.status === 'string' &&
    !Number.isNaN(Date.parse(String(order.expires_at))) &&
    (options.statusUrl !== null || options.apiKey !== null || isWebAddress(order['payment_url']));
  return usable ? (order as MilaanOrder) : null;
}

/**
 * Asks the service itself before the ways to pay show, whichever server reports the status (§4.4). Would the payment
 * be noticed, and soon? Nothing if it does not answer in time, because the shop's page may forbid the question.
 */
export async function askService(
  order: MilaanOrder,
): Promise<{ payable?: unknown; confirmation_slow?: unknown }> {
  if (order.status !== 'pending' || !isWebAddress(order['payment_url'])) return {};
  const { body } = await askPublic(order, 'payable', giveUpAfter(checkPatience));
  const { payable, confirmation_slow } = (body ?? {}) as Record<string, unknown>;
  return { payable, confirmation_slow };
}

/** A newer status of the same order, or null: an answer about another order must not show as paid. */
export function readStatus(body: unknown, order: MilaanOrder): MilaanOrder | null {
  const answer = body as Partial<MilaanOrder> | null;
  if (typeof answer?.status !== 'string') return null;
  return answer.order_id === undefined || answer.order_id === order.order_id ? { ...order, ...answer } : null;
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
