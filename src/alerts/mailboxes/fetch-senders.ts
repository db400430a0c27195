import { createHash } from 'node:crypto';
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import { because } from '../../texts/verdicts.ts';
import { readSenders } from '../mail/split-headers.ts';
import { MailFailure } from './explain-failure.ts';
import type { Connection } from './open-connection.ts';
import { type FolderMemory, isComparisonDue, type Job } from './watch-job.ts';

export type Header = {
  uid: number;
  senders: string[];
  size: number;
  received: Date;
  emailId: string | null;
  mark: string;
};

const senderFields = { uid: true, size: true, internalDate: true, headers: ['from', 'message-id'] };

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
      mark: fingerprintOf(message),
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

/** Enough that some survive when people delete mail, and few enough to ask for at every connect. */
const remembered = 5;

export function rememberLast(memory: FolderMemory, marks: readonly string[]): void {
  memory.lastMails = [...byUid([...memory.lastMails, ...marks])]
    .sort(([one], [other]) => one - other)
    .slice(-remembered)
    .map(([, mark]) => mark);
}

/**
 * Whether UIDs that we have read now mean other mails: the server was restored from a backup and reused them, perhaps
 * past our position. A deleted mail proves nothing. Checked at each connect, and when a reopened folder has grown.
 */
export async function hasOtherMails(
  { connection, world, tools }: Job,
  memory: FolderMemory,
  uidNext: number | null,
): Promise<boolean> {
  const { looked } = memory;
  if (uidNext === null) return false;
  const isKnown = looked?.connection === connection && looked.uidNext === uidNext;
  if (isKnown && !isComparisonDue(memory, world.clock.now(), tools.pace)) return false;
  // Includes the mails of the last check, because mails read since may be new ones under old UIDs.
  const known = byUid([...(looked?.lastMails ?? []), ...memory.lastMails]);
  memory.looked = { connection, uidNext, lastMails: memory.lastMails };
  if (known.size === 0) return false;
  const mails = await fetchFields(connection, memory.folder, [...known.keys()], senderFields);
  // Flag updates have the same form, without headers.
  return mails.some(
    mail =>
      Buffer.isBuffer(mail.headers) && known.has(mail.uid) && known.get(mail.uid) !== fingerprintOf(mail),
  );
}

function byUid(marks: readonly string[]): Map<number, string> {
  return new Map(marks.map(mark => [Number.parseInt(mark, 10), mark]));
}
