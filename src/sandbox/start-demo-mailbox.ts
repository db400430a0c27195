import { second } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import { demoMailboxHost } from './open-demo-business.ts';
import type { Playground } from './playground.ts';
import { recordDemoPoll } from './queries.ts';

const pause = 20 * second;

/** Stands for the watcher of the demo mailbox: nothing can be missed where mails are handed over, and it says so. */
export function startDemoMailbox({ world, demo }: Pick<Playground, 'world' | 'demo'>): {
  stop(): Promise<void>;
} {
  return keepWorking(world, { what: 'looking at the demo mailbox', pause }, () =>
    recordDemoPoll(world.sql, demo.merchantId, demoMailboxHost, world.clock.now()),
  );
}
