import type { Readable } from 'node:stream';
import { second } from '../clock.ts';

/** Enough for a person to recognise an error page. */
const mostBytes = 2048;
/** The status has decided already; a body that drips is not waited for. */
const bodyLimit = 2 * second;

/** The first bytes of an answer as text. Never waits long, never reads much, never decompresses, never throws. */
export async function readAnswer(body: Readable, encoding: unknown): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), bodyLimit);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= mostBytes) break;
    }
  } catch {
    // A body that breaks off is shown as far as it came.
  } finally {
    clearTimeout(timer);
    body.on('error', () => {}).destroy();
  }
  if (typeof encoding === 'string' && !/^(?:identity)?$/i.test(encoding.trim())) {
    return size > 0 ? '(a compressed answer, not shown)' : '';
  }
  return asText(Buffer.concat(chunks).subarray(0, mostBytes));
}

/** Whatever bytes came: invalid UTF-8 and NUL, which PostgreSQL refuses, become the replacement character. */
function asText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd');
}
