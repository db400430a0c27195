import type { Dispatcher } from 'undici';
import { second } from '../../base/clock.ts';
import type { ShopConnection } from './shop-connections.ts';

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
): Promise<{ statusCode: number; retryAfter: unknown; response: string }> {
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
