import { keptHeadBytes, mailBytesAtOnce, mailsAtOnce, mostMailBytes } from '../mail/limits.ts';
import { assertSelected, type Header } from './fetch-senders.ts';
import type { Connection } from './open-connection.ts';

/** Mails fetched by one command: few, small together, or a single one. */
export function groupBySize(headers: readonly Header[], most: number): Header[][] {
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

/** Whole mails by UID, flags untouched (BODY.PEEK); of a mail that is too large to be an alert only the head. */
export async function fetchMails(
  connection: Connection,
  folder: string,
  group: readonly Header[],
): Promise<Map<number, Buffer>> {
  const tooLarge = group.length === 1 && group[0]!.size > mostMailBytes;
  const messages = await connection.run(client =>
    client.fetchAll(
      group.map(header => header.uid).join(','),
      { uid: true, source: tooLarge ? { start: 0, maxLength: keptHeadBytes } : true },
      { uid: true },
    ),
  );
  assertSelected(connection, folder);
  const wanted = new Set(group.map(header => header.uid));
  const mails = new Map<number, Buffer>();
  for (const { uid, source } of messages) {
    if (Buffer.isBuffer(source) && source.length > 0 && wanted.has(uid)) mails.set(uid, source);
  }
  return mails;
}
