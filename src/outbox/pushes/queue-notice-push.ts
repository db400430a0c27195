import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { NoticeKind } from '../../texts/say.ts';
import { topicOf } from '../topics.ts';
import { insertPushes } from './queries.ts';

/** A payment is news at the till; what needs a person waits for the next morning. */
export const paymentUsefulFor = 1 * hour;
const noticeUsefulFor = 1 * day;

/** Tells devices of a notice, where people can choose its kind. */
export async function queueNoticePush(
  tx: Transaction,
  { merchantId, noticeId, kind, now }: { merchantId: number; noticeId: number; kind: NoticeKind; now: Date },
): Promise<void> {
  const topic = topicOf[kind];
  if (topic === null) return;
  await insertPushes(tx, { merchantId, topic, noticeId, now, usefulUntil: later(now, noticeUsefulFor) });
}
