import { day, later, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { recordPatiently } from '../../base/database/record-patiently.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { type Paise, rupees } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { deliverNotices } from '../deliver-notices.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import { type Worded, wordPush } from '../pushes/word-push.ts';
import { claimChats, type DueChat, deleteMessages, recordTry } from './queries.ts';
import { type ChatOutcome, type ChatWords, sendChat } from './send-chat.ts';

/** Must exceed the time limit of one try, or two processes could send the same message. */
const leaseFor = 60 * second;

export function startChatting(world: World): { stop(): Promise<void> } {
  const told = world.metrics.counter('milaan_chat_messages_total', 'Notices sent to chats, by outcome.', [
    'outcome',
  ]);
  for (const outcome of ['sent', 'failed', 'refused']) told.inc({ outcome }, 0);
  return deliverNotices(world, {
    what: 'telling chats',
    claim: (now, limit) => claimChats(world.sql, newLease(now, leaseFor), limit),
    deliver: (chat, stopping) => deliverChat(world, chat, stopping),
    count: outcome => told.inc({ outcome }),
  });
}

/** The pause after each failure. The last one repeats while the news is still useful. */
const pauses = [10 * second, 1 * minute, 5 * minute, 15 * minute];
/** A server may be down for a weekend. After two days the chat is switched off. */
const failsFor = 2 * day;

/** If the process dies before it records, the message is sent again. One transaction switches off and notifies. */
export async function deliverChat(
  world: Pick<World, 'sql' | 'clock' | 'dns' | 'config' | 'baseUrl' | 'secrets'>,
  chat: DueChat,
  stopping: AbortSignal,
): Promise<ChatOutcome['outcome'] | 'dropped'> {
  const { sql, clock, secrets } = world;
  const isUseless = chat.useful_until <= clock.now();
  const target = isUseless
    ? null
    : JSON.parse(secrets.open(chat.sealed, chatBinding(chat.merchant_id, chat.chat_id)));
  const told = target && (await sendChat(world, target, wordChat(world, chat), stopping));
  const now = clock.now();
  const failingSince = chat.failing_since ?? now;
  const record = async (tx: Transaction) => {
    if (told === null || told.outcome === 'sent') {
      const changes = told ? { tries: 0, failing_since: null, last_told_at: now } : { tries: chat.tries - 1 };
      if (await recordTry(tx, chat, changes)) await deleteMessages(tx, chat, chat.message_id);
      return told ? 'sent' : 'dropped';
    }
    if (told.outcome === 'paused') {
      await recordTry(tx, chat, { tries: 0, next_try_at: later(now, told.pause) });
      return 'paused';
    }
    if (told.outcome === 'failed' && later(failingSince, failsFor) > now) {
      const pause = pauses[chat.tries - 1] ?? pauses.at(-1)!;
      await recordTry(tx, chat, { next_try_at: later(now, pause), failing_since: failingSince });
      return 'failed';
    }
    if (await recordTry(tx, chat, { off_reason: told.reason })) {
      await deleteMessages(tx, chat);
      const { merchant_id: merchantId, place, claim: dedupeKey } = chat;
      const facts = { place, cause: told.reason };
      await notifyOwner(tx, { merchantId, kind: 'chat_off', facts, dedupeKey, now });
    }
    return 'refused';
  };
  return await recordPatiently(world, () => sql.begin(record), stopping);
}

export function chatBinding(merchantId: number, chatId: string): string {
  return `merchant:${merchantId}:chat:${chatId}`;
}

/** Sends a chat the same short heading as devices get, because it contains no payer's name. */
function wordChat(
  { baseUrl, clock }: Pick<World, 'baseUrl' | 'clock'>,
  news: Omit<Worded, 'role'>,
): ChatWords {
  const { title, body: business, url } = wordPush({ ...news, role: 'owner' });
  const { order_id: order, amount_paise: amount, topic } = news;
  const link = `${baseUrl}${url}`;
  return {
    text: [title, order === null ? business : `${order} · ${business}`, link].join('\n'),
    amount: amount === null ? '' : rupees(amount as Paise).toFixed(2),
    order: order ?? '',
    topic: topic ?? 'test',
    business,
    link,
    time: clock.now().toISOString(),
  };
}
