import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { alertAddresses } from '../mailboxes/alert-addresses.ts';
import { mostMailBytes } from '../mailboxes/limits.ts';
import type { Credit } from '../matching/confirm-payment.ts';
import { paise } from '../money.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import { because, type Reason, type Verdict } from '../verdicts.ts';
import type { World } from '../world.ts';
import type { Judgement } from './judge-mail.ts';
import { alertMeters } from './meters.ts';
import { type Claimed, endClaim, storeFacts, storeRefusal } from './queries/claims.ts';
import { nextTryAt } from './retry-schedule.ts';

/** A raw mail to a verdict; gates 2 to 4. */
export type Judge = (
  raw: Buffer,
  mail: { merchantId: number; addresses: readonly string[]; arrivedAt: Date; now: Date },
) => Promise<Judgement>;

/** Finds and pays the order, and stores the verdict on the alert, in one transaction; harmless when repeated. */
export type Confirm = (credit: Credit) => Promise<{ outcome: Verdict }>;

export type JudgeWorld = Pick<World, 'sql' | 'clock' | 'log' | 'metrics'>;
export type JudgeTools = { judge: Judge; confirm: Confirm };

/** A forgery is kept as evidence while it is small; a flood of large ones must not fill the disk. */
const keptForgeryBytes = 128 * 1024;

/**
 * One alert in hand, from its bytes to a stored verdict. The facts are stored before matching is asked: a paid order
 * points to an alert that already says what it says (R1). Dies at any line without harm: the claim runs out, and the
 * next judge reaches the same verdict.
 */
export async function judgeAlert(
  world: JudgeWorld,
  { judge, confirm }: JudgeTools,
  alert: Claimed,
  claim: string,
): Promise<void> {
  const meters = alertMeters(world.metrics);
  try {
    // Looked for an order in vain before: what the mail says is known and will not change.
    const known = alert.verdict === 'no_order' ? creditOf(alert) : null;
    if (known) {
      const { outcome } = await confirm(known);
      await endClaim(world.sql, alert, claim);
      if (outcome !== 'no_order') meters.judged.inc({ verdict: outcome });
      return;
    }
    const judgement = await judgeRaw(world, judge, alert);
    if (!(await storeFacts(world.sql, alert, claim, judgement))) return;
    if (judgement.unlistedDomain !== null) noteUnlisted(world, alert, judgement);
    if (judgement.verdict !== 'credit') return await refuse(world, alert, claim, judgement);
    const { outcome } = await confirm({
      merchantId: alert.merchant_id,
      alertId: alert.alert_id,
      amount: judgement.facts.amount,
      alertTime: judgement.alertTime,
      signatureIds: [judgement.signatureId, ...judgement.otherSignatureIds],
      reference: judgement.facts.reference,
      accountDigits: judgement.facts.accountDigits,
      payeeVpa: judgement.facts.payeeVpa,
    });
    await endClaim(world.sql, alert, claim);
    meters.judged.inc({ verdict: outcome });
  } catch (error) {
    world.log.error({ err: error, merchantId: alert.merchant_id, alertId: alert.alert_id }, 'judging failed');
    await refuse(world, alert, claim, {
      verdict: 'retrying',
      reason: because('our_fault'),
    });
  }
}

async function judgeRaw(world: JudgeWorld, judge: Judge, alert: Claimed): Promise<Judgement> {
  if (alert.raw === null) throw new Error('the raw mail is gone');
  const raw = await promisify(inflate)(alert.raw, { maxOutputLength: mostMailBytes });
  const { merchant_id: merchantId, arrived_at: arrivedAt } = alert;
  const addresses = await alertAddresses(world.sql, merchantId);
  return await judge(raw, { merchantId, addresses, arrivedAt, now: world.clock.now() });
}

type Refusal = { verdict: Verdict; reason: Reason };

async function refuse(world: JudgeWorld, alert: Claimed, claim: string, refusal: Refusal): Promise<void> {
  const now = world.clock.now();
  const again = refusal.verdict === 'retrying' ? nextTryAt(alert.arrived_at, alert.tries, now) : null;
  const givenUp = refusal.verdict === 'retrying' && again === null;
  const { verdict, reason }: Refusal = givenUp
    ? { verdict: 'unreadable', reason: because('given_up', { cause: refusal.reason }) }
    : refusal;
  const dropRaw = verdict === 'forged' && (alert.raw?.length ?? 0) > keptForgeryBytes;
  await world.sql.begin(async tx => {
    const stored = await storeRefusal(tx, alert, claim, {
      verdict,
      reason,
      judgedAt: now,
      nextTryAt: again,
      dropRaw,
    });
    if (!stored || !givenUp) return;
    await notifyOwner(tx, {
      merchantId: alert.merchant_id,
      kind: 'alert_unreadable',
      facts: { arrived: alert.arrived_at, cause: refusal.reason },
      dedupeKey: `alert_unreadable:${alert.alert_id}`,
      now,
    });
  });
  if (again === null) alertMeters(world.metrics).judged.inc({ verdict });
}

/** A bank that moves its domain looks like this before its entry is updated. */
function noteUnlisted(world: JudgeWorld, alert: Claimed, { bankId, unlistedDomain }: Judgement): void {
  alertMeters(world.metrics).unlisted.inc();
  world.log.warn(
    { merchantId: alert.merchant_id, bankId, unlistedDomain },
    'a bank signs with an unlisted domain',
  );
}

function creditOf(alert: Claimed): Credit | null {
  if (alert.amount_paise === null || alert.alert_time === null || alert.signature_id === null) return null;
  return {
    merchantId: alert.merchant_id,
    alertId: alert.alert_id,
    amount: paise(alert.amount_paise),
    alertTime: alert.alert_time,
    signatureIds: [alert.signature_id, ...alert.other_signature_ids],
    reference: alert.bank_reference,
    accountDigits: alert.account_digits,
    payeeVpa: alert.payee_vpa,
  };
}
