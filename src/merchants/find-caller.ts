import { withDeadline } from '../database/with-deadline.ts';
import { ApiError } from '../http/api-error.ts';
import type { World } from '../world.ts';
import type { PresentedKey } from './api-key.ts';
import { selectCaller } from './queries.ts';

/** §5: refuses an unknown or revoked key, then a disabled business. For the paths that do not ask in their own query. */
export async function findCaller({ sql }: Pick<World, 'sql'>, key: PresentedKey): Promise<void> {
  const [caller] = await withDeadline(selectCaller(sql, key));
  refuseStranger(caller);
}

/** The two refusals that every query which carries its own caller shares. */
export function refuseStranger(caller: { disabled: boolean } | undefined): asserts caller {
  if (!caller) throw new ApiError('invalid_api_key');
  if (caller.disabled) throw new ApiError('merchant_disabled');
}
