import { later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { newLease, type RowLease } from '../../base/database/row-lease.ts';
import { randomBase62 } from '../../base/random.ts';
import { brokenVerdicts } from '../../texts/verdicts.ts';
import { alertChannel } from '../queries.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { leaseFor } from './judge-stored-mails.ts';
import { alertMetrics } from './metrics.ts';
import { type Claimed, claimAlerts, countWaiting, perLane, renewClaims } from './queries/claims.ts';
import { countOpenLines } from './queries/held-lines.ts';
import { countWithdrawn } from './queries/keys.ts';
import { remembered } from './remembered-keys.ts';

export type JudgingPace = { poll: number; renew: number; measure: number };

const usualPace: JudgingPace = { poll: 1 * second, renew: 2 * second, measure: 15 * second };

export type StartedJudging = { workerSlots: WorkerSlots; stop(): Promise<void> };

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
  const workerSlots = openWorkerSlots({
    lease,
    judge: alert =>
      judgeAlert(world, tools, alert).catch(error =>
        log.error({ err: error, alertId: alert.alert_id }, 'an alert stays claimed until its time is over'),
      ),
    onFree: () => judging.ring(),
    onChange: inHand => metrics.inHand.set(inHand),
  });

  async function fill(): Promise<number> {
    const mayBeMore = await workerSlots.fill(share => claimAlerts(sql, lease(), share));
    return mayBeMore ? 0 : pace.poll;
  }

  async function renew(): Promise<void> {
    const inHand = workerSlots.inHand();
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
    { what: 'claiming alerts', pause: pace.poll, channel: alertChannel },
    fill,
  );
  const beside = [
    keepWorking(world, { what: 'renewing claims', pause: pace.renew }, renew),
    keepWorking(world, { what: 'counting alerts', pause: pace.measure }, measure),
  ];
  return {
    workerSlots,
    async stop() {
      await judging.stop();
      await workerSlots.close();
      await Promise.all(beside.map(worker => worker.stop()));
    },
  };
}

/** Alerts in hand at once: most of their time goes by waiting for DNS. */
const mostSlots = 16;
/** One merchant never has all of them: another's alert finds a free slot at once. */
const slotsOfOne = 12;

/** Worker slots for judging. The process that stores a mail asks here for one. */
export type WorkerSlots = {
  /** Null: full, this merchant has its share, or others wait already: the mail then waits like every other. */
  offer(merchantId: number): WorkerSlot | null;
};

export type WorkerSlot = {
  lease: RowLease;
  /** Once the alert is stored. */
  judge(alert: Claimed): void;
  /** Unless there is something to judge, nothing came of it. */
  leave(): void;
};

type Tools = {
  lease: () => RowLease;
  judge: (alert: Claimed) => Promise<void>;
  /** A slot became free, and somebody may be waiting for it. */
  onFree: () => void;
  onChange: (inHand: number) => void;
};

type Held = { merchantId: number; alert: Claimed | null; over: Promise<void> };

/** Among the merchants that wait: everybody. */
const everybody = 0;

function openWorkerSlots({ lease, judge, onFree, onChange }: Tools) {
  const held = new Set<Held>();
  /**
   * Merchants of whom something may wait in the database, by the last look and since. Nothing new of theirs goes before
   * it: a flood would for ever.
   */
  let waiting = new Set([everybody]);
  let refused = new Set<number>();
  let isOpen = true;
  const waits = (merchantId: number) => waiting.has(merchantId) || refused.has(merchantId);

  function busyMerchants(some: Iterable<Held> = held): number[] {
    const counts = new Map<number, number>();
    for (const { merchantId } of some) counts.set(merchantId, (counts.get(merchantId) ?? 0) + 1);
    const share = Math.max(2, Math.floor(slotsOfOne / Math.max(1, counts.size)));
    return [...counts].filter(([, count]) => count >= share).map(([merchantId]) => merchantId);
  }

  function sit(merchantId: number): WorkerSlot {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const mine: Held = { merchantId, alert: null, over };
    const free = () => {
      held.delete(mine);
      onChange(held.size);
      resolve();
      if (waiting.size + refused.size > 0) onFree();
    };
    held.add(mine);
    onChange(held.size);
    return {
      lease: lease(),
      judge(alert) {
        mine.alert = alert;
        void judge(alert).finally(free);
      },
      leave() {
        if (mine.alert === null) free();
      },
    };
  }

  return {
    offer(merchantId: number): WorkerSlot | null {
      const isFull = held.size >= mostSlots;
      const mayNot = isFull || waits(everybody) || waits(merchantId) || busyMerchants().includes(merchantId);
      if (isOpen && !mayNot) return sit(merchantId);
      refused.add(isFull ? everybody : merchantId);
      return null;
    },

    /**
     * Claims of those that wait, for the slots on which nobody judges yet: whoever still stores may hang on the database,
     * and keeps nobody waiting. So for a moment there are more in hand than slots. Answers whether it is worth another
     * look at once.
     */
    async fill(claim: (share: { most: number; busy: number[] }) => Promise<Claimed[]>): Promise<boolean> {
      const judging = [...held].filter(({ alert }) => alert !== null);
      const most = mostSlots - judging.length;
      if (most <= 0) {
        refused.add(everybody);
        return false;
      }
      const busy = busyMerchants(judging);
      waiting = new Set([...waiting, ...refused]);
      refused = new Set();
      const alerts = await claim({ most, busy });
      const of = Map.groupBy(alerts, alert => alert.merchant_id);
      const more = [...of].filter(([, some]) => some.length >= perLane).map(([merchantId]) => merchantId);
      waiting = new Set([...busy, ...more, ...(alerts.length >= most ? [everybody] : [])]);
      for (const alert of alerts) sit(alert.merchant_id).judge(alert);
      return alerts.length > 0 && waiting.size > 0;
    },

    inHand: () => [...held].flatMap(({ alert }) => alert ?? []),

    /** No slot is given any more; comes back when all are done. */
    async close(): Promise<void> {
      isOpen = false;
      await Promise.all([...held].map(({ over }) => over));
    },
  };
}
