import type { FastifyRequest } from 'fastify';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError, movedAway } from '../../base/http/api-error.ts';
import type { World } from '../../base/world.ts';
import { type PresentedKey, readApiKey } from './api-key.ts';
import { type Standing, selectCaller } from './queries.ts';

const presented = new WeakMap<FastifyRequest, PresentedKey>();

/** §5: the caller's key from X-API-Key. Text that cannot be a key is refused here, with the words of an unknown one. */
export function presentedKey(request: FastifyRequest): PresentedKey {
  const header = request.headers['x-api-key'];
  const text = Array.isArray(header) ? header.join(',') : header?.trim();
  if (!text) throw new ApiError('missing_api_key');
  const key = readApiKey(text);
  if (!key) throw new ApiError('invalid_api_key');
  presented.set(request, key);
  return key;
}

/** The key that was read from this request before, if it had one. */
export function keyPresentedIn(request: FastifyRequest): PresentedKey | undefined {
  return presented.get(request);
}

/** §5: refuses an unknown or revoked key, then a disabled business. For the paths that do not ask in their own query. */
export async function findCaller({ sql }: Pick<World, 'sql'>, key: PresentedKey): Promise<void> {
  const [caller] = await withDeadline(selectCaller(sql, key));
  refuseStranger(caller);
}

/** The two refusals shared by every query that looks its own caller up. */
export function refuseStranger(caller: Standing | undefined): asserts caller {
  if (!caller) throw new ApiError('invalid_api_key');
  refuseByStanding(caller);
}

/** §5: a closed business is refused for good; one that is being moved is only to be asked again. */
export function refuseByStanding({ refusal }: Standing): void {
  if (refusal === 'service_unavailable') throw movedAway();
  if (refusal !== null) throw new ApiError(refusal);
}
