import { second } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { keepTelling } from '../keep-telling.ts';
import { deliverChat } from './deliver-chat.ts';
import { claimChats } from './queries.ts';

/** Longer than a try can take. */
const leaseFor = 60 * second;

/** Tells chats what waits for them. */
export function startChatting(world: World): { stop(): Promise<void> } {
  const told = world.metrics.counter('milaan_chat_messages_total', 'Notices to chats by outcome', [
    'outcome',
  ]);
  for (const outcome of ['sent', 'failed', 'refused']) told.inc({ outcome }, 0);
  return keepTelling(world, {
    what: 'telling chats',
    claim: (now, limit) => claimChats(world.sql, newLease(now, leaseFor), limit),
    deliver: (chat, stopping) => deliverChat(world, chat, stopping),
    count: outcome => told.inc({ outcome }),
  });
}
