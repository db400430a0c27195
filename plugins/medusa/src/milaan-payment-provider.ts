import { Milaan, type Order, type OrderStatus, verifyWebhook, WebhookRefused } from '@milaan/sdk';
import {
  type Context,
  type InitiateInput,
  type Input,
  type Logger,
  PaymentRefused,
  type SessionStatus,
  type Sum,
  type WebhookAction,
  type WebhookPayload,
} from './medusa.ts';
import { checkOptions, type MilaanOptions } from './options.ts';
import { linkId, sessionIn } from './session-in.ts';

/**
 * Medusa answers a webhook before it processes it, from a queue that may have been stopped for days. An old event does
 * no harm, because Milaan is asked again before anything is authorized.
 */
const tolerance = 3 * 24 * 60 * 60;

/** A session's stored data. All of it comes from Milaan, so that a storefront cannot replace it. */
type SessionData = {
  session_id: string;
  attempt: number;
  merchant_order_id: string;
  order_id: string;
  amount: number;
  payable_amount: number;
  payment_url: string;
  upi_uri: string;
  qr_base64: string | null;
  expires_at: string;
};

const statuses: Record<OrderStatus, SessionStatus> = {
  pending: 'pending',
  paid: 'captured',
  // Late money, or a person's decision, can still make it paid.
  expired: 'requires_more',
  manual_review: 'pending',
  failed: 'error',
};

/** Milaan's payment provider for Medusa v2. Confirmed money is in the shop's account, so it is captured at once. */
export class MilaanPaymentProvider {
  static identifier = 'milaan';
  readonly #options: MilaanOptions;
  readonly #milaan: Milaan;
  readonly #logger: Logger;

  static validateOptions(options: Record<string, unknown>): void {
    checkOptions(options);
  }

  /** Public and explicit, because Medusa calls it and its own base class hides its constructor. */
  constructor(container: Record<string, unknown>, options: MilaanOptions) {
    this.#options = options;
    this.#milaan = new Milaan({ baseUrl: options.baseUrl, apiKey: options.apiKey });
    this.#logger = (container['logger'] as Logger | undefined) ?? console;
  }

  getIdentifier(): string {
    return MilaanPaymentProvider.identifier;
  }

  /** Uses the session's own id, so that a repeated create gives the same link. */
  async initiatePayment({ data, context, amount, currency_code }: InitiateInput) {
    const session = String(data?.['session_id'] ?? context?.idempotency_key ?? '');
    if (sessionIn(session) !== session) throw new PaymentRefused('there is no payment session to pay for');
    const made = await this.#create(session, 1, rupees(amount), currency_code, context);
    return { id: made.order_id, status: 'pending' as const, data: { ...made } };
  }

  /** A link's amount is fixed, so a changed cart gets a new link. The old link no longer completes this session. */
  async updatePayment({ data, context, amount, currency_code }: InitiateInput) {
    const known = sessionData(data);
    if (known.amount === rupees(amount) && (await this.#ask(known)).status === 'pending')
      return { data: { ...known } };
    const made = await this.#create(
      known.session_id,
      known.attempt + 1,
      rupees(amount),
      currency_code,
      context,
    );
    return { status: 'pending' as const, data: { ...made } };
  }

  /** Called when the customer returns and when a webhook came. It trusts neither and asks Milaan. */
  async authorizePayment(input: Input) {
    const known = sessionData(input.data);
    const order = await this.#ask(known);
    return { status: statuses[order.status], data: { ...known, ...news(order) } };
  }

  async getPaymentStatus(input: Input) {
    return await this.authorizePayment(input);
  }

  async retrievePayment(input: Input) {
    const known = sessionData(input.data);
    return { data: { ...known, ...news(await this.#ask(known)) } };
  }

  /** It was captured when it was paid. */
  async capturePayment({ data }: Input) {
    return { data: { ...data } };
  }

  /** Milaan moves no money. A person sends the refund from the bank's app. */
  async refundPayment({ data, amount }: Input & { amount: Sum }) {
    const { order_id } = sessionData(data);
    const sum = rupees(amount).toFixed(2);
    const reference = String(data?.['bank_reference'] ?? 'unknown');
    this.#logger.warn(
      `Milaan: send ₹${sum} back from the bank's app to whoever paid ${order_id} (bank reference ${reference})`,
    );
    const earlier = Array.isArray(data?.['to_send_back']) ? data['to_send_back'] : [];
    return {
      data: { ...data, to_send_back: [...earlier, { amount: Number(sum), bank_reference: reference }] },
    };
  }

  /** A link expires by itself. */
  async cancelPayment({ data }: Input) {
    return { data: { ...data } };
  }

  /** If a cart could delete its session, money that came for it would be lost. */
  async deletePayment({ data }: Input) {
    if (typeof data?.['order_id'] === 'string' && (await this.#ask(sessionData(data))).status === 'paid')
      throw new PaymentRefused('this payment session is paid already: complete the cart');
    return { data: { ...data } };
  }

  /** Returns the session's own amount, because Medusa does not know the paise that distinguish payments. */
  async getWebhookActionAndData({ rawData, headers }: WebhookPayload): Promise<WebhookAction> {
    const event = await verifyWebhook(rawData, textHeaders(headers), this.#options.webhookSecret, {
      tolerance,
    }).catch((error: unknown) => {
      if (!(error instanceof WebhookRefused)) throw error;
      this.#logger.warn(`Milaan: a webhook was refused: ${error.reason}`);
      return null;
    });
    if (event?.type !== 'payment.paid') return { action: 'not_supported' };
    const session = sessionIn(event.data.merchant_order_id);
    if (session === null) return { action: 'not_supported' };
    return { action: 'captured', data: { session_id: session, amount: event.data.amount } };
  }

  async #create(
    session: string,
    attempt: number,
    amount: number,
    currency: string,
    context: Context | undefined,
  ): Promise<SessionData> {
    if (currency.toLowerCase() !== 'inr')
      throw new PaymentRefused(
        `UPI pays in Indian rupees only, and this cart is in ${currency.toUpperCase()}`,
      );
    const { webhookUrl, successUrl, failureUrl, paymentAccountId } = this.#options;
    const merchant_order_id = linkId(session, attempt);
    const customer = customerOf(context);
    const made = await this.#milaan.createOrder({
      amount,
      merchant_order_id,
      success_url: successUrl,
      failure_url: failureUrl,
      webhook_url: webhookUrl,
      ...(customer !== null && { customer }),
      ...(paymentAccountId !== undefined && { payment_account_id: paymentAccountId }),
    });
    const { order_id, payable_amount, payment_url, upi_uri, qr_base64, expires_at } = made;
    return {
      session_id: session,
      attempt,
      merchant_order_id,
      order_id,
      amount,
      payable_amount,
      payment_url,
      upi_uri,
      qr_base64,
      expires_at,
    };
  }

  /** The session's order. It must belong to this session and have its amount. */
  async #ask(known: SessionData): Promise<Order> {
    const order = await this.#milaan.getOrder(known.order_id);
    if (order.merchant_order_id !== known.merchant_order_id || order.amount !== known.amount)
      throw new PaymentRefused(`Milaan's ${known.order_id} is not the payment of ${known.session_id}`);
    return order;
  }
}

function sessionData(data: Record<string, unknown> | undefined): SessionData {
  const known = data as SessionData | undefined;
  if (typeof known?.order_id !== 'string' || sessionIn(known.merchant_order_id ?? '') !== known.session_id)
    throw new PaymentRefused('this payment session was not started with Milaan');
  return known;
}

/** The stored facts. `received_amount` differs from the payable one if a person accepted another amount. */
function news(order: Order & { received_amount?: number | null }) {
  const { status, bank_reference, paid_at, payable_amount, received_amount } = order;
  const received = received_amount ?? (status === 'paid' ? payable_amount : null);
  return { milaan_status: status, bank_reference, paid_at, received_amount: received };
}

function rupees(sum: Sum): number {
  const carried = typeof sum === 'object' ? (sum as { numeric?: number; value?: number | string }) : {};
  const paise = Math.round(Number(carried.numeric ?? carried.value ?? String(sum)) * 100);
  if (!Number.isSafeInteger(paise)) throw new PaymentRefused('this sum cannot be paid by UPI');
  return paise / 100;
}

function customerOf(context: Context | undefined): { email?: string; name?: string } | null {
  const { email, first_name, last_name } = context?.customer ?? {};
  const name = [first_name, last_name].filter(Boolean).join(' ').slice(0, 120);
  if (!email && name === '') return null;
  return { ...(email && { email }), ...(name !== '' && { name }) };
}

function textHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
