import type { FastifyRequest } from 'fastify';

/** One JSON object or a problem. It is returned, not thrown, because the caller's key is checked first. */
export type JsonBody = { object: Record<string, unknown> } | { problem: string };

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** ignoreBOM keeps the byte order mark, so that JSON.parse refuses it (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readJsonBody(request: FastifyRequest): JsonBody {
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    return { problem: 'Content-Type must be application/json' };
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return { problem: 'Content-Encoding is not supported' };
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return { problem: 'the body is empty' };
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(request.body));
  } catch {
    return { problem: 'the body is not valid JSON in UTF-8' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'the body must be a JSON object' };
  }
  return { object: value as Record<string, unknown> };
}
