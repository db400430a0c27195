import { Client } from 'undici';
import { second } from '../../base/clock.ts';
import { guardedConnector } from '../../base/network/guarded-connect.ts';
import type { World } from '../../base/world.ts';
import { parseEndpoint, withoutExceptions } from './parse-endpoint.ts';
import { pushKeys } from './push-keys.ts';
import type { DuePush } from './queries.ts';
import { wordPush } from './word-push.ts';

/** `gone`: the browser has given the subscription up, and nothing sent there will ever arrive. */
export type PushOutcome = 'sent' | 'failed' | 'gone';

/** Name, connection, TLS, request and the head of the answer: all of it. */
const sendLimit = 5 * second;
const mostHeaderBytes = 16 * 1024;
/** What no public address may be named in: push services want to know whom to ask about us. */
const noContact = 'mailto:nobody@milaan.invalid';

/**
 * One message to one browser, through the push service of the browser's maker. The library encrypts and signs; we make
 * the connection ourselves, because the address came from a browser: the guard sits in the connection, no redirect is
 * followed, and only the status of the answer is read.
 */
export async function sendPush(
  world: Pick<World, 'dns' | 'config' | 'clock' | 'baseUrl'>,
  push: DuePush,
  stopping: AbortSignal,
): Promise<PushOutcome> {
  // Judged again at every send: the rules may have changed since the device was added.
  const outside = withoutExceptions(world);
  const parsed = parseEndpoint(push.endpoint, outside.config);
  const keys = pushKeys(world.config);
  if (parsed === null || keys === null) return 'failed';
  const { url, host } = parsed;
  const { default: library } = await import('web-push');
  const message = wordPush(push);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendLimit)]);
  const client = new Client(url.origin, {
    connect: guardedConnector(outside, host, { signal: () => signal, onPeer: () => {} }),
    allowH2: false,
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const { headers, body } = library.generateRequestDetails(
      { endpoint: url.href, keys: { p256dh: push.p256dh, auth: push.auth } },
      JSON.stringify(message),
      {
        TTL: Math.max(0, Math.floor((push.useful_until.getTime() - world.clock.now().getTime()) / second)),
        // What still waits for a phone that is off is replaced too, and not only what it shows.
        topic: message.tag,
        urgency: 'high',
        vapidDetails: { ...keys, subject: world.baseUrl.startsWith('https:') ? world.baseUrl : noContact },
      },
    );
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body,
      signal,
    });
    answer.body.on('error', () => {}).destroy();
    return outcomeOf(answer.statusCode);
  } catch {
    return 'failed';
  } finally {
    void client.destroy().catch(() => {});
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  return status === 404 || status === 410 ? 'gone' : 'failed';
}
