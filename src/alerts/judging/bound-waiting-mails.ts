// Limits how much room one business's mails may take while they wait for a signing key.

import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import { alertMetrics } from './metrics.ts';
import { endLargestWaiting } from './queries/claims.ts';

/** For one business, compressed. A bank's alert has a few kilobytes, so this is room for ten thousand. */
export const mostWaitingBytes = 64 * 1024 * 1024;

/**
 * Mails whose key is missing or in doubt keep their bytes for a day, and anybody can send such mails. So one business
 * may keep only so many bytes of them; the largest go first, because an alert is small. Returns how many went.
 */
export async function boundWaitingMails({
  sql,
  clock,
  metrics,
}: Pick<World, 'sql' | 'clock' | 'metrics'>): Promise<number> {
  const ended = await endLargestWaiting(sql, clock.now(), mostWaitingBytes, tooManyReason);
  if (ended > 0) alertMetrics(metrics).judged.inc({ verdict: 'forged' }, ended);
  return ended;
}

const tooManyReason = because('not_kept');
