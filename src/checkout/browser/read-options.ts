import type { MilaanOptions, MilaanOrder } from './milaan-widget.d.ts';

/** The options as the widget uses them: every one of §4.4's table, with its default. */
export type Options = {
  createOrderUrl: string | null;
  statusUrl: string | null;
  apiKey: string | null;
  origin: string;
  title: string | null;
  /** Rupees of a cart that is known already: there is no field then, and the order is made at once. */
  amount: number | null;
  /** The body of a create with apiKey, without amount and merchant_order_id. */
  create: Record<string, unknown>;
  merchantOrderId: string | null;
  onSuccess: ((order: MilaanOrder) => void) | null;
};

/** Design's choice where the specification says only that a default path exists. */
const webhookPath = '/webhooks/upi';

export function readOptions(given: unknown, scriptOrigin: string): Options {
  const options = (typeof given === 'object' && given !== null ? given : {}) as MilaanOptions;
  const text = (name: keyof MilaanOptions) => {
    const value = options[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    createOrderUrl: text('createOrderUrl'),
    statusUrl: text('statusUrl'),
    apiKey: text('apiKey'),
    origin: (text('origin') ?? text('gateway') ?? scriptOrigin).replace(/\/+$/, ''),
    title: text('title'),
    amount: typeof options.amount === 'number' && options.amount > 0 ? options.amount : null,
    create: {
      success_url: text('successUrl') ?? location.href,
      failure_url: text('failureUrl') ?? location.href,
      webhook_url: text('webhookUrl') ?? location.origin + webhookPath,
      ...(options.customer && { customer: options.customer }),
      ...(options.paymentAccountId && { payment_account_id: options.paymentAccountId }),
    },
    merchantOrderId: text('merchantOrderId'),
    onSuccess: typeof options.onSuccess === 'function' ? options.onSuccess : null,
  };
}
