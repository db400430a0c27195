import { later, minute, second } from '../../src/base/clock.ts';
import { newLease } from '../../src/base/database/row-lease.ts';
import { chatBinding, deliverChat } from '../../src/outbox/chats/deliver-chat.ts';
import { claimChats, insertChat } from '../../src/outbox/chats/queries.ts';
import type { Topic } from '../../src/outbox/topics.ts';
import type { TestWorld } from './test-world.ts';

/** The messages that are sent to Telegram, at the address that plays it. */
const telegramTemplate = '{"chat_id":"-1001234","text":"{text}"}';

/** A chat of a business as the screen adds it; its first test message is thrown away. */
export async function addChat(
  { sql, secrets, clock }: TestWorld,
  merchantId: number,
  url: string,
  {
    template = telegramTemplate,
    topics = ['payment', 'money', 'mailbox', 'webhooks'] as Topic[],
    language = 'en' as 'en' | 'hi',
  } = {},
): Promise<string> {
  const chatId = `chat_${Math.random().toString(36).slice(2)}`;
  const sealed = secrets.seal(JSON.stringify({ url, template }), chatBinding(merchantId, chatId));
  const chat = {
    merchant_id: merchantId,
    chat_id: chatId,
    place: 'Telegram -1001234',
    sealed,
    topics,
    language,
  };
  const now = clock.now();
  await sql.begin(tx => insertChat(tx, chat, now, later(now, minute)));
  await sql`delete from chat_messages where chat_id = ${chatId}`;
  return chatId;
}

/** One round of the worker. */
export async function chatRound(world: TestWorld): Promise<string[]> {
  const due = await claimChats(world.sql, newLease(world.clock.now(), 60 * second), 64);
  const never = new AbortController().signal;
  return (await Promise.all(due.map(chat => deliverChat(world, chat, never)))).sort();
}
