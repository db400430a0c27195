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
import { selectQuietBanks } from './queries/quiet-banks.ts';
import { remembered } from './remembered-keys.ts';

export type JudgingPace = { poll: number; renew: number; measure: number };

const usualPace: JudgingPace = { poll: 1 * second, renew: 2 * second, measure: 15 * second };

export type StartedJudging = { workerSlots: WorkerSlots; stop(): Promise<void> };

/** Part of the `mail` role: judges stored mails as they arrive, and again when a retry is due. */
export function startJudging(
  world: JudgeWorld,
  tools: JudgeTools & { pace?: Partial<JudgingPace> },
): StartedJudging {
  const { sql, clock, log } = world;
  const pace = { ...usualPace, ...tools.pace };
  const metrics = alertMetrics(world.metrics);
  // Each series must exist before its first failure, or Prometheus does not see that increase.
  for (const kind of ['temporary', 'not_found']) metrics.dnsFailures.inc({ kind }, 0);
  for (const { id: bank } of world.banks.current())
    for (const verdict of brokenVerdicts) metrics.judged.inc({ bank, verdict }, 0);
  const claim = randomBase62(16);
  const lease = () => newLease(clock.now(), leaseFor, claim);
  const workerSlots = openWorkerSlots({
    lease,
    judge: alert =>
      judgeAlert(world, tools, alert).catch(error =>
        log.error({ err: error, alertId: alert.alert_id }, 'an alert was not judged; its claim runs out'),
      ),
    onFree: () => judging.ring(),
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
    const quiet = await selectQuietBanks(sql, now);
    metrics.quietBanks.reset();
    for (const { bank, mails } of quiet) metrics.quietBanks.set({ bank }, mails);
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

/** The number of alerts judged at once; they wait for DNS most of the time. */
const mostSlots = 16;
/** One merchant never gets all slots, so that another's alert finds a free one at once. */
const slotsOfOne = 12;

/** Worker slots for judging. The process that stores a mail asks here for one. */
export type WorkerSlots = {
  /** Null if the slots or this merchant's share are used up, or other mails wait; then the mail waits too. */
  offer(merchantId: number): WorkerSlot | null;
};

export type WorkerSlot = {
  lease: RowLease;
  /** Call it after the alert is stored. */
  judge(alert: Claimed): void;
  /** Frees the slot, unless an alert is being judged in it. */
  leave(): void;
};

type Tools = {
  lease: () => RowLease;
  judge: (alert: Claimed) => Promise<void>;
  /** Called when a slot becomes free and an alert may wait for it. */
  onFree: () => void;
};

type Held = { merchantId: number; alert: Claimed | null; over: Promise<void> };

/** Stands for all merchants among the waiting ones. */
const everybody = 0;

function openWorkerSlots({ lease, judge, onFree }: Tools) {
  const held = new Set<Held>();
  /**
   * Merchants whose alerts may wait in the database. Their new mails must not go first, or a flood would delay the
   * waiting ones for ever.
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
      resolve();
      if (waiting.size + refused.size > 0) onFree();
    };
    held.add(mine);
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
     * Claims waiting alerts for the slots in which nothing is judged yet. A slot whose mail is still being stored does
     * not count, because the database may be slow. So for a moment there can be more alerts than slots. Returns
     * whether to look again at once.
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

    /** Gives out no more slots, and resolves when all alerts are done. */
    async close(): Promise<void> {
      isOpen = false;
      await Promise.all([...held].map(({ over }) => over));
    },
  };
}
