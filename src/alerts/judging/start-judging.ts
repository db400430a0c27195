import { second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { randomBase62 } from '../../base/random.ts';
import { brokenVerdicts } from '../../texts/verdicts.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { leaseFor } from './judge-stored-mails.ts';
import { alertMetrics } from './metrics.ts';
import { type Claimed, claimAlerts, countWaiting, renewClaims } from './queries/claims.ts';
import { countOpenLines } from './queries/held-lines.ts';
import { alertChannel } from './store-mail.ts';

/** Alerts in hand at once: most of their time goes by waiting for DNS. */
const seats = 16;
/** One merchant never has all of them: another's alert finds a free seat at once. */
const seatsOfOne = 12;

export type JudgingPace = { look: number; renew: number; measure: number };

const usualPace: JudgingPace = { look: 1 * second, renew: 2 * second, measure: 15 * second };

/** Part of the `mail` role: judges stored mails as they arrive, and again when a passing fault is due. */
export function startJudging(
  world: JudgeWorld,
  tools: JudgeTools & { pace?: Partial<JudgingPace> },
): { stop(): Promise<void> } {
  const { sql, clock, log } = world;
  const pace = { ...usualPace, ...tools.pace };
  const metrics = alertMetrics(world.metrics);
  // A series that begins with its first failure hides it: Prometheus sees increases only from what was there before.
  for (const kind of ['temporary', 'not_found']) metrics.dnsFailures.inc({ kind }, 0);
  for (const { id: bank } of world.banks.current())
    for (const verdict of brokenVerdicts) metrics.judged.inc({ bank, verdict }, 0);
  const claim = randomBase62(16);
  const lease = () => newLease(clock.now(), leaseFor, claim);
  const inHand = new Map<Claimed, Promise<void>>();

  function busyMerchants(): number[] {
    const counts = new Map<number, number>();
    for (const { merchant_id } of inHand.keys()) counts.set(merchant_id, (counts.get(merchant_id) ?? 0) + 1);
    const share = Math.max(2, Math.floor(seatsOfOne / Math.max(1, counts.size)));
    return [...counts].filter(([, count]) => count >= share).map(([merchantId]) => merchantId);
  }

  /** A seat that becomes free rings: there may be more of those whose share was taken. */
  async function fill(): Promise<number> {
    const most = seats - inHand.size;
    if (most === 0) return pace.look;
    const alerts = await claimAlerts(sql, lease(), { most, busy: busyMerchants() });
    for (const alert of alerts) take(alert);
    return alerts.length > 0 ? 0 : pace.look;
  }

  function take(alert: Claimed): void {
    const work = judgeAlert(world, tools, alert)
      .catch(error =>
        log.error({ err: error, alertId: alert.alert_id }, 'an alert stays claimed until its time is over'),
      )
      .finally(() => {
        inHand.delete(alert);
        metrics.inHand.set(inHand.size);
        judging.ring();
      });
    inHand.set(alert, work);
    metrics.inHand.set(inHand.size);
  }

  async function renew(): Promise<void> {
    if (inHand.size > 0) await renewClaims(sql, lease(), [...inHand.keys()]);
  }

  async function measure(): Promise<void> {
    const now = clock.now();
    const { waiting, oldest, retrying } = await countWaiting(sql, now);
    metrics.waiting.set(waiting);
    metrics.retrying.set(retrying);
    metrics.unlistedLines.set(await countOpenLines(sql));
    metrics.oldest.set(oldest ? (now.getTime() - oldest.getTime()) / second : 0);
  }

  const judging = keepWorking(
    world,
    { what: 'claiming alerts', pause: pace.look, channel: alertChannel },
    fill,
  );
  const beside = [
    keepWorking(world, { what: 'renewing claims', pause: pace.renew }, renew),
    keepWorking(world, { what: 'counting alerts', pause: pace.measure }, measure),
  ];
  return {
    async stop() {
      await judging.stop();
      await Promise.all(inHand.values());
      await Promise.all(beside.map(worker => worker.stop()));
    },
  };
}
