import type { Judgement } from '../judging/judge-mail.ts';
import { isSameMoney } from '../reading/compare-readings.ts';

/** A stored mail of the bank, ready to be judged. */
export type StoredMail = {
  readonly merchantId: number;
  readonly alertId: string;
  readonly raw: Buffer;
  readonly addresses: readonly string[];
  readonly arrivedAt: Date;
};
type Judged = Pick<Judgement, 'verdict' | 'facts'>;
type Judge = (
  raw: Buffer,
  mail: Pick<StoredMail, 'addresses' | 'arrivedAt'> & { now: Date },
) => Promise<Judged>;

type Change = Pick<StoredMail, 'merchantId' | 'alertId'> & {
  readonly before: string;
  readonly after: string;
};
export type Tried = {
  readonly tried: number;
  /** Unreadable until now. */
  readonly read: readonly Change[];
  /** Whatever else changed: with one of them the entry is not saved. */
  readonly spoiled: readonly Change[];
};

/**
 * Stored mails judged as they are read today and as they would be with an entry. Only what was unreadable may become
 * something else, and only a credit or no credit; the facts of a credit stay what they were.
 */
export async function tryEntry(
  { before, after }: { before: Judge; after: Judge },
  mails: AsyncIterable<StoredMail>,
  now: Date,
): Promise<Tried> {
  let tried = 0;
  const read: Change[] = [];
  const spoiled: Change[] = [];
  for await (const { raw, merchantId, alertId, ...mail } of mails) {
    tried++;
    const [one, other] = await Promise.all([before(raw, { ...mail, now }), after(raw, { ...mail, now })]);
    if (isSame(one, other)) continue;
    const change = { merchantId, alertId, before: one.verdict, after: other.verdict };
    const isAllowed = one.verdict === 'unreadable' && ['credit', 'not_a_credit'].includes(other.verdict);
    (isAllowed ? read : spoiled).push(change);
  }
  return { tried, read, spoiled };
}

/** All on which money rests; another template may have the same words. */
function isSame(one: Judged, other: Judged): boolean {
  if (one.verdict !== other.verdict) return false;
  if (one.facts === null || other.facts === null) return one.facts === other.facts;
  return isSameMoney(one.facts, other.facts);
}
