import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { hour, later, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import type { World } from '../../base/world.ts';
import type { AlertFacts, Credit } from '../../payments/matching/credit.ts';
import { because, type Reason, type Verdict } from '../../texts/verdicts.ts';
import { alertAddresses, selectReaders } from '../addresses/queries/addresses.ts';
import { hasNewerEntry } from '../book/queries.ts';
import { mostMailBytes } from '../mail/limits.ts';
import type { BankFigures } from './bank-figures.ts';
import { isKept, quotaOf } from './bound-strangers-mails.ts';
import type { Judgement } from './judge-mail.ts';
import { alertMetrics } from './metrics.ts';
import { notifyChanged, notifyGivenUp, notifyHeld } from './notify-of-alerts.ts';
import { type Claimed, storeRefusal, uncountTry } from './queries/claims.ts';
import { type HeldMail, noteHeldLine } from './queries/held-lines.ts';
import { wayOf } from './queries/ways.ts';

/** Judges a raw mail with gates 2 to 4. */
export type Judge = (
  raw: Buffer,
  mail: { merchantId: number; addresses: readonly string[]; arrivedAt: Date; now: Date },
) => Promise<Judgement>;

/** Finds and pays the order, and stores the alert's verdict, in one transaction; harmless when repeated. */
type Confirm = (credit: Credit) => Promise<{ outcome: Verdict }>;

export type JudgeWorld = Pick<World, 'sql' | 'clock' | 'log' | 'metrics' | 'banks' | 'cells' | 'cell'>;
export type JudgeTools = { judge: Judge; confirm: Confirm; figures?: BankFigures };

/** A process learns of a saved bank entry within seconds. */
const untilBanksAreKnown = 1 * second;

/**
 * Judges one claimed alert and stores its verdict in one write, which ends the claim. A crash at any line does no
 * harm: the claim runs out, and the next judge reaches the same verdict.
 */
export async function judgeAlert(
  world: JudgeWorld,
  { judge, confirm, figures }: JudgeTools,
  alert: Claimed,
): Promise<void> {
  const metrics = alertMetrics(world.metrics);
  const newestEntry = world.banks.newest();
  const refuse = (refusal: Refusal) => storeVerdict(world, alert, newestEntry, refusal);
  let isCredit = false;
  try {
    const judgement = await judgeRaw(world, judge, alert);
    isCredit = judgement.verdict === 'credit';
    if (judgement.unlistedDomain !== null) noteUnlisted(world, alert, judgement);
    if (judgement.recipient !== null) figures?.noteProven(alert);
    if (judgement.verdict !== 'credit') {
      const verdict = await refuse({ ...judgement, facts: factsOf(judgement) });
      if (verdict !== alert.verdict) figures?.note(judgement, verdict);
      return;
    }
    const { outcome } = await confirm({
      ...factsOf(judgement),
      merchantId: alert.merchant_id,
      alertId: alert.alert_id,
      bank: judgement.bankId,
      twoCells: await isInOtherCell(world, judgement.otherRecipients),
      trust: judgement.facts.trust,
      amount: judgement.facts.amount,
      alertTime: judgement.alertTime,
    });
    metrics.judged.inc({ bank: judgement.bankId, verdict: outcome });
    figures?.note(judgement, outcome);
  } catch (error) {
    const about = { err: error, merchantId: alert.merchant_id, alertId: alert.alert_id };
    // Our database or another cell's is down, or a business is being moved. No verdict is stored and no try counts.
    // The mail is judged again in seconds, at the latest when the claim runs out.
    if (isPassing(error)) {
      if (alert.tries <= 1) world.log.warn(about, 'a mail waits until the database is available');
      await uncountTry(world.sql, alert, later(world.clock.now(), pauses[0]!)).catch(() => {});
      return;
    }
    world.log.error(about, 'a mail could not be judged because of an error; it is judged again');
    await refuse({ verdict: 'retrying', reason: because('our_fault'), facts: null, isCredit });
  }
}

/** The database rolls back transactions with class 40, such as a deadlock. */
function isPassing(error: unknown): boolean {
  return isDatabaseDown(error) || /^(?:ML503|40...)$/.test(String((error as { code?: string })?.code));
}

async function notifyChangedAlert(
  tx: Transaction,
  alert: Claimed,
  { facts: { bank, change } }: Reason & { code: 'changed_on_way' },
  now: Date,
): Promise<void> {
  const what = because('changed_alert', { bank });
  await notifyChanged(tx, alert.merchant_id, { way: wayOf(alert), what, change: change as Reason, now });
}

async function judgeRaw(world: JudgeWorld, judge: Judge, alert: Claimed): Promise<Judgement> {
  const { merchant_id: merchantId, arrived_at: arrivedAt, whole } = alert;
  const { addresses: ofArrival } = alert;
  if (whole) {
    const judged = await judge(whole, {
      merchantId,
      addresses: ofArrival,
      arrivedAt,
      now: world.clock.now(),
    });
    if (judged.verdict !== 'wrong_recipient') return judged;
  }
  if (alert.raw === null) throw new Error('the raw mail of this alert was deleted');
  const raw = whole ?? (await promisify(inflate)(alert.raw, { maxOutputLength: mostMailBytes }));
  // Since the mail came, a mailbox may have been disconnected or an address added, even by a mail of the same batch.
  const addresses = [...ofArrival, ...(await alertAddresses(world.sql, merchantId))];
  return await judge(raw, { merchantId, addresses, arrivedAt, now: world.clock.now() });
}

function factsOf({ facts, signatureId, ...known }: Judgement): AlertFacts {
  return {
    bank: known.bankId,
    template: facts?.template ?? null,
    amount: facts?.amount ?? null,
    reference: facts?.reference ?? null,
    payer: facts?.payer ?? null,
    accountDigits: facts?.accountDigits ?? null,
    payeeVpa: facts?.payeeVpa ?? null,
    printedAt: facts?.printedAt ?? null,
    alertTime: known.alertTime,
    signatureIds: signatureId === null ? [] : [signatureId, ...known.otherSignatureIds],
    signingDomain: known.signingDomain,
    selector: known.selector,
    recipient: known.recipient,
  };
}

type Refusal = HeldMail & {
  verdict: Verdict;
  reason: Reason;
  facts: AlertFacts | null;
  keyDoubted?: true | undefined;
  opened?: true | undefined;
  /** Its origin is proven, and our own error prevented the payment. */
  isCredit?: boolean;
};

/** Returns the alert's verdict after storing. `newestEntry` belongs to the bank list that was used. */
async function storeVerdict(
  world: JudgeWorld,
  alert: Claimed,
  newestEntry: number,
  refusal: Refusal,
): Promise<Verdict> {
  const now = world.clock.now();
  const isRetrying = refusal.verdict === 'retrying';
  // Attempts before the first verdict do not count: the database was down, or a judge died.
  const tries = isRetrying && alert.verdict === 'unjudged' ? 1 : alert.tries;
  const isDoubted = refusal.keyDoubted === true;
  const doubtedAt = alert.doubted_at ?? (isDoubted ? now : null);
  const nextAt = isDoubted ? nextKeyTryAt(doubtedAt ?? now, now) : nextTryAt(alert.arrived_at, tries, now);
  const again = isRetrying ? nextAt : null;
  const givenUp = isRetrying && again === null;
  const { verdict, reason }: Pick<Refusal, 'verdict' | 'reason'> = givenUp
    ? { verdict: isDoubted ? 'forged' : 'unreadable', reason: because('given_up', { cause: refusal.reason }) }
    : refusal;
  const opened = refusal.opened === true;
  const quota = refusal.isCredit
    ? null
    : quotaOf({ verdict, signingDomain: refusal.facts?.signingDomain ?? null, opened });
  const isUnreadable = verdict === 'unreadable';
  const isLate = await world.sql.begin(async tx => {
    // If an entry was saved since, this verdict is not final, because that entry may read this mail.
    const isLate = isUnreadable && (await hasNewerEntry(tx, newestEntry));
    const isHeld = isUnreadable && !isLate && !givenUp;
    const stored = await storeRefusal(tx, alert, {
      verdict: isLate ? 'unjudged' : verdict,
      reason,
      tries,
      judgedAt: now,
      nextTryAt: isLate ? later(now, untilBanksAreKnown) : again,
      doubtedAt,
      quota: isKept(verdict, quota, alert.raw?.length ?? 0) ? quota : 'none',
      facts: refusal.facts,
      heldLine: isHeld ? await noteHeldLine(tx, refusal, now) : null,
    });
    if (stored && givenUp && !isLate)
      await notifyGivenUp(tx, alert, { verdict, reason: refusal.reason, now });
    if (stored && isHeld) await notifyHeld(tx, alert, refusal, now);
    if (stored && reason.code === 'changed_on_way') await notifyChangedAlert(tx, alert, reason, now);
    return isLate;
  });
  const metrics = alertMetrics(world.metrics);
  if (isDoubted && alert.doubted_at === null) metrics.doubted.inc();
  if (isLate) return 'unjudged';
  if (again === null) metrics.judged.inc({ bank: refusal.bankId ?? '', verdict });
  return verdict;
}

const pauses = [2 * second, 10 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 30 * minute];
const laterPauses = 1 * hour;

/** A key that DNS does not return within a day will not come. */
const keepTrying = 24 * hour;

/** The next try after a passing fault, after `tries` tries; null once a day has passed. */
function nextTryAt(arrivedAt: Date, tries: number, now: Date): Date | null {
  const end = later(arrivedAt, keepTrying);
  const next = later(now, pauses[tries - 1] ?? laterPauses);
  if (next <= end) return next;
  // The last try is at the day's end, not up to a whole pause earlier.
  return now < end ? end : null;
}

/** A wrong key in DNS lasts for seconds, or for a resolver's cache time. Tries are few: forgeries cause them too. */
const keyPauses = [1 * minute, 10 * minute, 1 * hour, 6 * hour, 24 * hour];

/** The next time to ask for a key that did not fit, counted from the first time; null after the last. */
function nextKeyTryAt(doubtedAt: Date, now: Date): Date | null {
  return keyPauses.map(pause => later(doubtedAt, pause)).find(moment => moment > now) ?? null;
}

/** A bank that changes its domain looks like this until its entry is updated. */
function noteUnlisted(world: JudgeWorld, alert: Claimed, { bankId, unlistedDomain }: Judgement): void {
  alertMetrics(world.metrics).unlisted.inc();
  world.log.warn(
    { merchantId: alert.merchant_id, bankId, unlistedDomain },
    'a bank signs with an unlisted domain; check its entry',
  );
}

/**
 * R2 across cells: whether one of these addresses belongs to a business of another cell, which got the same mail and
 * counts it itself. Also true if a cell does not answer or is not known: then a person decides. Nearly every alert has
 * one recipient and needs no query.
 */
async function isInOtherCell(
  { cells, cell }: Pick<World, 'cells' | 'cell'>,
  addresses: readonly string[],
): Promise<boolean> {
  if (!cells || addresses.length === 0) return false;
  // A cell that this process does not know cannot be asked.
  if (cells.unlisted.length > 0) return true;
  const others = cells.worlds.filter(one => one.cell !== cell);
  const asked = await Promise.allSettled(
    others.map(async other => {
      const readers = await withDeadline(selectReaders(other.sql, addresses));
      // A copy that an export left behind reads no mail.
      return readers.some(id => cells.of(id) === other);
    }),
  );
  return asked.some(answer => answer.status === 'rejected' || answer.value);
}
