import { setTimeout as sleep } from 'node:timers/promises';
import { judgeStoredMails } from '../alerts/judge-stored-mails.ts';
import { later } from '../clock.ts';
import type { Sql } from '../database/connect.ts';
import { deliveryChannel } from '../webhooks/queries/events.ts';
import type { Bench } from './bench.ts';
import { demoMailboxHost } from './open-demo-business.ts';
import { isSending, recordDemoPoll } from './queries.ts';
import { mostLead } from './sandbox-clock.ts';

/**
 * Moves the sandbox's time forward, and has done at once what has become due: mails that wait for a second look are
 * judged, and the sender of webhooks is woken. False when the clock would go too far.
 */
export async function moveClock(
  { world, demo, tools }: Pick<Bench, 'world' | 'demo' | 'tools'>,
  milliseconds: number,
): Promise<boolean> {
  if (world.clock.leadMs() + milliseconds > mostLead) return false;
  await untilSent(world.sql, demo.merchantId);
  // Before the clock itself, so that nobody takes the leap for a mailbox that was not looked at for so long.
  await recordDemoPoll(world.sql, demo.merchantId, demoMailboxHost, later(world.clock.now(), milliseconds));
  if (!world.clock.advance(milliseconds)) return false;
  await judgeStoredMails(world, tools);
  await world.sql.notify(deliveryChannel, '');
  return true;
}

const look = 25;
const mostLooks = 120;

/** A webhook under way would lose its lease by the leap, and the shop would get it twice: it may end first. */
async function untilSent(sql: Sql, merchantId: number): Promise<void> {
  for (let looks = 0; looks < mostLooks && (await isSending(sql, merchantId)); looks++) await sleep(look);
}
