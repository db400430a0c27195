import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { day } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import type { SealedSecrets } from './queries/deliveries.ts';

/** How long the previous secret also signs. */
export const bothSecretsFor = 1 * day;

export type SignedHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

type Signed = {
  merchantId: number;
  /** The connected shop that owns the secrets; null for the business's own. */
  shop: string | null;
  eventId: string;
  body: string;
  sealed: SealedSecrets;
  now: Date;
};

/** The headers of the Standard Webhooks specification. The attempt's time lets the receiver detect a replay. */
export function signWebhook(
  { secrets }: Pick<World, 'secrets'>,
  { merchantId, shop, eventId, body, sealed, now }: Signed,
): SignedHeaders {
  const opened = signingSecrets(sealed, now).map(text =>
    secrets.open(text, webhookSecretBinding(merchantId, shop)),
  );
  return signWith(opened, { eventId, body, now });
}

export function signWith(
  secrets: readonly string[],
  { eventId, body, now }: Pick<Signed, 'eventId' | 'body' | 'now'>,
): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map(secret => {
    const key = createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function signingSecrets(sealed: SealedSecrets, now: Date): string[] {
  const { webhook_secret, old_webhook_secret, secret_rotated_at } = sealed;
  const isOldValid =
    secret_rotated_at !== null && now.getTime() < secret_rotated_at.getTime() + bothSecretsFor;
  return old_webhook_secret !== null && isOldValid ? [webhook_secret, old_webhook_secret] : [webhook_secret];
}

const webhookSecretBytes = 24;

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(webhookSecretBytes).toString('base64')}`;
}

/** Binds a sealed secret, current or previous, to the business or to one connected shop. */
export function webhookSecretBinding(merchantId: number, shop?: string | null): string {
  return shop
    ? `merchant:${merchantId}:shop:${shop}:webhook_secret`
    : `merchant:${merchantId}:webhook_secret`;
}
