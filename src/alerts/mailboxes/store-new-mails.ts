import { createHash } from 'node:crypto';
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import { type Clock, later } from '../../base/clock.ts';
import { compareClocks } from '../../base/database/compare-clocks.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmByProof } from '../addresses/confirm-alert-address.ts';
import { type StoreMail, storeMails } from '../judging/store-mail.ts';
import { keptHeadBytes, mailBytesAtOnce, mailsAtOnce, mostMailBytes, sendersAtOnce } from '../mail/limits.ts';
import { readSenders } from '../mail/split-headers.ts';
import { MailFailure } from './explain-failure.ts';
import type { Connection } from './open-connection.ts';
import { lockLease } from './queries/leases.ts';
import { alreadyFound, insertFound, type Position, writeLeasedPosition } from './queries/positions.ts';
import { atStep, type FolderMemory, type Job } from './watch-job.ts';

export type NewMails = {
  memory: FolderMemory;
  /** Mail received before this moment is skipped; null for mail that is new in the folder. */
  from: Date | null;
  /** Set while reading forward: the position moves with the mails, in the same transaction. */
  position: Position | null;
};

const triesBeforeSkipping = 3;

/**
 * Checks the senders of some mails in UID order and stores the banks' mails. Throws if the session fails. Mails stored
 * before that stay stored, and the position is correct.
 */
export async function storeNewMails(job: Job, uids: readonly number[], plan: NewMails): Promise<void> {
  const { memory } = plan;
  for (let next = 0; next < uids.length; ) {
    const batch = uids.slice(next, next + memory.batch);
    const first = batch[0]!;
    if (memory.stuck.uid === first && memory.stuck.times >= triesBeforeSkipping && batch.length === 1) {
      // One mail that ends the session each time must not block the following ones.
      addHole(job, memory, first);
      await movePosition(job, plan, first + 1);
      memory.stuck = { uid: 0, times: 0 };
    } else {
      try {
        await storeBatch(job, batch, plan);
      } catch (error) {
        if (job.connection.ended()) slowDown(job, memory, batch);
        throw error;
      }
    }
    next += batch.length;
    memory.batch = Math.min(sendersAtOnce, memory.batch * 2);
  }
}

function slowDown(job: Job, memory: FolderMemory, batch: readonly number[]): void {
  const first = batch[0]!;
  if (batch.length === 1) {
    // Count a failed retry too, or a mail that ends every session would block the others.
    if (memory.holes.has(first)) addHole(job, memory, first);
    else memory.stuck = { uid: first, times: memory.stuck.uid === first ? memory.stuck.times + 1 : 1 };
  }
  memory.batch = Math.max(1, Math.floor(memory.batch / 8));
}

async function storeBatch(job: Job, uids: readonly number[], plan: NewMails): Promise<void> {
  const { connection, held, world } = job;
  const { memory } = plan;
  const { folder } = memory;
  // After a sleep or a clock change our time may be wrong, so compare before storing arrival times.
  if (world.clock.inDoubt?.()) await compareClocks(world.sql, world);
  const headers = await fetchSenders(connection, folder, uids, world.clock.now());
  rememberLast(
    memory,
    [...headers.values()].map(header => header.fingerprint),
  );
  await atStep(job, 'senders fetched');

  const candidates: Header[] = [];
  for (const uid of uids) {
    const header = headers.get(uid);
    if (!header) addHole(job, memory, uid);
    else if ((plan.from === null || header.received >= plan.from) && isWanted(job, header))
      candidates.push(header);
    else markSeen(memory, uid);
  }
  const known = await alreadyFound(world.sql, held.merchantId, memory, candidates);
  for (const uid of known) markSeen(memory, uid);
  const missing = candidates.filter(header => !known.has(header.uid));
  for (const group of groupBySize(missing, memory.batch)) {
    const mails = await fetchMails(connection, folder, group);
    await atStep(job, 'mails fetched');
    await store(job, plan, group, mails);
    for (const { uid } of group) {
      if (mails.has(uid)) markSeen(memory, uid);
      else addHole(job, memory, uid);
    }
  }
  await movePosition(job, plan, uids.at(-1)! + 1);
  await atStep(job, 'position moved');
}

function isWanted({ tools }: Job, { senders }: Header): boolean {
  return senders.some(sender => tools.isBankSender(sender) || sender === tools.ownSender);
}

/** In one transaction: stores bank mails, confirms addresses by our own mails, and moves the position. */
async function store(job: Job, plan: NewMails, group: readonly Header[], mails: ReadonlyMap<number, Buffer>) {
  const { world, tools, held, metrics } = job;
  const { memory, position } = plan;
  const { folder } = memory;
  const { merchantId } = held;
  const now = world.clock.now();
  const lags: number[] = [];
  const storeAll = (storeMail: StoreMail) => async (tx: Transaction) => {
    await lockLease(tx, held);
    for (const header of group) {
      const raw = mails.get(header.uid);
      if (!raw) continue;
      if (header.senders.some(sender => tools.isBankSender(sender))) {
        const foundIn = `${folder}/${memory.uidvalidity}/${header.uid}`;
        await storeMail(tx, {
          merchantId,
          raw,
          size: Math.max(raw.length, header.size),
          arrivedAt: arrivalTime(world.clock, now),
          dueAt: now,
          foundIn,
        });
        lags.push(now.getTime() - header.received.getTime());
      } else await confirmByProof(tx, world, merchantId, raw, { forwarded: false });
      await insertFound(tx, merchantId, memory, header, now);
    }
    if (position) {
      Object.assign(position, { next_uid: group.at(-1)!.uid + 1, last_mails: memory.lastMails });
      await writeLeasedPosition(tx, { held, folder, position });
    }
    await atStep(job, 'mails stored, not committed');
  };
  await storeMails(tools.workerSlots ?? null, storeMail => world.sql.begin(storeAll(storeMail)));
  for (const lag of lags) metrics.lag.observe(lag / 1000);
  await atStep(job, 'mails committed');
}

async function movePosition(job: Job, { memory, position }: NewMails, nextUid: number): Promise<void> {
  if (!position || position.next_uid >= nextUid) return;
  Object.assign(position, { next_uid: nextUid, last_mails: memory.lastMails });
  await job.tools.ledger.writePosition({ held: job.held, folder: memory.folder, position });
}

function markSeen(memory: FolderMemory, uid: number): void {
  memory.seen.add(uid);
  memory.holes.delete(uid);
}

function addHole(job: Job, memory: FolderMemory, uid: number): void {
  const tries = memory.holes.get(uid) ?? 0;
  if (tries === 0) job.metrics.holes.inc();
  memory.holes.set(uid, tries + 1);
}

/**
 * Returns the later time while it is unclear which clock is right. So no mail is refused as signed in the future, or
 * as older than its order. The alert time still decides which order is paid.
 */
export function arrivalTime({ jump = 0 }: Clock, now: Date): Date {
  return later(now, Math.max(jump, 0));
}

/** Groups mails to fetch with one command, limited in number and bytes. A larger mail is a group alone. */
function groupBySize(headers: readonly Header[], most: number): Header[][] {
  const groups: Header[][] = [];
  let bytes = 0;
  for (const header of headers) {
    const last = groups.at(-1);
    bytes += header.size;
    if (last && bytes <= mailBytesAtOnce && last.length < Math.min(most, mailsAtOnce)) last.push(header);
    else {
      groups.push([header]);
      bytes = header.size;
    }
  }
  return groups;
}

/** Fetches mails by UID with unchanged flags (BODY.PEEK): whole, or only the head if too large. */
async function fetchMails(connection: Connection, folder: string, group: readonly Header[]) {
  const tooLarge = group.length === 1 && group[0]!.size > mostMailBytes;
  const uids = group.map(header => header.uid);
  const source = tooLarge ? { start: 0, maxLength: keptHeadBytes } : true;
  const messages = await fetchFields(connection, folder, uids, { uid: true, source });
  const wanted = new Set(uids);
  const mails = new Map<number, Buffer>();
  for (const { uid, source: raw } of messages) {
    if (Buffer.isBuffer(raw) && raw.length > 0 && wanted.has(uid)) mails.set(uid, raw);
  }
  return mails;
}

export type Header = {
  uid: number;
  senders: string[];
  size: number;
  received: Date;
  emailId: string | null;
  fingerprint: string;
};

export const senderFields = { uid: true, size: true, internalDate: true, headers: ['from', 'message-id'] };

/**
 * Sender, size and receipt of some mails, by UID. A mail missing in the answer was expunged, or the server does not
 * deliver it. Nothing else of a mail is read before its sender is known to be a bank.
 */
export async function fetchSenders(
  connection: Connection,
  folder: string,
  uids: readonly number[],
  now: Date,
): Promise<Map<number, Header>> {
  const wanted = new Set(uids);
  const messages = await fetchFields(connection, folder, uids, senderFields);
  const headers = new Map<number, Header>();
  for (const message of messages) {
    // Flag updates have the same form, without headers and for any mail.
    if (!Buffer.isBuffer(message.headers) || !wanted.has(message.uid)) continue;
    headers.set(message.uid, {
      uid: message.uid,
      senders: readSenders(message.headers),
      size: message.size ?? 0,
      received: receivedAt(message.internalDate, now),
      emailId: typeof message.emailId === 'string' ? message.emailId.slice(0, 100) : null,
      fingerprint: fingerprintOf(message),
    });
  }
  return headers;
}

export async function fetchFields(
  connection: Connection,
  folder: string,
  uids: readonly number[],
  fields: FetchQueryObject,
): Promise<FetchMessageObject[]> {
  const messages = await connection.run(client => client.fetchAll(uids.join(','), fields, { uid: true }));
  assertSelected(connection, folder);
  return messages;
}

/** imapflow returns nothing if no folder is selected any more, which must not look like an empty folder. */
export function assertSelected({ client }: Connection, folder: string): void {
  if (!client.mailbox || client.mailbox.path !== folder) {
    throw new MailFailure('protocol', because('folder_closed', { folder }));
  }
}

/** Identifies a mail by values that stay the same while its UID means it. Only a hash of its content is kept. */
export function fingerprintOf({ uid, internalDate, size, headers }: FetchMessageObject): string {
  const said = createHash('sha256')
    .update(headers ?? '')
    .digest('base64url')
    .slice(0, 12);
  return `${uid}/${new Date(internalDate ?? 0).getTime()}/${size ?? 0}/${said}`;
}

function receivedAt(value: Date | string | undefined, now: Date): Date {
  const moment = new Date(value ?? Number.NaN);
  return Number.isNaN(moment.getTime()) || moment > now ? now : moment;
}

/** Enough that some survive when people delete mail, and few enough to ask for at every connect. */
const remembered = 5;

export function rememberLast(memory: FolderMemory, fingerprints: readonly string[]): void {
  memory.lastMails = [...byUid([...memory.lastMails, ...fingerprints])]
    .sort(([one], [other]) => one - other)
    .slice(-remembered)
    .map(([, fingerprint]) => fingerprint);
}

export function byUid(fingerprints: readonly string[]): Map<number, string> {
  return new Map(fingerprints.map(fingerprint => [Number.parseInt(fingerprint, 10), fingerprint]));
}
