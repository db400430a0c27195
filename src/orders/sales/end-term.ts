import type { Transaction } from '../../base/database/connect.ts';
import { lockBusiness } from '../../business/merchants/queries.ts';
import { keepTermsOf } from './keep-terms.ts';
import { cutTerm, moveTerm, selectTerms, type Term } from './queries.ts';

/**
 * The operator gave money back: its term ends at a moment of their choice, without days of grace, and those behind it
 * come that much sooner. Null: there is no such term, or it does not reach that far.
 */
export async function endTerm(
  tx: Transaction,
  { merchantId, orderId, endsAt, now }: { merchantId: number; orderId: string; endsAt: Date; now: Date },
): Promise<Term | null> {
  await lockBusiness(tx, merchantId);
  const terms = await selectTerms(tx, merchantId);
  const at = terms.findIndex(term => term.order_id === orderId);
  const term = terms[at];
  if (!term || endsAt > term.ends_at || term.ends_at <= now) return null;
  const end = new Date(
    Math.max(endsAt.getTime(), term.starts_at.getTime(), term.begun_at ? now.getTime() : 0),
  );
  await cutTerm(tx, merchantId, orderId, end);
  for (const next of terms.slice(at + 1))
    await moveTerm(tx, merchantId, next.order_id, end.getTime() - term.ends_at.getTime());
  await keepTermsOf(tx, merchantId, now);
  return { ...term, ends_at: end };
}
