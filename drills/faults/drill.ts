import { setTimeout as sleep } from 'node:timers/promises';
import { later, minute, second } from '../../src/base/clock.ts';
import { recordPatiently } from '../../src/base/database/record-patiently.ts';
import { type Paise, paise } from '../../src/base/money.ts';
import { createOrder } from '../../src/orders/create-order.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Bank, openBank } from './bank.ts';
import { findViolations } from './check.ts';
import { type Checkout, openCheckout } from './checkout.ts';
import { type Dice, newDice } from './dice.ts';
import { type Fault, type Faults, machineFaults, openFaults, roundsOfFaults } from './faults.ts';
import { type Owner, openOwner } from './owner.ts';
import { type SceneRow, sayRow, sceneRow } from './scene-row.ts';
import { scenes } from './scenes.ts';
import { settle } from './settle.ts';
import { type Merchant, openStage, type Stage } from './stage.ts';

export type DrillOptions = {
  seed: number;
  /** How long faults strike, in milliseconds, and how often each kind, whichever is over first. */
  time: number;
  rounds: number;
  /** The plan of machines has a list of faults of its own, and ends with it. */
  plan: 'faults' | 'machines' | 'scenes';
  /** Runs only the scenes whose name contains this word. */
  only?: string;
  /** How many mails lie in the mailbox of the scene that renumbers one. */
  mails?: number;
  faultEvery: number;
  longestFault: number;
  createsPerSecond: number;
  /** Reports progress; the drill can be stopped early. */
  say: (line: string) => void;
  signal?: AbortSignal;
};

export type DrillResult = {
  seconds: number;
  faults: Faults;
  /** One row per scene: what became of its payments. */
  rows: SceneRow[];
  checkout: Checkout;
  bank: Bank;
  shop: Pick<Stage['shop'], 'requests' | 'notified' | 'unverified'>;
  processes: Pick<Stage['processes'], 'refusedStarts' | 'startTimes'>;
  /** Left for whoever looks into a violation. */
  logs: string;
  violations: string[];
};

/** Load and faults together, then quiet, then the reckoning. */
export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const { seed, say } = options;
  const stage = await openStage();
  try {
    const late = await oldOrders(stage);
    await untilAllReady(stage);
    say(`${stage.processes.all.length} processes are ready, logs in ${stage.folder}`);
    const began = Date.now();
    const checkout = openCheckout(stage, newDice(seed, 'till'));
    const bank = openBank(stage, newDice(seed, 'bank'));
    const faults = openFaults(began);
    const people = { checkout, bank, owner: openOwner(stage) };
    const rows: SceneRow[] = [];
    if (options.plan === 'scenes') await playScenes(stage, people, faults, rows, options);
    else {
      const load = startLoad(people, late, options);
      try {
        await strikeAll(stage, faults, options);
      } finally {
        await faults.end();
        await load.stop();
      }
    }
    options.signal?.throwIfAborted();
    say(`${faults.log.length} faults are over, settling`);
    await bank.flush();
    const open = await settle(stage, bank);
    await Promise.all(stage.processes.all.map(one => one.stop()));
    const violations = await findViolations(stage, checkout, bank);
    if (open) violations.push(`did not settle: ${open}`);
    for (const kind of faults.byKind.keys())
      if (!faults.struck.has(kind) && (options.plan === 'scenes' || faults.byKind.get(kind)! > 2))
        violations.push(`vacuous: ${kind} never struck`);
    stage.keepsLogs = violations.length > 0;
    return {
      seconds: (Date.now() - began) / second,
      faults,
      rows,
      checkout,
      bank,
      shop: stage.shop,
      processes: stage.processes,
      logs: stage.folder,
      violations,
    };
  } finally {
    await stage.stop();
  }
}

async function strikeAll(stage: Stage, faults: Faults, options: DrillOptions): Promise<void> {
  const { seed, plan, time, rounds, faultEvery, longestFault, signal, say } = options;
  const dice = newDice(seed, 'faults');
  const list: Iterable<Fault> =
    plan === 'machines' ? machineFaults(stage) : roundsOfFaults(stage, dice, longestFault, rounds);
  const end = Date.now() + time;
  for (const fault of list) {
    await sleep(faultEvery * dice.between(0.8, 1.2), undefined, { ...(signal && { signal }) }).catch(
      () => {},
    );
    // On many machines one of them fails at a time.
    if (plan === 'machines') await untilAllReady(stage);
    if (signal?.aborted || (plan === 'faults' && Date.now() > end)) return;
    void faults.strike(fault);
    say(faults.log.at(-1)!);
  }
  await sleep(faultEvery);
}

async function untilAllReady({ processes }: Stage): Promise<void> {
  const late = () => processes.all.filter(one => !one.isReady());
  await waitFor('all processes ready', () => late().length === 0, 5 * minute).catch(error => {
    throw new Error(`${error.message}: ${late().map(one => `${one.name} said ${one.said().slice(-1500)}`)}`);
  });
}

const afterFault = 10 * second;

/** Each scene has its own customers. It ends when the last of them is notified, or after a time limit. */
async function playScenes(
  stage: Stage,
  people: People,
  faults: Faults,
  rows: SceneRow[],
  options: DrillOptions,
): Promise<void> {
  const dice = newDice(options.seed, 'faults');
  for (const fault of scenes(stage, people.bank, dice, options.mails ?? 10_000)) {
    if (options.signal?.aborted || !fault.kind.includes(options.only ?? '')) continue;
    await untilAllReady(stage);
    const since = Date.now();
    const load = startLoad(people, [], options);
    // The fault meets a shop in which customers pay, and those who come behind it.
    const notified = stage.shop.notified.size;
    await waitFor('somebody pays', () => stage.shop.notified.size > notified + 2, 3 * minute).catch(() => {});
    options.say(`${fault.kind} …`);
    await faults.strike(fault);
    await sleep(afterFault);
    await load.stop();
    rows.push(await sceneRow(stage, people, fault.kind, since, faults.struck.has(fault.kind)));
    options.say(sayRow(rows.at(-1)!));
  }
}

type People = { checkout: Checkout; bank: Bank; owner: Owner };
type OldOrder = { merchant: Merchant; payable: Paise };

/** Customers come one by one; most of them pay, some of them cheat. */
function startLoad({ checkout, bank, owner }: People, late: OldOrder[], options: DrillOptions) {
  const dice: Dice = newDice(options.seed, 'load');
  const over = new AbortController();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  bank.open();
  const begin = (work: Promise<void>) => {
    const guarded = work.catch(error => void failures.push(error)).finally(() => underWay.delete(guarded));
    underWay.add(guarded);
  };
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {});
  const customer = async () => {
    const order = await checkout.create();
    if (!order) return;
    if (dice.isLucky(0.2)) await checkout.replay(order);
    if (dice.isLucky(0.15)) await bank.attack(order);
    await pause(dice.between(0.5, 15) * second);
    if (dice.isLucky(0.7)) begin(bank.pay(order));
    else if (dice.isLucky(0.5)) begin(bank.nearMiss(order).then(alertId => owner.accept(order, alertId)));
    if (dice.isLucky(0.3)) await checkout.look(dice.pick(checkout.orders));
  };
  const loop = (async () => {
    while (!over.signal.aborted) {
      begin(customer());
      if (dice.isLucky(0.02)) {
        const order = late.shift();
        if (order) begin(bank.payTooLate(order));
      }
      await pause((dice.between(0.3, 1.7) * second) / options.createsPerSecond);
    }
  })();
  return {
    async stop() {
      over.abort();
      await loop;
      // Customers in the shop still pay; the flush delivers the mails that were delayed.
      await bank.flush();
      while (underWay.size > 0) await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Orders from before the drill, whose time is over for good. */
async function oldOrders({ world, merchants }: Stage): Promise<OldOrder[]> {
  const clock = { now: () => later(new Date(), -17 * minute) };
  const orders: OldOrder[] = [];
  for (let count = 0; count < 10; count++) {
    for (const merchant of merchants) {
      const create = () =>
        createOrder(
          world.sql,
          { ...world, clock },
          { merchantId: merchant.merchantId, signedIn: true },
          {
            amount: paise(3_000_00),
            merchantOrderId: `old-${count}`,
            successUrl: 'https://shop.example.com/thanks',
            failureUrl: 'https://shop.example.com/sorry',
            webhookUrl: merchant.webhookUrl,
            customer: null,
            account: null,
          },
        );
      // On a busy disk a create can reach its deadline. It is safe to repeat, as a shop would.
      const { order } = await recordPatiently(world, create);
      orders.push({ merchant, payable: order.payable_paise });
    }
  }
  return orders;
}
