import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../base/database/row-lease.ts';
import type { Language } from '../../texts/languages.ts';
import type { Reason } from '../../texts/verdicts.ts';
import type { DuePush } from '../pushes/queries.ts';
import type { Topic } from '../topics.ts';

export type Chat = {
  merchant_id: number;
  chat_id: string;
  place: string;
  sealed: string;
  topics: Topic[];
  language: Language;
  last_told_at: Date | null;
  off_reason: Reason | null;
};

type News = Pick<
  DuePush,
  'order_id' | 'amount_paise' | 'notice_id' | 'kind' | 'facts' | 'useful_until' | 'topic'
>;
export type DueChat = Chat &
  News & {
    claim: string;
    tries: number;
    next_try_at: Date;
    failing_since: Date | null;
    business: string;
    message_id: number;
  };

/** Claims the oldest due message of each chat, so a chat that never answers holds only one place. */
export async function claimChats(sql: Queryable, lease: RowLease, limit: number): Promise<DueChat[]> {
  return await sql<DueChat[]>`
    with due as (
      select merchant_id, chat_id from chats
      where (merchant_id, chat_id) in (select merchant_id, chat_id from chat_messages)
        and off_reason is null and next_try_at <= ${lease.now} and ${isFree(sql, lease.now)}
      order by next_try_at limit ${limit} for update skip locked
    )
    update chats c set ${setLease(sql, lease)}, tries = c.tries + 1
    from due
      join merchants b on b.merchant_id = due.merchant_id
      cross join lateral (
        select * from chat_messages w where w.merchant_id = due.merchant_id and w.chat_id = due.chat_id
        order by message_id limit 1
      ) m
      left join notices n on n.merchant_id = m.merchant_id and n.notice_id = m.notice_id
    where c.merchant_id = due.merchant_id and c.chat_id = due.chat_id
    returning c.*, b.name as business, m.message_id, m.useful_until, m.topic, m.notice_id, m.order_id, m.amount_paise,
      n.kind, n.facts`;
}

type Tried = Pick<DueChat, 'tries' | 'next_try_at' | 'last_told_at' | 'failing_since' | 'off_reason'>;

/** Ends the lease and records the try. Returns false if the lease was lost; then nothing is written. */
export async function recordTry(tx: Transaction, chat: DueChat, changes: Partial<Tried>): Promise<boolean> {
  const { tries, next_try_at, last_told_at, failing_since, off_reason } = { ...chat, ...changes };
  return await tx`
    update chats set ${clearLease(tx)}, tries = ${tries}, next_try_at = ${next_try_at}, last_told_at = ${last_told_at},
      failing_since = ${failing_since}, off_reason = ${off_reason && tx.json(off_reason)}
    where merchant_id = ${chat.merchant_id} and chat_id = ${chat.chat_id} and claim = ${chat.claim} returning 1`.some();
}

type ChatKey = Pick<Chat, 'merchant_id' | 'chat_id'>;

export async function deleteMessages(tx: Transaction, { merchant_id, chat_id }: ChatKey, upTo?: number) {
  await tx`
    delete from chat_messages where merchant_id = ${merchant_id} and chat_id = ${chat_id}
      ${upTo === undefined ? tx`` : tx`and message_id <= ${upTo}`}`;
}

/** Switches the chat on and queues a sample message. Returns null for an unknown chat. */
export async function testChat(tx: Transaction, { merchant_id, chat_id }: ChatKey, now: Date, until: Date) {
  const [chat] = await tx<{ place: string }[]>`
    update chats set off_reason = null, failing_since = null, tries = 0, next_try_at = ${now}
    where merchant_id = ${merchant_id} and chat_id = ${chat_id} returning place`;
  if (chat)
    await tx`insert into chat_messages (merchant_id, chat_id, useful_until) values (${merchant_id}, ${chat_id}, ${until})`;
  return chat?.place ?? null;
}

export async function selectChats(sql: Queryable, merchantId: number): Promise<Chat[]> {
  return await sql<Chat[]>`
    select * from chats where merchant_id = ${merchantId} order by created_at, chat_id`;
}

export const mostChats = 5;

/** Returns null at the limit. The lock keeps two additions at once from exceeding it. */
export async function insertChat(tx: Transaction, chat: NewChat, now: Date, until: Date) {
  await tx`select from merchants where merchant_id = ${chat.merchant_id} for no key update`;
  if ((await selectChats(tx, chat.merchant_id)).length >= mostChats) return null;
  await tx`insert into chats ${tx({ ...chat, created_at: now, next_try_at: now })}`;
  return await testChat(tx, chat, now, until);
}

type NewChat = Omit<Chat, 'off_reason' | 'last_told_at'>;

export async function deleteChat(tx: Transaction, key: ChatKey): Promise<string | null> {
  await deleteMessages(tx, key);
  return await tx<{ place: string }[]>`
    delete from chats where merchant_id = ${key.merchant_id} and chat_id = ${key.chat_id} returning place`.value();
}
