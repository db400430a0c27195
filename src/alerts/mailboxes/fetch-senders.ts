import { createHash } from 'node:crypto';
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import { because } from '../../texts/verdicts.ts';
import { readSenders } from '../mail/header-of.ts';
import { MailFailure } from './explain-failure.ts';
import type { Connection } from './open-connection.ts';
import { type FolderMemory, isComparisonDue, type Job } from './watch-job.ts';

export type Header = {
  uid: number;
  senders: string[];
  size: number;
  received: Date;
  emailId: string | null;
  /** What it is recognised by later. */
  mark: string;
};

/** What every mail is asked for: who it is from, and what it is recognised by. */
const senderFields = { uid: true, size: true, internalDate: true, headers: ['from', 'message-id'] };

/**
 * Sender, size and receipt of some mails, by UID. A mail that is missing in the answer was expunged meanwhile, or
 * the server does not hand it out. Nothing else of a mail is read before its sender is known to be a bank.
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
    // News about flags arrives in the same form, without headers and for any mail.
    if (!Buffer.isBuffer(message.headers) || !wanted.has(message.uid)) continue;
    headers.set(message.uid, {
      uid: message.uid,
      senders: readSenders(message.headers),
      size: message.size ?? 0,
      received: receivedAt(message.internalDate, now),
      emailId: typeof message.emailId === 'string' ? message.emailId.slice(0, 100) : null,
      mark: fingerprintOf(message),
    });
  }
  return headers;
}

/** These fields of some mails, by UID. */
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

/** imapflow answers "nothing" when no folder is selected any more; that must not pass for an empty folder. */
export function assertSelected({ client }: Connection, folder: string): void {
  if (!client.mailbox || client.mailbox.path !== folder) {
    throw new MailFailure('protocol', because('folder_closed', { folder }));
  }
}

/** Identifies a mail by what stays the same while its number means it. Of its content only a hash is kept. */
function fingerprintOf({ uid, internalDate, size, headers }: FetchMessageObject): string {
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

/** Enough that some are still there when people delete mail, and few enough to ask for at every connect. */
const remembered = 5;

export function rememberLast(memory: FolderMemory, marks: readonly string[]): void {
  memory.lastMails = [...byUid([...memory.lastMails, ...marks])]
    .sort(([one], [other]) => one - other)
    .slice(-remembered)
    .map(([, mark]) => mark);
}

/**
 * Whether numbers that we have read now mean other mails: the server was restored from a backup and has given them out
 * again, perhaps past our position. A mail that is gone proves nothing. Asked at each connect, and when a reopened
 * folder has grown.
 */
export async function holdsOtherMails(
  { connection, world, tools }: Job,
  memory: FolderMemory,
  uidNext: number | null,
): Promise<boolean> {
  const { looked } = memory;
  if (uidNext === null) return false;
  const isKnown = looked?.connection === connection && looked.uidNext === uidNext;
  if (isKnown && !isComparisonDue(memory, world.clock.now(), tools.pace)) return false;
  // Also those of the last look: mails that were read since may be new ones under old numbers.
  const known = byUid([...(looked?.lastMails ?? []), ...memory.lastMails]);
  memory.looked = { connection, uidNext, lastMails: memory.lastMails };
  if (known.size === 0) return false;
  const mails = await fetchFields(connection, memory.folder, [...known.keys()], senderFields);
  // News about flags arrives in the same form, without headers.
  return mails.some(
    mail =>
      Buffer.isBuffer(mail.headers) && known.has(mail.uid) && known.get(mail.uid) !== fingerprintOf(mail),
  );
}

function byUid(marks: readonly string[]): Map<number, string> {
  return new Map(marks.map(mark => [Number.parseInt(mark, 10), mark]));
}
