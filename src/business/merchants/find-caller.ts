import type { FastifyRequest } from 'fastify';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError, movedAway } from '../../base/http/api-error.ts';
import type { World } from '../../base/world.ts';
import { type PresentedKey, readApiKey } from './api-key.ts';
import { type Standing, selectCaller } from './queries.ts';

const presented = new WeakMap<FastifyRequest, PresentedKey>();

/** §5: reads the key from X-API-Key. Text that cannot be a key gets the same refusal as an unknown key. */
export function presentedKey(request: FastifyRequest): PresentedKey {
  const header = request.headers['x-api-key'];
  const text = Array.isArray(header) ? header.join(',') : header?.trim();
  if (!text) throw new ApiError('missing_api_key');
  const key = readApiKey(text);
  if (!key) throw new ApiError('invalid_api_key');
  presented.set(request, key);
  return key;
}

export function keyPresentedIn(request: FastifyRequest): PresentedKey | undefined {
  return presented.get(request);
}

/** §5: refuses an unknown or revoked key, then a disabled business. For paths that do not check in their own query. */
export async function findCaller({ sql }: Pick<World, 'sql'>, key: PresentedKey): Promise<void> {
  const [caller] = await withDeadline(selectCaller(sql, key));
  refuseStranger(caller);
}

export function refuseStranger(caller: Standing | undefined): asserts caller {
  if (!caller) throw new ApiError('invalid_api_key');
  refuseByStanding(caller);
}

/** §5: refuses a closed business for good. The caller of one that is being moved should retry. */
export function refuseByStanding({ refusal }: Standing): void {
  if (refusal === 'service_unavailable') throw movedAway();
  if (refusal !== null) throw new ApiError(refusal);
}
