import type { Judgement } from '../judging/judge-mail.ts';

/** A stored mail of the bank, ready to be judged. */
export type StoredMail = {
  readonly merchantId: number;
  readonly alertId: string;
  readonly raw: Buffer;
  readonly addresses: readonly string[];
  readonly arrivedAt: Date;
};
type Judge = (
  raw: Buffer,
  mail: { addresses: readonly string[]; arrivedAt: Date; now: Date },
) => Promise<Pick<Judgement, 'verdict' | 'facts'>>;

type Change = {
  readonly merchantId: number;
  readonly alertId: string;
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
function isSame(
  one: Pick<Judgement, 'verdict' | 'facts'>,
  other: Pick<Judgement, 'verdict' | 'facts'>,
): boolean {
  if (one.verdict !== other.verdict) return false;
  const said = [one.facts, other.facts].map(facts =>
    facts === null ? null : [facts.amount, facts.reference, facts.accountDigits, facts.payeeVpa].join(' '),
  );
  return said[0] === said[1];
}
