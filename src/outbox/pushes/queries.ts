import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../base/database/row-lease.ts';
import type { Language } from '../../texts/languages.ts';
import type { Facts, NoticeKind } from '../../texts/say.ts';
import { rolesFor, type Topic, topics } from '../topics.ts';

/** A notice or a paid order. A push with neither greets a new device. */
type Subject = { noticeId: number } | { orderId: string; amountPaise: number };

type NewPush = Subject & { merchantId: number; topic: Topic; now: Date; usefulUntil: Date };

/** Adds one row per device whose user may see this and wants it. Without any it costs one index scan. */
export async function insertPushes(tx: Transaction, push: NewPush): Promise<void> {
  const { merchantId, topic, now, usefulUntil } = push;
  const [noticeId, orderId, amount] =
    'noticeId' in push ? [push.noticeId, null, null] : [null, push.orderId, push.amountPaise];
  await tx`
    select queue_pushes(${merchantId}, ${topic}, ${noticeId}, ${orderId}, ${amount}, ${now}, ${usefulUntil},
      ${[...rolesFor(topic)]})`;
}

export type DuePush = {
  merchant_id: number;
  push_id: number;
  claim: string;
  tries: number;
  topic: Topic | null;
  order_id: string | null;
  amount_paise: number | null;
  useful_until: Date;
  notice_id: number | null;
  kind: NoticeKind | null;
  facts: Facts | null;
  business: string;
  role: string;
  language: Language | null;
  /** Null if the device is gone, or its user lost access or does not want this. */
  device_id: string | null;
  endpoint: string;
  p256dh: string;
  auth: string;
};

type Share = {
  limit: number;
  /** Businesses at their limit of parallel sends. */
  busy?: readonly number[];
};

/** The limit of parallel sends per business, so that its dead devices cannot delay other businesses. */
export const mostOfAMerchant = 8;

/**
 * Counts the try first, so that a push that kills the process ends one day. Roles are checked again; a cashier gets no
 * payment of the website, because the counter shows none either.
 */
export async function claimPushes(sql: Queryable, lease: RowLease, { limit, busy = [] }: Share) {
  const roles = Object.fromEntries(topics.map(topic => [topic, rolesFor(topic)]));
  return await sql<DuePush[]>`
    with due as (
      select p.* from (
        select merchant_id, min(next_try_at) as since from pushes
        where ${isDue(sql, lease.now)} and merchant_id <> all (${[...busy]}::bigint[])
        group by merchant_id order by since limit ${limit}
      ) waiting cross join lateral (
        select merchant_id, push_id, device_id, topic, notice_id from pushes
        where merchant_id = waiting.merchant_id and ${isDue(sql, lease.now)}
        order by next_try_at limit ${mostOfAMerchant} for update skip locked
      ) p
      order by waiting.since limit ${limit}
    )
    update pushes p set ${setLease(sql, lease)}, tries = p.tries + 1
    from due
      left join push_devices d on d.merchant_id = due.merchant_id and d.device_id = due.device_id
      left join users u on u.merchant_id = d.merchant_id and u.user_id = d.user_id
      left join notice_choices c on c.merchant_id = d.merchant_id and c.user_id = d.user_id and c.topic = due.topic
      left join notices n on n.merchant_id = due.merchant_id and n.notice_id = due.notice_id
      left join merchants b on b.merchant_id = due.merchant_id
    where p.merchant_id = due.merchant_id and p.push_id = due.push_id
    returning p.merchant_id, p.push_id, p.claim, p.tries, p.topic, p.order_id, p.amount_paise, p.useful_until, p.notice_id,
      n.kind, n.facts, b.name as business, u.role, u.language, d.endpoint, d.p256dh, d.auth,
      case when due.topic is null or (coalesce(c.by_push, true) and ${sql.json(roles)}::jsonb -> due.topic ? u.role
          and (u.role <> 'cashier' or p.order_id is null or exists (
            select from order_purposes o where o.merchant_id = p.merchant_id and o.order_id = p.order_id)))
        then d.device_id end as device_id`;
}

function isDue(sql: Queryable, now: Date) {
  return sql`next_try_at <= ${now} and ${isFree(sql, now)}`;
}

type PushKey = Pick<DuePush, 'merchant_id' | 'push_id'>;

export async function deletePush(sql: Queryable, { merchant_id, push_id }: PushKey): Promise<void> {
  await sql`delete from pushes where merchant_id = ${merchant_id} and push_id = ${push_id}`;
}

/** Writes nothing if the lease was lost. */
export async function postponePush(
  sql: Queryable,
  { merchant_id, push_id, claim }: PushKey & { claim: string },
  nextTryAt: Date,
): Promise<void> {
  await sql`
    update pushes set next_try_at = ${nextTryAt}, ${clearLease(sql)}
    where merchant_id = ${merchant_id} and push_id = ${push_id} and claim = ${claim}`;
}

export async function deleteUselessPushes(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from pushes where useful_until <= ${now}`;
}

export async function countDuePushes(sql: Queryable, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from pushes where ${isDue(sql, now)}`;
  return row?.count ?? 0;
}

export type DeviceKey = { merchantId: number; userId: string; deviceId: string };

export type Subscription = { endpoint: string; p256dh: string; auth: string };

type NewDevice = DeviceKey & { sessionId: string; agent: string; subscription: Subscription; now: Date };

/** Also queues a greeting, which shows the person what a notice looks like. */
export async function insertDevice(
  tx: Transaction,
  { merchantId, userId, deviceId, sessionId, agent, subscription, now }: NewDevice,
  greetingUntil: Date,
): Promise<void> {
  await tx`
    insert into push_devices ${tx({
      merchant_id: merchantId,
      device_id: deviceId,
      user_id: userId,
      session_id: sessionId,
      ...subscription,
      agent,
      created_at: now,
    })}`;
  await tx`
    insert into pushes (merchant_id, device_id, created_at, next_try_at, useful_until)
    values (${merchantId}, ${deviceId}, ${now}, ${now}, ${greetingUntil})`;
}

/** Locks the user, so that two additions at once cannot exceed the limit. */
export async function countDevices(tx: Transaction, merchantId: number, userId: string): Promise<number> {
  await tx`select from users where merchant_id = ${merchantId} and user_id = ${userId} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from push_devices where merchant_id = ${merchantId} and user_id = ${userId}`;
  return row?.count ?? 0;
}

export async function deleteDevice(sql: Queryable, { merchantId, userId, deviceId }: DeviceKey) {
  return await sql`
    delete from push_devices where merchant_id = ${merchantId} and user_id = ${userId} and device_id = ${deviceId}
    returning device_id`.some();
}

export async function markNotified(sql: Queryable, merchantId: number, deviceId: string, now: Date) {
  await sql`
    update push_devices set last_told_at = ${now} where merchant_id = ${merchantId} and device_id = ${deviceId}`;
}

export type Device = {
  device_id: string;
  endpoint: string;
  agent: string;
  created_at: Date;
  last_told_at: Date | null;
};

export async function selectDevices(sql: Queryable, merchantId: number, userId: string): Promise<Device[]> {
  return await sql<Device[]>`
    select device_id, endpoint, agent, created_at, last_told_at from push_devices
    where merchant_id = ${merchantId} and user_id = ${userId} order by created_at desc, device_id`;
}

/** Moves the user's own device to this session; deletes another user's, left on a shared machine. True if it was the own. */
export async function claimDevice(
  sql: Queryable,
  { merchantId, userId, sessionId }: { merchantId: number; userId: string; sessionId: string },
  { endpoint, p256dh }: Pick<Subscription, 'endpoint' | 'p256dh'>,
): Promise<boolean> {
  return await sql`
    with left_behind as (
      delete from push_devices where endpoint = ${endpoint} and p256dh = ${p256dh}
        and (merchant_id, user_id) <> (${merchantId}::bigint, ${userId}::text)
    )
    update push_devices set session_id = ${sessionId}
    where endpoint = ${endpoint} and p256dh = ${p256dh} and merchant_id = ${merchantId} and user_id = ${userId}
    returning device_id`.some();
}
