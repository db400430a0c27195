// Limits how many bytes anybody can make us keep in the name of one business.

import type { World } from '../../base/world.ts';
import { because, type Verdict } from '../../texts/verdicts.ts';
import { alertMetrics } from './metrics.ts';
import { enforceQuotas } from './queries/quotas.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** The budget that a mail's bytes count against. */
export type Quota = 'stranger' | 'waiting' | 'opened';

/** In compressed bytes per business, like all limits here. A few thousand forgeries are enough as evidence. */
export const mostStrangersBytes = 16 * MiB;
/** A reserve that only mails signed by a bank can fill. */
const mostOpenedBytes = 16 * MiB;
/** Mails that wait for a key. Small ones have their own limit, so that many of them push out no large one. */
export const mostWaitingBytes = 64 * MiB;
export const mostSmallWaitingBytes = 32 * MiB;
/** A plain alert has two or three kilobytes, one with pictures and style sheets a few tens. */
const smallMailBytes = 16 * KiB;

/** Only a small forgery is kept as evidence. */
const keptForgeryBytes = 128 * KiB;

type Judged = { verdict: Verdict; signingDomain: string | null; opened: boolean };

/** Null: the bank's own mail to this business, about money or not. It is never pushed out. */
export function quotaOf({ verdict, signingDomain, opened }: Judged): Quota | null {
  if (verdict === 'retrying') return 'waiting';
  // A bank signed it, but to somebody else. Anybody who has one such mail can send it any number of times.
  if (verdict === 'wrong_recipient') return 'opened';
  if (verdict === 'forged' || (verdict === 'unreadable' && signingDomain === null))
    return opened ? 'opened' : 'stranger';
  return null;
}

export function isKept(verdict: Verdict, quota: Quota | null, bytes: number): boolean {
  return verdict !== 'forged' || quota === 'opened' || bytes <= keptForgeryBytes;
}

/**
 * The oldest mails are dropped first. Of those that wait for a key, the oldest of the fullest hour go first, so that a
 * flood pushes out only mails of its own hour. Dropped waiting mails are given up; other verdicts stay. Returns the
 * count.
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
