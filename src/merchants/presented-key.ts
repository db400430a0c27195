import type { FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { type PresentedKey, readApiKey } from './api-key.ts';

/** §5: the caller's key from X-API-Key. Text that cannot be a key is refused here, with the words of an unknown one. */
export function presentedKey(request: FastifyRequest): PresentedKey {
  const header = request.headers['x-api-key'];
  const text = Array.isArray(header) ? header.join(',') : header?.trim();
  if (!text) throw new ApiError('missing_api_key');
  const key = readApiKey(text);
  if (!key) throw new ApiError('invalid_api_key');
  return key;
}
