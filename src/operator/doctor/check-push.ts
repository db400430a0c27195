import type { Sql } from '../../base/database/connect.ts';
import type { Config } from '../../base/settings/config.ts';
import { pushKeys } from '../../outbox/pushes/subscription.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { selectPushFacts } from './queries.ts';

/** Notices on devices: the key that push services know us by, and whether they take what we send. */
export async function checkPush(sql: Sql, config: Pick<Config, 'pushKey'>): Promise<Finding[]> {
  const { devices, untaken, last_told_at } = await selectPushFacts(sql);
  const keys = pushKeys(config);
  if (keys === null)
    return [
      devices === 0
        ? fine('push', 'PUSH_KEY is not set: notices appear on no device')
        : fault(
            'push',
            `${devices} devices wait for notices, and PUSH_KEY is not set`,
            'put the key back: under another one every device has to be added again',
          ),
    ];
  // The public half is what browsers were given; it is computed, so that the two always fit.
  const found = `key ${keys.publicKey.slice(0, 12)}…, ${devices} devices, last told ${last_told_at?.toISOString() ?? 'never'}`;
  return [
    untaken === 0
      ? fine('push', found)
      : warning(
          'push',
          `${found}; ${untaken} notices were not taken at the first try`,
          'let https out to the push services of browsers; if PUSH_KEY was changed, put the older one back',
        ),
  ];
}
