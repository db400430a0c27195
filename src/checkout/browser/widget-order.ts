import { type Answer, askJson } from './ask-json.ts';
import type { MilaanOrder } from './milaan-widget.d.ts';
import type { Options } from './read-options.ts';

/** One try to create an order: the same id again when it is repeated, so that it cannot become two orders. */
export type Attempt = { amount: number; merchantOrderId: string };

const createPatience = 30_000;
const checkPatience = 2_000;

/** §4.4: through the shop's own server, or with the key for a test. */
export function createOrder(options: Options, { amount, merchantOrderId }: Attempt): Promise<Answer> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), createPatience);
  const { createOrderUrl, apiKey, origin, create } = options;
  const post = (url: string, headers: Record<string, string>, body: unknown) =>
    askJson(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
  return createOrderUrl !== null
    ? post(createOrderUrl, {}, { amount })
    : post(
        `${origin}/api/v1/orders`,
        { 'X-API-Key': apiKey ?? '' },
        { amount, merchant_order_id: merchantOrderId, ...create },
      );
}

/** §4.4: statusUrl if given, else the lookup with the key, else the public status beside payment_url. */
export function askStatus(options: Options, order: MilaanOrder, signal: AbortSignal): Promise<Answer> {
  const { statusUrl, apiKey, origin } = options;
  const id = encodeURIComponent(order.order_id);
  if (statusUrl !== null) return askJson(statusUrl + id, { signal, cache: 'no-store' });
  if (apiKey !== null) {
    const headers = { 'X-API-Key': apiKey };
    return askJson(`${origin}/api/v1/orders/${id}`, { signal, headers, cache: 'no-store' });
  }
  return askJson(`${order['payment_url']}/status`, { signal, cache: 'no-store', credentials: 'omit' });
}

/** An order that the widget can show, or null: a server of the shop may answer anything. */
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
 * Asked of the service itself before the QR shows, also where the shop's server tells the status: whether anybody
 * would notice the payment. Whoever does not answer soon is taken to say yes: the shop's page may forbid the question.
 */
export async function canBePaid(order: MilaanOrder): Promise<boolean> {
  const page = order['payment_url'];
  if (order.status !== 'pending' || !isWebAddress(page)) return true;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), checkPatience);
  const asked = { signal: abort.signal, cache: 'no-store', credentials: 'omit' } as const;
  const { body } = await askJson(`${page}/status`, asked);
  return (body as { payable?: unknown } | null)?.payable !== false;
}

/** A newer word on the same order, or null when it is none: an answer about another order must not show as paid. */
export function readStatus(body: unknown, order: MilaanOrder): MilaanOrder | null {
  const answer = body as Partial<MilaanOrder> | null;
  if (typeof answer?.status !== 'string') return null;
  return answer.order_id === undefined || answer.order_id === order.order_id ? { ...order, ...answer } : null;
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
