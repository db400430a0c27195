import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { alertAddresses } from '../mailboxes/alert-addresses.ts';
import { mostMailBytes } from '../mailboxes/limits.ts';
import type { Credit } from '../matching/confirm-payment.ts';
import { because, type Reason, type Verdict } from '../verdicts.ts';
import type { World } from '../world.ts';
import type { Judgement } from './judge-mail.ts';
import { alertMeters } from './meters.ts';
import { type Claimed, endClaim, storeFacts, storeRefusal } from './queries/claims.ts';
import { nextLookAt, nextTryAt } from './retry-schedule.ts';
import { tellGivenUp } from './tell-given-up.ts';

/** A raw mail to a verdict; gates 2 to 4. */
export type Judge = (
  raw: Buffer,
  mail: { merchantId: number; addresses: readonly string[]; arrivedAt: Date; now: Date },
) => Promise<Judgement>;

/** Finds and pays the order, and stores the verdict on the alert, in one transaction; harmless when repeated. */
export type Confirm = (credit: Credit) => Promise<{ outcome: Verdict }>;

export type JudgeWorld = Pick<World, 'sql' | 'clock' | 'log' | 'metrics' | 'banks'>;
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
    const judgement = await judgeRaw(world, judge, alert);
    if (!(await storeFacts(world.sql, alert, claim, judgement))) return;
    if (judgement.unlistedDomain !== null) noteUnlisted(world, alert, judgement);
    if (judgement.verdict !== 'credit') return await refuse(world, alert, claim, judgement);
    const { outcome } = await confirm({
      merchantId: alert.merchant_id,
      alertId: alert.alert_id,
      amount: judgement.facts.amount,
      bank: judgement.bankId,
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

type Refusal = { verdict: Verdict; reason: Reason; keyDoubted?: true | undefined };

async function refuse(world: JudgeWorld, alert: Claimed, claim: string, refusal: Refusal): Promise<void> {
  const now = world.clock.now();
  const isRetrying = refusal.verdict === 'retrying';
  const isDoubted = refusal.keyDoubted === true;
  const doubtedAt = alert.doubted_at ?? (isDoubted ? now : null);
  const nextAt = isDoubted
    ? nextLookAt(doubtedAt ?? now, now)
    : nextTryAt(alert.arrived_at, alert.tries, now);
  const again = isRetrying ? nextAt : null;
  const givenUp = isRetrying && again === null;
  const { verdict, reason }: Refusal = givenUp
    ? { verdict: isDoubted ? 'forged' : 'unreadable', reason: because('given_up', { cause: refusal.reason }) }
    : refusal;
  const dropRaw = verdict === 'forged' && (alert.raw?.length ?? 0) > keptForgeryBytes;
  await world.sql.begin(async tx => {
    const stored = await storeRefusal(tx, alert, claim, {
      verdict,
      reason,
      judgedAt: now,
      nextTryAt: again,
      doubtedAt,
      dropRaw,
    });
    if (stored && givenUp) await tellGivenUp(tx, alert, { verdict, reason: refusal.reason, now });
  });
  const meters = alertMeters(world.metrics);
  if (isDoubted && alert.doubted_at === null) meters.doubted.inc();
  if (again === null) meters.judged.inc({ verdict });
}

/** A bank that moves its domain looks like this before its entry is updated. */
function noteUnlisted(world: JudgeWorld, alert: Claimed, { bankId, unlistedDomain }: Judgement): void {
  alertMeters(world.metrics).unlisted.inc();
  world.log.warn(
    { merchantId: alert.merchant_id, bankId, unlistedDomain },
    'a bank signs with an unlisted domain',
  );
}
