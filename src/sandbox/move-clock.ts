import { setTimeout as sleep } from 'node:timers/promises';
import { later } from '../base/clock.ts';
import { historyChannel } from '../business/merchants/queries.ts';
import { deliveryChannel } from '../outbox/webhooks/queries/events.ts';
import type { Playground } from './playground.ts';
import { hasDueMail, isSending, recordDemoPoll } from './queries.ts';
import { mostLead } from './sandbox-clock.ts';

/**
 * Moves the sandbox's time forward, and has done at once what has become due: mails that wait for a second look are
 * judged, the sender of webhooks is woken, and so is whoever takes old orders into their archive. False when the clock would go too far.
 */
export async function moveClock(
  { world, demo, judge }: Pick<Playground, 'world' | 'demo' | 'judge'>,
  milliseconds: number,
): Promise<boolean> {
  if (world.clock.leadMs() + milliseconds > mostLead) return false;
  // A webhook under way would lose its lease by the leap, and the shop would get it twice: it may end first.
  await untilOver(() => isSending(world.sql, demo.merchantId));
  // Before the clock itself, so that nobody takes the leap for a mailbox that was not looked at for so long.
  await recordDemoPoll(world.sql, later(world.clock.now(), milliseconds));
  if (!world.clock.advance(milliseconds)) return false;
  await world.sql.notify(deliveryChannel, '');
  await world.sql.notify(historyChannel, '');
  await judge();
  await untilOver(() => hasDueMail(world.sql, demo.merchantId, world.clock.now()));
  return true;
}

const look = 25;
const mostLooks = 120;

/** Waits for something to end; for a while only, because a caller waits for us. */
async function untilOver(isUnderWay: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < mostLooks && (await isUnderWay()); looks++) await sleep(look);
}
