import type { World } from '../world.ts';
import { alertMeters } from './meters.ts';
import { endLargestDoubted } from './queries/doubted.ts';

/** Of one business, compressed. A bank's alert has some kilobytes, so this is room for ten thousand. */
export const mostDoubtedBytes = 64 * 1024 * 1024;

/**
 * Mails whose key is in doubt keep their bytes for a day, and anybody can send such mails. Those of one business keep
 * so many bytes and no more; the largest give way, because an alert is small. Answers how many did.
 */
export async function boundDoubtedMails({
  sql,
  clock,
  metrics,
}: Pick<World, 'sql' | 'clock' | 'metrics'>): Promise<number> {
  const ended = await endLargestDoubted(sql, clock.now(), mostDoubtedBytes, tooManyReason);
  if (ended > 0) alertMeters(metrics).judged.inc({ verdict: 'forged' }, ended);
  return ended;
}

const tooManyReason =
  'Its signature could not be proved, and too many mails like it wait; the largest were not kept.';
