/** From `medusa-config.ts`. */
export type MilaanOptions = {
  /** The installation's address, such as https://pay.example.in. */
  baseUrl: string;
  apiKey: string;
  /** One secret, or two during a rotation. */
  webhookSecret: string | string[];
  /** This backend's address for Milaan: https://api.shop.example/hooks/payment/milaan_{id of the provider}. */
  webhookUrl: string;
  /** Storefront pages. The customer returns with merchant_order_id, which begins with the session's id. */
  successUrl: string;
  failureUrl: string;
  /** The UPI account; the business's default account when left out. */
  paymentAccountId?: string;
};

const needed = ['baseUrl', 'apiKey', 'webhookSecret', 'webhookUrl', 'successUrl', 'failureUrl'] as const;

/** Fails when the backend starts, and not when the first customer pays. */
export function checkOptions(options: Record<string, unknown>): void {
  const missing = needed.filter(name => !options[name] || options[name].toString() === '');
  if (missing.length > 0) throw new Error(`Milaan: ${missing.join(', ')} missing in medusa-config`);
  for (const name of ['baseUrl', 'webhookUrl', 'successUrl', 'failureUrl'] as const) {
    if (!/^https?:\/\//.test(String(options[name])))
      throw new Error(`Milaan: ${name} must be an address that begins with https://`);
  }
}
