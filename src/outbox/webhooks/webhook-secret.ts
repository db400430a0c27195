import { randomBytes } from 'node:crypto';

const webhookSecretBytes = 24;

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(webhookSecretBytes).toString('base64')}`;
}

/** What a sealed webhook secret is bound to, the old and the new one alike: the business, or one shop connected to it. */
export function webhookSecretBinding(merchantId: number, shop?: string | null): string {
  return shop
    ? `merchant:${merchantId}:shop:${shop}:webhook_secret`
    : `merchant:${merchantId}:webhook_secret`;
}
