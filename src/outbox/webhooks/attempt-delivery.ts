import { errors } from 'undici';
import { second, stopwatch } from '../../base/clock.ts';
import { isStillRight, RefusedAddress } from '../../base/network/guarded-connect.ts';
import { type Host, parseWebhookUrl } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import {
  dropShopConnection,
  newShopConnection,
  type ShopConnection,
  type ShopConnections,
} from '../connections.ts';
import { exchange } from '../post.ts';
import type { AttemptResult, ClaimedDelivery } from './queries/attempts.ts';
import { type Failure, failedStatus, reasonOfFailure, TimedOut } from './reason-of-failure.ts';
import { type SignedHeaders, signWebhook } from './sign-webhook.ts';

/** The limit for DNS, connection, TLS, request and response headers together. */
export const attemptLimit = 15 * second;

/** Sends one POST to an untrusted server. Writes nothing to the database; every result is a value. */
export async function attemptDelivery(
  world: Pick<World, 'dns' | 'config' | 'clock' | 'secrets' | 'log'>,
  delivery: ClaimedDelivery,
  stopping: AbortSignal,
  connections: ShopConnections | null = null,
  limit = attemptLimit,
): Promise<AttemptResult> {
  const startedAt = world.clock.now();
  const elapsed = stopwatch();
  // Sign with real time: the receiver compares it with its own clock, not with the sandbox's.
  const signed = sign(world, delivery, world.clock.outside?.() ?? startedAt);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Milaan-Webhooks/1',
    // A compressed answer could be a decompression bomb.
    'accept-encoding': 'identity',
    ...signed,
  };
  const answer: Answer = signed
    ? await post(world, delivery, headers, { stopping, connections, limit })
    : notSigned;
  return {
    ...answer,
    request: { url: delivery.webhook_url, headers: shownHeaders(headers) },
    startedAt,
    durationMs: Math.round(elapsed()),
  };
}

type Answer = Pick<AttemptResult, 'outcome' | 'failure' | 'statusCode' | 'response'>;

const notSigned: Answer = {
  outcome: 'not_signed',
  failure: because('event_not_signed'),
  statusCode: null,
  response: null,
};

function sign(
  world: Pick<World, 'secrets' | 'log'>,
  delivery: ClaimedDelivery,
  now: Date,
): SignedHeaders | null {
  const { merchant_id: merchantId, shop, event_id: eventId, body } = delivery;
  try {
    return signWebhook(world, { merchantId, shop, eventId, body, sealed: delivery, now });
  } catch (error) {
    // The key ring lacks a key. The operator must add it; later retries can then succeed.
    world.log.error({ err: error, merchant: merchantId }, 'a webhook secret cannot be opened');
    return null;
  }
}

type Sending = { stopping: AbortSignal; connections: ShopConnections | null; limit: number };

async function post(
  world: Pick<World, 'dns' | 'config'>,
  { webhook_url, body }: ClaimedDelivery,
  headers: Record<string, string>,
  { stopping, connections, limit }: Sending,
): Promise<Answer> {
  // Check again at every send (§4.1): rules and allow-list may have changed since the order was created.
  const parsed = parseWebhookUrl(webhook_url, world.config);
  if (!parsed.ok) return unanswered(new RefusedAddress());
  const { url, host } = parsed;
  if (!host.isLiteral) url.hostname = host.name;

  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => ending.abort(new TimedOut()), limit);
  const stop = () => ending.abort(stopping.reason);
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop);
  const call: Call = { path: `${url.pathname}${url.search}`, headers, body, signal, connections };
  try {
    const kept = connections?.take(url.origin) ?? null;
    const answer = kept && (await askAgain(world, host, kept, call));
    return answer ?? (await ask(newShopConnection(world, host, url.origin, signal), call));
  } catch (error) {
    return unanswered(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

type Call = {
  path: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  connections: ShopConnections | null;
};

/** Returns null if the kept connection is unusable: its server has moved or hung up. Then open a new one. */
async function askAgain(
  world: Pick<World, 'dns' | 'config'>,
  host: Host,
  connection: ShopConnection,
  call: Call,
): Promise<Answer | null> {
  try {
    if (await isStillRight(world, host, connection.peer ?? '', call.signal))
      return await ask(connection, call);
  } catch (error) {
    dropShopConnection(connection);
    // An answer means that the server has the event; another request would deliver it twice.
    if (call.signal.aborted || isAnswer(error)) throw error;
    return null;
  }
  dropShopConnection(connection);
  return null;
}

const nonsense = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];

function isAnswer(error: unknown): boolean {
  return nonsense.some(kind => error instanceof kind);
}

/** Keeps a connection that answered for the next webhook. */
async function ask(
  connection: ShopConnection,
  { path, headers, body, signal, connections }: Call,
): Promise<Answer> {
  connection.signal = signal;
  let isSound = false;
  try {
    const reset = connections === null;
    const { statusCode, response } = await exchange(connection, { path, headers, body, reset });
    const failure = failedStatus(statusCode);
    isSound = connections !== null && !signal.aborted;
    const outcome = failure?.outcome ?? 'delivered';
    return { outcome, failure: failure?.reason ?? null, statusCode, response };
  } finally {
    if (isSound) connections!.keep(connection);
    else dropShopConnection(connection);
  }
}

function unanswered(error: unknown): Answer {
  const { outcome, reason }: Failure = reasonOfFailure(error);
  return { outcome, failure: reason, statusCode: null, response: null };
}

/** Hides the signature, or a reader of the log could replay the request. */
function shownHeaders(headers: Record<string, string>): Record<string, string> {
  return 'webhook-signature' in headers ? { ...headers, 'webhook-signature': 'v1,…' } : headers;
}
