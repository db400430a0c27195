import { day, hour, later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { Paise } from '../../base/money.ts';
import type { NoticeKind } from '../../texts/say.ts';
import { topicOf } from '../topics.ts';
import { insertPushes } from './queries.ts';

/** A payment is news at the till; what needs a person waits for the next morning. */
const paymentUsefulFor = 1 * hour;
const noticeUsefulFor = 1 * day;

/** Tells devices of a paid order, in the transaction that pays it: one insert, and nothing leaves before the commit. */
export async function queuePaymentPush(
  tx: Transaction,
  { merchantId, orderId, amount, now }: { merchantId: number; orderId: string; amount: Paise; now: Date },
): Promise<void> {
  const usefulUntil = later(now, paymentUsefulFor);
  await insertPushes(tx, { merchantId, topic: 'payment', orderId, amountPaise: amount, now, usefulUntil });
}

/** Tells devices of a notice, where people can choose its kind. */
export async function queueNoticePush(
  tx: Transaction,
  { merchantId, noticeId, kind, now }: { merchantId: number; noticeId: number; kind: NoticeKind; now: Date },
): Promise<void> {
  const topic = topicOf[kind];
  if (topic === null) return;
  await insertPushes(tx, { merchantId, topic, noticeId, now, usefulUntil: later(now, noticeUsefulFor) });
}
