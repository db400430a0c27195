import { later, minute, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { type DuePush, deleteGoneDevice, deletePush, markTold, postponePush } from './queries.ts';
import { sendPush } from './send-push.ts';

/** The pause after each failed try, as long as the news are of use. After the last one it is given up. */
const pauses = [10 * second, 1 * minute, 5 * minute, 15 * minute];

/** A word for the metrics. `dropped`: nobody may see it any more. */
export type PushResult = 'sent' | 'failed' | 'gone' | 'given_up' | 'dropped';

/**
 * One claimed push from the try to its record. If the process dies in between, the lease lapses and the message is sent
 * again under the same tag, which replaces the first one on the device.
 */
export async function deliverPush(
  world: Pick<World, 'sql' | 'clock' | 'dns' | 'config' | 'baseUrl' | 'log'>,
  push: DuePush,
  stopping: AbortSignal,
): Promise<PushResult> {
  const { sql, clock, log } = world;
  const { merchant_id, push_id, device_id, tries, useful_until } = push;
  if (device_id === null || useful_until <= clock.now()) {
    await deletePush(sql, push);
    return 'dropped';
  }
  const outcome = await sendPush(world, push, stopping);
  if (outcome === 'sent') {
    await deletePush(sql, push);
    await markTold(sql, merchant_id, device_id, clock.now());
    return outcome;
  }
  if (outcome === 'gone') {
    await deleteGoneDevice(sql, merchant_id, device_id);
    await deletePush(sql, push);
    return outcome;
  }
  log.warn({ merchant: merchant_id, push: push_id, tries }, 'a device could not be told');
  const pause = pauses[tries - 1];
  const next = pause === undefined ? null : later(clock.now(), pause);
  if (next === null || next >= useful_until) {
    await deletePush(sql, push);
    return 'given_up';
  }
  await postponePush(sql, push, next);
  return outcome;
}
