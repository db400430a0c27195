import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import type { Bank } from '../faults/bank.ts';
import type { Checkout } from '../faults/checkout.ts';
import type { Dice } from '../faults/dice.ts';

/** Customers come one by one; most of them pay, some of them cheat. */
export function startLoad(checkout: Checkout, bank: Bank, dice: Dice) {
  const over = new AbortController();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  bank.open();
  const rest = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {});
  const customer = async () => {
    const made = await checkout.create();
    if (!made) return;
    if (dice.isLucky(0.2)) await checkout.replay(made);
    if (dice.isLucky(0.1)) await bank.attack(made);
    await rest(dice.between(0.5, 8) * second);
    if (dice.isLucky(0.7)) await bank.pay(made);
    if (dice.isLucky(0.3)) await checkout.look(dice.pick(checkout.orders));
  };
  const loop = (async () => {
    while (!over.signal.aborted) {
      const work: Promise<void> = customer()
        .catch(error => void failures.push(error))
        .finally(() => underWay.delete(work));
      underWay.add(work);
      await rest(dice.between(0.2, 1) * second);
    }
  })();
  return {
    async stop() {
      over.abort();
      await loop;
      await bank.flush();
      while (underWay.size > 0) await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
  };
}
