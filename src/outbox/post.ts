import type { Dispatcher } from 'undici';
import { second } from '../base/clock.ts';
import type { DestinationRules } from '../base/network/allow-list.ts';
import { type Host, parseWebhookUrl } from '../base/network/parse-destination.ts';
import { isThisMachine } from '../base/settings/config-values.ts';
import type { AllowList } from '../base/settings/read-allow-list.ts';
import type { World } from '../base/world.ts';
import { dropShopConnection, newShopConnection, type ShopConnection } from './connections.ts';

/**
 * Parses a browser's push address. Anybody with a login may have made it up, so the webhook rules apply (R11), without
 * the operator's exceptions. Plain http is only for a push service on this machine in sandbox mode.
 */
export function parseEndpoint(text: string, rules: DestinationRules): { url: URL; host: Host } | null {
  const parsed = parseWebhookUrl(text, rules);
  if (!parsed.ok) return null;
  const { url, host } = parsed;
  const isOwn = rules.mode === 'sandbox' && isThisMachine(host.name);
  return url.protocol === 'https:' || isOwn ? { url, host } : null;
}

const none: AllowList = { hosts: new Set(), ranges: [] };

/** WEBHOOK_ALLOW is for shops' internal servers. A cashier, who may not set a webhook, could make us call them. */
export function withoutExceptions<W extends Pick<World, 'config'>>(world: W): W {
  return { ...world, config: { ...world.config, webhookAllow: none } };
}

export type Posted = { statusCode: number; response: string };

/** Sends one POST on its own guarded connection. Rejects if no status came. */
export async function postOnce(
  world: Pick<World, 'dns' | 'config'>,
  { url, host }: { url: URL; host: Host },
  { headers, body }: { headers: Record<string, string>; body: Buffer | string },
  signal: AbortSignal,
): Promise<Posted> {
  const connection = newShopConnection(world, host, url.origin, signal);
  try {
    const path = `${url.pathname}${url.search}`;
    return await exchange(connection, { path, headers, body, reset: true });
  } finally {
    dropShopConnection(connection);
  }
}

/** Enough for a person to recognise an error page. */
const mostBytes = 2048;
/** The status alone decides, so a slow body is cut off. */
const bodyLimit = 2 * second;

/**
 * Sends one request and returns the status and the first bytes of the answer. Limits time and size of the body and
 * never decompresses it. Rejects if no status came. Bypasses undici's streams, which cost more time than signing the
 * webhook.
 */
export function exchange(
  { client, signal }: ShopConnection,
  request: Omit<Dispatcher.DispatchOptions, 'method' | 'origin'>,
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    let answered: { statusCode: number; encoding: unknown } | null = null;
    let timer: NodeJS.Timeout | undefined;
    let abort = () => {};
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // Keep the received part of a broken body for the log.
      if (!answered) return reject(error);
      const { encoding, ...answer } = answered;
      resolve({ ...answer, response: shown(encoding, chunks) });
    };
    client.dispatch(
      { ...request, method: 'POST' },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(signal.reason);
          if (signal.aborted) abort();
          else signal.addEventListener('abort', abort);
        },
        onResponseStart(controller, statusCode, headers) {
          // Skip interim answers (1xx).
          if (statusCode < 200) return;
          answered = { statusCode, encoding: headers['content-encoding'] };
          timer = setTimeout(() => controller.abort(new Error('dripping')), bodyLimit);
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= mostBytes) controller.abort(new Error('enough'));
        },
        onResponseEnd: () => end(),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

function shown(encoding: unknown, chunks: readonly Buffer[]): string {
  if (typeof encoding === 'string' && !/^(?:identity)?$/i.test(encoding.trim())) {
    return chunks.length > 0 ? '(a compressed answer, not shown)' : '';
  }
  return asText(Buffer.concat(chunks).subarray(0, mostBytes));
}

/** Replaces invalid UTF-8 and NUL, which PostgreSQL refuses. */
function asText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd');
}
