// Limits how many bytes anybody can make us keep in the name of one business.

import type { World } from '../../base/world.ts';
import { because, type Verdict } from '../../texts/verdicts.ts';
import { alertMetrics } from './metrics.ts';
import { enforceQuotas } from './queries/quotas.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Which budget a mail's bytes are kept out of. */
export type Quota = 'stranger' | 'waiting' | 'opened';

/** Of one business, compressed, as are all of these. Evidence for people: a few thousand forgeries are plenty. */
export const mostStrangersBytes = 16 * MiB;
/** A reserve that nobody fills without mails that a bank signed. */
const mostOpenedBytes = 16 * MiB;
/** What waits for a key, large and small apart, so that many small ones push out no large one. */
export const mostWaitingBytes = 64 * MiB;
export const mostSmallWaitingBytes = 32 * MiB;
/** A plain alert has two or three kilobytes, one with pictures and style sheets some tens. */
const smallMailBytes = 16 * KiB;

/** A forgery is kept as evidence while it is small. */
const keptForgeryBytes = 128 * KiB;

type Judged = { verdict: Verdict; signingDomain: string | null; opened: boolean };

/** Null: the bank's own mail to this business, money or not; it is never pushed out. */
export function quotaOf({ verdict, signingDomain, opened }: Judged): Quota | null {
  if (verdict === 'retrying') return 'waiting';
  // Signed by a bank, but to somebody else: whoever has one such mail can send it as often as they like.
  if (verdict === 'wrong_recipient') return 'opened';
  if (verdict === 'forged' || (verdict === 'unreadable' && signingDomain === null))
    return opened ? 'opened' : 'stranger';
  return null;
}

export function isKept(verdict: Verdict, quota: Quota | null, bytes: number): boolean {
  return verdict !== 'forged' || quota === 'opened' || bytes <= keptForgeryBytes;
}

/**
 * The oldest give way first; of those that wait for a key, the oldest of the fullest hour, so that a flood pushes out
 * mails of its own hour and no others. One that waited is given up with its bytes; a verdict stays. Answers how many.
 */
export async function boundStrangersMails(world: Pick<World, 'sql' | 'clock' | 'metrics'>): Promise<number> {
  const limits = {
    stranger: mostStrangersBytes,
    opened: mostOpenedBytes,
    waiting: mostWaitingBytes,
    smallWaiting: mostSmallWaitingBytes,
    small: smallMailBytes,
  };
  const { ended, emptied } = await enforceQuotas(world.sql, world.clock.now(), limits, because('not_kept'));
  if (ended > 0) alertMetrics(world.metrics).judged.inc({ verdict: 'forged' }, ended);
  return emptied;
}
