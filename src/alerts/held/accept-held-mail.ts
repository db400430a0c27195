import type { Transaction } from '../../base/database/connect.ts';
import { type Paise, rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { countCredit } from '../../payments/matching/count-credit.ts';
import type { Credit } from '../../payments/matching/credit.ts';
import { learnErasureKey, withErasureHash } from '../../payments/matching/erased-references.ts';
import { keepMerchant, lockCredit } from '../../payments/matching/queries/credits.ts';
import { asksFirst } from '../../payments/matching/queries/twins.ts';
import { type ReviewRefusal, refuse } from '../../payments/matching/review-refusal.ts';
import { acceptCredit } from '../../payments/review/decide-by-hand.ts';
import { markRead } from './queries/held-mails.ts';
import type { HeldReading } from './read-held-mail.ts';

export type Chosen = {
  orderId: string;
  amount: Paise;
  /** Null only if none is offered. */
  reference: string | null;
  note: string;
  /** Other credits that the person saw and declared to be other payments. */
  seen: readonly string[];
};

/**
 * An owner read an unreadable mail, compared it with the bank's app, and accepts it for an order (R16). The figures
 * must be among those offered. The signature and the reference count now, and the order is paid like any accepted
 * credit. Everything happens in one transaction, with both audit entries.
 */
export async function acceptHeldMail(
  tx: Transaction,
  world: Pick<World, 'baseUrl' | 'secrets'>,
  who: Actor,
  { alert, offer, numbers }: HeldReading,
  chosen: Chosen,
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = who;
  const { alert_id: alertId } = alert;
  if (!isOffered(offer, chosen)) return refuse('not_offered');
  await tx`savepoint reading`;
  const refusal = await accept();
  if (refusal) await tx`rollback to savepoint reading`;
  return refusal;

  async function accept(): Promise<ReviewRefusal | null> {
    if (!(await keepMerchant(tx, merchantId))) return refuse('unknown_credit');
    const { orderId, note, seen, amount } = chosen;
    const isAsked = await asksFirst(tx, who, { alertId, seen, offered: { numbers, amounts: [amount] } });
    const locked = await lockCredit(tx, merchantId, alertId, now);
    if (!locked?.is_kept) return refuse('unknown_credit');
    if (locked.verdict !== 'unreadable') return refuse('credit_taken');
    const facts: Credit = {
      merchantId,
      alertId,
      bank: alert.bank,
      template: null,
      trust: 'review_only',
      amount: chosen.amount,
      reference: chosen.reference,
      payer: null,
      accountDigits: offer.accountDigits,
      payeeVpa: offer.payeeVpa,
      alertTime: alert.alert_time,
      signatureIds: [alert.signature_id, ...alert.other_signature_ids],
      signingDomain: alert.signing_domain,
      selector: alert.selector,
      recipient: alert.recipient,
    };
    await learnErasureKey(tx, world);
    if ((await countCredit(tx, withErasureHash(world, facts), now)) !== null) return refuse('counted_before');
    if (isAsked) return refuse('maybe_counted');
    if (!(await markRead(tx, merchantId, alertId, { facts, by, now }))) return refuse('credit_taken');
    const refused = await acceptCredit(tx, world, who, { alertId, orderId, note, seen });
    if (refused) return refused;
    await recordAudit(tx, who, {
      action: 'mail.read',
      subject: alertId,
      details: { order: orderId, amount: rupeesText(chosen.amount) },
      words: { reference: chosen.reference ?? '' },
    });
    return null;
  }
}

function isOffered(offer: HeldReading['offer'], { amount, reference }: Chosen): boolean {
  if (!offer.amounts.includes(amount)) return false;
  return reference === null ? offer.references.length === 0 : offer.references.includes(reference);
}
