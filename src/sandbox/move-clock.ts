import { setTimeout as sleep } from 'node:timers/promises';
import { later } from '../base/clock.ts';
import { historyChannel } from '../business/merchants/queries.ts';
import { deliveryChannel } from '../outbox/webhooks/queries/events.ts';
import type { Playground } from './playground.ts';
import { isSending, recordDemoPoll } from './queries.ts';
import { mostLead } from './sandbox-clock.ts';

/** Moves the clock forward and does at once what has become due. False if the clock would go too far. */
export async function moveClock(
  { world, demo, judge }: Pick<Playground, 'world' | 'demo' | 'judge'>,
  milliseconds: number,
): Promise<boolean> {
  if (world.clock.leadMs() + milliseconds > mostLead) return false;
  // A webhook that is being sent would lose its lease by the jump and arrive twice, so it may finish first.
  await untilOver(() => isSending(world.sql, demo.merchantId));
  // Recorded before the clock moves, or the jump would look like a mailbox that nobody has read.
  await recordDemoPoll(world.sql, later(world.clock.now(), milliseconds));
  if (!world.clock.advance(milliseconds)) return false;
  await world.sql.notify(deliveryChannel, '');
  await world.sql.notify(historyChannel, '');
  await judge();
  await untilOver(() =>
    world.sql`
    select from alerts where merchant_id = ${demo.merchantId} and next_try_at <= ${world.clock.now()} limit 1`.some(),
  );
  return true;
}

const checkPause = 25;
const mostChecks = 120;

/** Waits for something to end, but not for long, because a caller waits for the answer. */
async function untilOver(isRunning: () => Promise<boolean>): Promise<void> {
  for (let checks = 0; checks < mostChecks && (await isRunning()); checks++) await sleep(checkPause);
}
