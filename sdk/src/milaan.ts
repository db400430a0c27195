import { type CallOptions, type Connection, callApi } from './call-api.ts';
import type { CreatedOrder, NewOrder, Order, OrderFilter, OrderPage } from './order.ts';
import { originOf } from './origin-of.ts';
import { type PendingOrder, type Reconciled, reconcile } from './reconcile.ts';

export type { CallOptions } from './call-api.ts';
export {
  type ConnectOptions,
  type ConnectStarted,
  type Credentials,
  finishConnect,
  type Shop,
  startConnect,
} from './connect.ts';
export {
  type ClientErrorCode,
  MilaanError,
  type MilaanErrorCode,
  type ServiceErrorCode,
} from './milaan-error.ts';
export type {
  CreatedOrder,
  Customer,
  NewOrder,
  Order,
  OrderFilter,
  OrderPage,
  OrderStatus,
} from './order.ts';
export type { PendingOrder, Reconciled } from './reconcile.ts';
export {
  type PaidEvent,
  type ReviewEvent,
  type TestEvent,
  type UnmatchedCredit,
  type UnmatchedEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookRefused,
  type WebhookRefusedReason,
} from './verify-webhook.ts';

export type MilaanOptions = {
  /** The installation's address, such as https://pay.example.in. */
  baseUrl: string;
  /** From the Integrations screen. Keep it on your server. */
  apiKey: string;
  /** The longest time one attempt may take; 10 seconds when left out. */
  timeoutMs?: number;
  /** How often a temporary failure is retried; 3 when left out, 0 for never. */
  retries?: number;
  /** The longest pause before a retry; 5 seconds when left out. */
  longestPauseMs?: number;
  /** Your own fetch, for instance one that uses a proxy. */
  fetch?: typeof fetch;
};

const apiPath = '/api/v1/orders';

/** The merchant's side of Milaan. One instance serves a whole program. */
export class Milaan {
  readonly #connection: Connection;

  constructor(options: MilaanOptions) {
    refuseBrowsers();
    const { timeoutMs = 10_000, retries = 3, longestPauseMs = 5_000 } = options;
    for (const [name, value] of Object.entries({ timeoutMs, retries, longestPauseMs })) {
      if (!(value >= 0)) throw new TypeError(`Milaan: ${name} must be a number, 0 or more`);
    }
    this.#connection = {
      origin: originOf(options.baseUrl),
      apiKey: usableKey(options.apiKey),
      timeoutMs,
      retries,
      longestPauseMs,
      // Called as a plain function, because some edge runtimes refuse a fetch detached from its global.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    };
  }

  /**
   * Creates an order. Safe to repeat: a merchant_order_id that was used before returns its order, with
   * `idempotent_replay: true` and its present status.
   */
  async createOrder(order: NewOrder, options?: CallOptions): Promise<CreatedOrder> {
    const call = { method: 'POST', path: apiPath, body: order } as const;
    return (await callApi(this.#connection, call, options)) as CreatedOrder;
  }

  /** An order by its service id (`ML-…`). Throws a MilaanError with code order_not_found if there is none. */
  async getOrder(orderId: string, options?: CallOptions): Promise<Order> {
    // An empty id would request the list and return something that is no order.
    if (typeof orderId !== 'string' || orderId === '') throw new TypeError('Milaan: orderId is empty');
    const call = { method: 'GET', path: `${apiPath}/${encodeURIComponent(orderId)}` } as const;
    return (await callApi(this.#connection, call, options)) as Order;
  }

  /** One page of orders, newest first. */
  async listOrders(
    filter: OrderFilter & { cursor?: string } = {},
    options?: CallOptions,
  ): Promise<OrderPage> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined && value !== null) query.set(name, String(value));
    }
    const text = query.toString();
    const call = { method: 'GET', path: text === '' ? apiPath : `${apiPath}?${text}` } as const;
    return (await callApi(this.#connection, call, options)) as OrderPage;
  }

  /** All orders, newest first, page after page: `for await (const order of milaan.orders({ status: 'paid' }))`. */
  async *orders(filter: OrderFilter = {}, options?: CallOptions): AsyncGenerator<Order, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.listOrders({ ...filter, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.data;
      cursor = page.has_more && page.next_cursor !== null ? page.next_cursor : undefined;
    } while (cursor !== undefined);
  }

  /**
   * Asks for every order that is pending in your books. An order whose create got no answer is found by your own id:
   * `for await (const { merchant_order_id, order, error } of milaan.reconcile(pending))`. A failed call is only its own
   * order's `error`. Neither order nor error means that the create never arrived.
   */
  reconcile(
    pending: Iterable<PendingOrder> | AsyncIterable<PendingOrder>,
    options?: CallOptions,
  ): AsyncGenerator<Reconciled, void, undefined> {
    return reconcile(this, pending, options);
  }
}

/** The API key can create orders and read every customer. In a page everybody could read it. */
function refuseBrowsers(): void {
  const { window, document, process } = globalThis as Record<string, unknown>;
  if (typeof window === 'object' && typeof document === 'object' && process === undefined) {
    throw new Error('Milaan: this client holds your API key and must not run in a browser');
  }
}

function usableKey(apiKey: string): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('Milaan: apiKey is missing or not an API key');
  return key;
}
