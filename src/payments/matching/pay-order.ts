import { hour, later } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { insertOversold, selectOtherBuyer, selectStock } from '../../orders/links/queries.ts';
import { type Order, presentOrder } from '../../orders/order.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { rolesFor } from '../../outbox/topics.ts';
import { derivedEventId, eventBody, paidEventType } from '../../outbox/webhooks/record-event.ts';
import { because } from '../../texts/verdicts.ts';
import type { Settled } from './count-credit.ts';
import type { Confirmation, Credit, Payment } from './credit.ts';
import { type AmountHolder, jsonOf, type Recorded, selectHolder, writeCredit } from './queries/payments.ts';

/** `pay_at_once` raises this to roll back what it wrote: the payment is not clean. */
const notClean = 'ML001';

/**
 * Pays a clean payment, as nearly all are, in two round trips. A read without locks finds its order. Then
 * `pay_at_once` locks, checks every row and gate again, and writes everything. It pays nothing if order or account
 * changed since that read. Null: not clean, nothing is written, and `settleByTable` decides.
 */
export async function settleClean(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  credit: Credit,
): Promise<Confirmation | null> {
  const { sql, clock } = world;
  const now = clock.now();
  const holder = await selectHolder(sql, credit, now);
  if (!holder || holder.gate !== null || credit.signatureIds.length === 0) return null;
  if (doubtAboutAccount(credit, holder) !== null) return null;
  const payment = buildPayment(world, credit, holder, now);
  const isPaid = await payClean(sql, payment);
  return isPaid ? { outcome: 'paid', orderId: holder.order_id } : null;
}

type AlertSays = { bank: string; accountDigits: string | null; payeeVpa: string | null };

/** Why an alert cannot be about an account, the nearest miss first. */
export const accountDoubts = ['other_account', 'no_digits', 'no_bank', 'other_bank'] as const;
export type AccountDoubt = (typeof accountDoubts)[number];

/**
 * R13: why an alert cannot be about this account, or null. The bank must be the one that the account names: anybody
 * may open an account at another bank and give the shop's address there. Banks print two to six trailing digits or
 * none. The printed digits must agree with the recorded ones.
 */
export function doubtAboutAccount(alert: AlertSays, account: Recorded): AccountDoubt | null {
  if (account.bank === null) return 'no_bank';
  if (alert.bank !== account.bank) return 'other_bank';
  if (alert.payeeVpa !== null && alert.payeeVpa.toLowerCase() !== account.vpa.toLowerCase())
    return 'other_account';
  if (alert.accountDigits === null) return null;
  if (account.account_digits === null) return 'no_digits';
  const count = Math.min(alert.accountDigits.length, account.account_digits.length);
  return alert.accountDigits.slice(-count) === account.account_digits.slice(-count) ? null : 'other_account';
}

type CleanPayment = ReturnType<typeof buildPayment>;

/** A payment that the first read found clean, with the names that `pay_at_once` uses. */
function buildPayment(world: Pick<World, 'baseUrl'>, credit: Credit, holder: AmountHolder, now: Date) {
  const { code, facts } = because('paid', { order: holder.order_id });
  return {
    ...{ merchantId: credit.merchantId, alert: credit.alertId, credit: writeCredit(credit), moment: now },
    ...{ chosen_order: holder.order_id, chosen_version: holder.version, code, code_facts: facts },
    ...buildNews(world, credit, holder, now),
  };
}

/** False: not clean, and nothing is written. */
async function payClean(on: Queryable, payment: CleanPayment): Promise<boolean> {
  const { merchantId, alert, credit, chosen_order, chosen_version, moment, code, code_facts } = payment;
  const { event, event_body, destination, roles, told_until } = payment;
  try {
    const [row] = await on<{ is_paid: boolean }[]>`
      select pay_at_once(${merchantId}, ${alert}, ${jsonOf(credit)}::jsonb, ${chosen_order}, ${chosen_version}, ${moment},
        ${code}, ${on.json(code_facts)}, ${event}, ${event_body}, ${destination}, ${roles}, ${told_until}) as is_paid`;
    return row!.is_paid;
  } catch (error) {
    if ((error as { code?: string }).code === notClean) return false;
    throw error;
  }
}

const pushUsefulFor = 1 * hour;

/**
 * Pays an order in the caller's transaction by `pay_order`, the only function that does. The caller has checked
 * that the payment is this order's alone (`count-credit.ts`), and has locked alert and order.
 */
export async function payOrder(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  _settled: Settled,
  payment: Payment,
  order: Order,
  now: Date,
): Promise<void> {
  const { merchantId, alertId, amount, reference } = payment;
  const { order_id: orderId } = order;
  const { event, event_body, destination, roles, told_until } = buildNews(world, payment, order, now);
  const [row] = await tx<{ is_piece: boolean }[]>`
    select pay_order(${merchantId}, ${orderId}, ${alertId}, ${amount}, ${reference}, ${now},
      ${event}, ${event_body}, ${destination}, ${roles}, ${told_until}) as is_piece`;
  if (row!.is_piece) await noteOversold(tx, { merchantId, orderId, now });
}

/** The event's bytes (§6), with the order as `GET` returns it, and the roles whose devices are notified. */
function buildNews(
  world: Pick<World, 'baseUrl'>,
  { merchantId, amount, reference }: Payment,
  order: Order,
  now: Date,
) {
  const paid = { status: 'paid', paid_at: now, bank_reference: reference, received_paise: amount } as const;
  const body = eventBody(paidEventType, presentOrder(world, { ...order, ...paid }), now);
  return {
    event: derivedEventId(merchantId, order.order_id, paidEventType),
    event_body: body,
    destination: destinationOf(order.webhook_url),
    roles: [...rolesFor('payment')],
    told_until: later(now, pushUsefulFor),
  };
}

/**
 * A link's order was paid. If more pieces are sold than exist, two customers bought one piece, and the owner is
 * notified of both. The order stays paid, because its money came in time.
 */
async function noteOversold(
  tx: Transaction,
  { merchantId, orderId, now }: { merchantId: number; orderId: string; now: Date },
): Promise<void> {
  // Two payments of one link were counted one after the other, so the second one sees the first.
  const link = await selectStock(tx, merchantId, orderId);
  if (!link || link.paid_pieces <= link.stock) return;
  const { title, stock, link_id: linkId } = link;
  const other = await selectOtherBuyer(tx, { merchantId, linkId, orderId });
  if (other === null) return;
  await insertOversold(tx, {
    merchant_id: merchantId,
    order_id: orderId,
    other_order_id: other,
    title,
    stock,
    noted_at: now,
  });
  await notifyOwner(tx, {
    merchantId,
    kind: 'link_oversold',
    facts: { title, stock, order: orderId, other },
    dedupeKey: `link_oversold ${orderId}`,
    now,
  });
}
