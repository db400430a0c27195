import type { Dispatcher } from 'undici';
import { second } from '../base/clock.ts';
import type { DestinationRules } from '../base/network/allow-list.ts';
import { type Host, parseWebhookUrl } from '../base/network/parse-destination.ts';
import { isThisMachine } from '../base/settings/config-values.ts';
import type { World } from '../base/world.ts';
import { dropShopConnection, newShopConnection, type ShopConnection } from './connections.ts';

/**
 * Where a browser says that it takes pushes. Anybody with a login may have made the address up, so the rules of
 * webhooks hold (R11), without the operator's exceptions. Plain http is only for a push service on this machine, as in
 * the sandbox and in tests.
 */
export function parseEndpoint(text: string, rules: DestinationRules): { url: URL; host: Host } | null {
  const parsed = parseWebhookUrl(text, rules);
  if (!parsed.ok) return null;
  const { url, host } = parsed;
  const isOwn = rules.mode === 'sandbox' && isThisMachine(host.name);
  return url.protocol === 'https:' || isOwn ? { url, host } : null;
}

const none: readonly string[] = [];

/**
 * The same world without WEBHOOK_ALLOW. Its hosts are for shops' servers inside; no browser's push service stands there,
 * and a cashier, who can name no webhook, could make us call them.
 */
export function withoutExceptions<W extends Pick<World, 'config'>>(world: W): W {
  return { ...world, config: { ...world.config, webhookAllow: none } };
}

/** The status, and the beginning of the answer as text. */
export type Posted = { statusCode: number; retryAfter: unknown; response: string };

/** One POST on a guarded connection of its own. Rejects when no status came. */
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
/** The status has decided already; a body that drips is not waited for. */
const bodyLimit = 2 * second;

/**
 * Sends one request and returns the status and the first bytes of the answer, as text. Never waits long for a body,
 * never reads much of it, never decompresses. Rejects when no status came. Uses undici below its streams, which cost
 * more than signing the whole webhook.
 */
export function exchange(
  { client, signal }: ShopConnection,
  request: Omit<Dispatcher.DispatchOptions, 'method' | 'origin'>,
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    let answered: { statusCode: number; retryAfter: unknown; encoding: unknown } | null = null;
    let timer: NodeJS.Timeout | undefined;
    let abort = () => {};
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // A body that breaks off is shown as far as it came.
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
          // Others are said before the answer.
          if (statusCode < 200) return;
          answered = {
            ...{ statusCode, retryAfter: headers['retry-after'] },
            encoding: headers['content-encoding'],
          };
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

/** Whatever bytes came: invalid UTF-8 and NUL, which PostgreSQL refuses, become the replacement character. */
function asText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd');
}
