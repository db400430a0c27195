import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes that never change while the process lives, compressed once. */
export type Asset = {
  /** Leads the bytes into the address, so that a browser may keep them for ever. */
  hash: string;
  type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
};

const hashLength = 12;

export function newAsset(type: string, content: string | Uint8Array): Asset {
  const plain = Buffer.from(content as string);
  return {
    hash: createHash('sha256').update(plain).digest('hex').slice(0, hashLength),
    type,
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
  };
}

/** Sends an asset in the best form the browser takes, or 304 when it has it already. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const etag = `"${asset.hash}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  const bytes = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain;
  return reply.header('content-type', asset.type).send(bytes);
}

export type Encoding = 'br' | 'gzip' | null;

/** Brotli, then gzip, then plain; a coding that the client weighs zero is refused. */
export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]!.trim().toLowerCase());
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
}
