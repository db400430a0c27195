import { later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { randomBase62 } from '../../base/random.ts';
import { brokenVerdicts } from '../../texts/verdicts.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { leaseFor } from './judge-stored-mails.ts';
import { alertMetrics } from './metrics.ts';
import { type Desk, openDesk } from './open-desk.ts';
import { claimAlerts, countWaiting, renewClaims } from './queries/claims.ts';
import { countOpenLines } from './queries/held-lines.ts';
import { countWithdrawn } from './queries/keys.ts';
import { remembered } from './remembered-keys.ts';
import { alertChannel } from './store-mail.ts';

export type JudgingPace = { look: number; renew: number; measure: number };

const usualPace: JudgingPace = { look: 1 * second, renew: 2 * second, measure: 15 * second };

export type StartedJudging = { desk: Desk; stop(): Promise<void> };

/** Part of the `mail` role: judges stored mails as they arrive, and again when a passing fault is due. */
export function startJudging(
  world: JudgeWorld,
  tools: JudgeTools & { pace?: Partial<JudgingPace> },
): StartedJudging {
  const { sql, clock, log } = world;
  const pace = { ...usualPace, ...tools.pace };
  const metrics = alertMetrics(world.metrics);
  // A series that begins with its first failure hides it: Prometheus sees increases only from what was there before.
  for (const kind of ['temporary', 'not_found']) metrics.dnsFailures.inc({ kind }, 0);
  for (const { id: bank } of world.banks.current())
    for (const verdict of brokenVerdicts) metrics.judged.inc({ bank, verdict }, 0);
  const claim = randomBase62(16);
  const lease = () => newLease(clock.now(), leaseFor, claim);
  const desk = openDesk({
    lease,
    judge: alert =>
      judgeAlert(world, tools, alert).catch(error =>
        log.error({ err: error, alertId: alert.alert_id }, 'an alert stays claimed until its time is over'),
      ),
    onFree: () => judging.ring(),
    onChange: inHand => metrics.inHand.set(inHand),
  });

  async function fill(): Promise<number> {
    const mayBeMore = await desk.fill(share => claimAlerts(sql, lease(), share));
    return mayBeMore ? 0 : pace.look;
  }

  async function renew(): Promise<void> {
    const inHand = desk.inHand();
    if (inHand.length > 0) await renewClaims(sql, lease(), inHand);
  }

  async function measure(): Promise<void> {
    const now = clock.now();
    const { waiting, oldest, retrying } = await countWaiting(sql, now);
    metrics.waiting.set(waiting);
    metrics.retrying.set(retrying);
    metrics.unlistedLines.set(await countOpenLines(sql));
    metrics.withdrawn.set(await countWithdrawn(sql, later(now, -remembered)));
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
    desk,
    async stop() {
      await judging.stop();
      await desk.close();
      await Promise.all(beside.map(worker => worker.stop()));
    },
  };
}
