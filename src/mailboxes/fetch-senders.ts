import { because } from '../verdicts.ts';
import { MailFailure } from './mail-failure.ts';
import type { Connection } from './open-connection.ts';
import { readSenders } from './read-sender.ts';

export type Header = { uid: number; senders: string[]; size: number; received: Date; emailId: string | null };

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
  const messages = await connection.run(client =>
    client.fetchAll(
      uids.join(','),
      { uid: true, size: true, internalDate: true, headers: ['from'] },
      { uid: true },
    ),
  );
  assertSelected(connection, folder);
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
    });
  }
  return headers;
}

/** imapflow answers "nothing" when no folder is selected any more; that must not pass for an empty folder. */
export function assertSelected({ client }: Connection, folder: string): void {
  if (!client.mailbox || client.mailbox.path !== folder) {
    throw new MailFailure('protocol', because('folder_closed', { folder }));
  }
}

function receivedAt(value: Date | string | undefined, now: Date): Date {
  const moment = new Date(value ?? Number.NaN);
  return Number.isNaN(moment.getTime()) || moment > now ? now : moment;
}
