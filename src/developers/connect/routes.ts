import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from '../../base/database/connect.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { readJsonBody } from '../../base/http/json-body.ts';
import { limitCallers } from '../../base/http/limit-callers.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { mayDo } from '../../business/accounts/may-do.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { merchantOfAccountToken, readToken } from '../../business/accounts/tokens.ts';
import { createApiKey, revokeApiKey } from '../../business/merchants/create-api-key.ts';
import { refuseByStanding } from '../../business/merchants/find-caller.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import { because } from '../../texts/verdicts.ts';
import { type LockedConnection, lockConnection, markCollected, selectEarlier } from './queries.ts';

/** The consent page. It is a dashboard page like any other, with its sign-in and its permissions. */
export const consentPath = '/dashboard/connect';

/** One-click connect (docs/connect.md): the start in the owner's browser, and the shop server's code exchange. */
export async function connectRoutes(app: App, world: World): Promise<void> {
  app.get('/connect', (request, reply) => {
    const [, ...query] = request.url.split('?');
    const to = [consentPath, ...query].join('?');
    return reply
      .code(303)
      .headers({ location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .send();
  });
  await app.register(async scope => {
    limitCallers(scope, world);
    scope.post('/connect/token', (request, reply) => exchange(world, request, reply));
  });
}

async function exchange(world: World, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  void reply.header('cache-control', 'no-store');
  const read = readExchange(request);
  // Only the code names the business; nothing else in the request is trusted for that.
  const own = world.cells?.of(merchantOfAccountToken(read.code) ?? 0) ?? world;
  const credentials = await own.sql.begin(tx => exchangeCode(tx, own, read));
  if (!credentials) throw new ApiError('invalid_code');
  return credentials;
}

const shapes = {
  code: /^[0-9A-Za-z]{1,200}$/,
  code_verifier: /^[A-Za-z0-9._~-]{43,128}$/,
  return_url: new RegExp(`^[\\x21-\\x7e]{1,${longestUrl}}$`),
};

function readExchange(request: FastifyRequest): Exchange {
  const body = readJsonBody(request);
  if ('problem' in body) throw new ApiError('invalid_request', { fields: { details: body.problem } });
  const field = (name: keyof typeof shapes) => {
    const value = body.object[name];
    if (typeof value === 'string' && shapes[name].test(value)) return value;
    throw new ApiError('invalid_request', { fields: { details: `${name} is missing or not of its shape` } });
  };
  return {
    code: field('code'),
    codeVerifier: field('code_verifier'),
    returnUrl: field('return_url'),
    address: request.ip,
  };
}

type Exchange = { code: string; codeVerifier: string; returnUrl: string; address: string };

type Credentials = {
  connection_id: string;
  api_key: string;
  webhook_secret: string;
  payment_account_id: string;
  business_name: string;
  mode: 'live' | 'sandbox';
  base_url: string;
};

type ExchangeWorld = Pick<World, 'clock' | 'config' | 'secrets' | 'baseUrl'>;

/** Null for a code that opens nothing. It does not throw: a repeated code revokes a key, which must be committed. */
async function exchangeCode(
  tx: Transaction,
  world: ExchangeWorld,
  { code, codeVerifier, returnUrl, address }: Exchange,
): Promise<Credentials | null> {
  const presented = readToken(code);
  const held = presented && (await lockConnection(tx, presented));
  if (!held || held.return_url !== returnUrl || !isProven(held, codeVerifier)) return null;
  if (held.key_id !== null) return await endReplayed(tx, world, held, held.key_id, address);
  const now = world.clock.now();
  if (held.expires_at <= now) return null;
  refuseByStanding(held);
  // A person who was removed or demoted after agreeing can no longer give the shop a key.
  if (held.email === null || held.role === null || !mayDo(held.role, 'keys.change')) return null;
  return await collect(tx, world, held, { merchantId: held.merchant_id, actor: held.email, address, now });
}

function isProven({ code_challenge }: LockedConnection, codeVerifier: string): boolean {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return timingSafeEqual(Buffer.from(challenge), Buffer.from(code_challenge));
}

async function collect(tx: Transaction, world: ExchangeWorld, held: LockedConnection, who: Actor) {
  const { merchantId } = who;
  // The same shop connects again: without this its earlier key would keep working, forgotten.
  const earlier = await selectEarlier(tx, held);
  for (const { key_id } of earlier) await revokeApiKey(tx, world, merchantId, key_id);
  const { keyId, apiKey } = await createApiKey(tx, world, merchantId, held.shop_name);
  const { secrets } = world;
  const secret = newWebhookSecret();
  const sealed = (text: string) => secrets.seal(text, webhookSecretBinding(merchantId, keyId));
  // The shop's earlier secret signs for one more day, in case this answer never arrives.
  const [last] = earlier;
  const old = last && secrets.open(last.webhook_secret, webhookSecretBinding(merchantId, last.key_id));
  await markCollected(tx, held, {
    key_id: keyId,
    webhook_secret: sealed(secret),
    old_webhook_secret: old === undefined ? null : sealed(old),
    secret_rotated_at: old === undefined ? null : who.now,
  });
  await recordAudit(tx, who, {
    action: 'connection.collect',
    subject: keyId,
    details: { name: held.shop_name, address: held.return_url },
    notice: because('shop_connected', { name: held.shop_name, host: new URL(held.return_url).host }),
  });
  return {
    connection_id: keyId,
    api_key: apiKey,
    webhook_secret: secret,
    payment_account_id: held.account_id,
    business_name: held.business_name,
    mode: world.config.mode,
    base_url: world.baseUrl,
  };
}

/** Two callers knew the code and its verifier, and one of them was not the shop. Nobody can say which. */
async function endReplayed(
  tx: Transaction,
  world: ExchangeWorld,
  held: LockedConnection,
  keyId: string,
  address: string,
): Promise<null> {
  const { merchant_id: merchantId, shop_name: name } = held;
  if (await revokeApiKey(tx, world, merchantId, keyId)) {
    await recordAudit(
      tx,
      { merchantId, actor: 'milaan', address, now: world.clock.now() },
      {
        action: 'connection.replayed',
        subject: keyId,
        details: name,
        notice: because('connection_replayed', { name }),
      },
    );
  }
  return null;
}
