import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { addUser } from '../../src/business/accounts/add-user.ts';
import { type Bank, openBank } from '../faults/bank.ts';
import { type Checkout, type KnownOrder, openCheckout } from '../faults/checkout.ts';
import { newDice } from '../faults/dice.ts';
import { openOwner } from '../faults/owner.ts';
import type { Stage } from '../faults/stage.ts';
import { visitDashboard } from './visit-dashboard.ts';
import { type Browsers, openStream, visitPage } from './visit-page.ts';

/** Many customers pay one of these; the others whatever their basket came to. */
const prices = [
  49, 99, 149, 199, 249, 299, 349, 399, 449, 499, 549, 599, 649, 699, 749, 799, 849, 899, 949, 999,
];
const dashboardEvery = 20 * second;
const password = 'an owner of the soak drill';

type Timed = 'create' | 'page' | 'status';
export type Customers = {
  checkout: Checkout;
  bank: Bank;
  browsers: Browsers;
  /** How often each thing was done. */
  counts: Map<string, number>;
  /** Orders whose payment waited for its owner. */
  nearMisses: Set<string>;
  /** Milliseconds of each answer since the last call. */
  takeTimings(): Record<Timed, number[]>;
  /** Everybody who is in the shop still pays, and this resolves when they have. */
  stop(): Promise<void>;
};

type Load = {
  /** Orders a minute. */
  rate: number;
  seed: number;
  /** Streams that are opened and never closed, a minute: what the judgement must find. */
  leaks: number;
};

/** Customers and owners of a common day, one after the other at a steady rate. */
export async function startCustomers(stage: Stage, { rate, seed, leaks }: Load): Promise<Customers> {
  const { world, merchants, processes } = stage;
  const dice = newDice(seed, 'soak');
  const url = processes.of('web')[0]!.url;
  const over = new AbortController();
  const underWay = new Set<Promise<void>>();
  const counts = new Map<string, number>();
  const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
  const nearMisses = new Set<string>();
  let timings = noTimings();
  const browsers: Browsers = {
    url,
    connections: 0,
    notified: 0,
    note: (what, milliseconds) => void timings[what].push(milliseconds),
    fail: oddity => void checkout.oddities.push(oddity),
  };
  const checkout = openCheckout(stage, newDice(seed, 'till'), () =>
    dice.isLucky(0.3) ? dice.pick(prices) : dice.whole(50, 9_950),
  );
  const bank = openBank(stage, newDice(seed, 'bank'));
  bank.open();
  const owner = openOwner(stage);
  for (const { merchantId, name } of merchants)
    await addUser(world.sql, world, merchantId, { email: `${name}@owners.example`, password, role: 'owner' });

  const begin = (what: string, work: () => Promise<unknown>) => {
    const guarded: Promise<void> = work()
      .then(() => {})
      .catch(error => void checkout.oddities.push(`${what}: ${(error as Error).message}`))
      .finally(() => underWay.delete(guarded));
    underWay.add(guarded);
  };
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {});
  const address = () => `127.${dice.whole(1, 250)}.${dice.whole(0, 250)}.${dice.whole(1, 250)}`;

  const customer = async () => {
    const began = performance.now();
    const order = await checkout.create();
    if (!order) return;
    timings.create.push(performance.now() - began);
    if (dice.isLucky(0.05)) await checkout.replay(order);
    const closes = new AbortController();
    const page = dice.isLucky(0.7);
    if (page) {
      const follows = dice.isLucky(0.5);
      count('pages');
      if (follows) count('streams');
      const closed = AbortSignal.any([closes.signal, over.signal]);
      begin('page', () => visitPage(browsers, { path: order.payPath, address: address(), follows, closed }));
    }
    await behave(order, closes);
    // A shop's own server looks too, where nobody has the page open.
    if (!page || dice.isLucky(0.1)) await checkout.look(dice.pick(checkout.orders.slice(-500)));
  };

  /** Four of five pay at once. */
  const behave = async (order: KnownOrder, closes: AbortController) => {
    const lot = dice.chance();
    if (lot < 0.04) {
      count('attacked');
      await bank.attack(order);
    }
    if (lot > 0.91) {
      count('left to expire');
      // Every other one closes the page; the others let it run out.
      if (dice.isLucky(0.5)) await pause(dice.between(10, 60) * second).then(() => closes.abort());
      return;
    }
    if (lot > 0.89) {
      await pause(dice.between(5.2, 9) * minute);
      count(over.signal.aborted ? 'paid at the end' : 'late');
      return await bank.pay(order);
    }
    await pause(dice.between(0.5, 20) * second);
    if (lot > 0.86) {
      count('wrong amount');
      nearMisses.add(order.orderId);
      return await owner.accept(order, await bank.nearMiss(order));
    }
    count('paid at once');
    await bank.pay(order);
  };

  const every = async (milliseconds: number, what: string, work: () => Promise<unknown>) => {
    let next = performance.now();
    while (!over.signal.aborted) {
      // Evenly but not in step, and by the clock: a moment's stall is made good.
      next += milliseconds * dice.between(0.3, 1.7);
      await pause(Math.max(0, next - performance.now()));
      if (!over.signal.aborted) begin(what, work);
    }
  };
  const loops = [
    every(minute / rate, 'customer', customer),
    every(dashboardEvery, 'owner', async () => {
      const { merchant, orderId } = dice.pick(checkout.orders.slice(-500));
      const email = `${merchant.name}@owners.example`;
      count('sign-ins');
      count('screens', await visitDashboard(url, { email, password }, orderId));
    }),
    ...(leaks > 0
      ? [
          every(minute / leaks, 'leak', async () => {
            const path = `${checkout.orders.at(-1)!.payPath}/events`;
            count('leaked streams');
            // Nobody waits for it, closes it or counts it.
            void openStream(browsers, path, address(), ended.signal, () => {}, false).catch(() => {});
          }),
        ]
      : []),
  ];
  const ended = new AbortController();

  return {
    checkout,
    bank,
    browsers,
    counts,
    nearMisses,
    takeTimings() {
      const taken = timings;
      timings = noTimings();
      return taken;
    },
    async stop() {
      over.abort();
      await Promise.all(loops);
      do {
        await bank.flush();
        await Promise.all(underWay);
      } while (underWay.size > 0);
      ended.abort();
    },
  };
}

function noTimings(): Record<Timed, number[]> {
  return { create: [], page: [], status: [] };
}
