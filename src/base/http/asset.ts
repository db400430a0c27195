import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Immutable bytes, compressed once at the first request. */
export type Asset = {
  /** Part of the address, so that browsers may cache the bytes forever. */
  hash: string;
  type: string;
  plain: Buffer;
  compressed(encoding: 'br' | 'gzip'): Promise<Buffer>;
};

const hashLength = 12;
const bestBrotli = 11;

/** For addresses that contain the hash. */
export const forEver = 'public, max-age=31536000, immutable';

export function newAsset(type: string, content: string | Uint8Array): Asset {
  const plain = Buffer.from(content as string);
  const forms: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {};
  return {
    hash: createHash('sha256').update(plain).digest('hex').slice(0, hashLength),
    type,
    plain,
    compressed(encoding) {
      forms[encoding] ??= compress(plain, encoding, { brotli: bestBrotli, gzip: 9 });
      return forms[encoding];
    },
  };
}

export async function compress(
  plain: Buffer,
  encoding: 'br' | 'gzip',
  quality: { brotli: number; gzip?: number },
): Promise<Buffer> {
  if (encoding === 'gzip') return await promisify(gzip)(plain, { level: quality.gzip });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: quality.brotli, [BROTLI_PARAM_SIZE_HINT]: plain.length };
  return await promisify(brotliCompress)(plain, { params });
}

export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string,
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const etag = `"${asset.hash}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' });
  // An operator's SVG may contain a script, which must not run if somebody opens the picture's address.
  if (asset.type.startsWith('image/svg+xml'))
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const bytes = encoding ? await asset.compressed(encoding) : asset.plain;
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('content-type', asset.type).send(bytes);
}

export type Encoding = 'br' | 'gzip' | null;

/** Prefers Brotli, then gzip, then plain; a coding with weight zero is refused. */
export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]!.trim().toLowerCase());
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
}
