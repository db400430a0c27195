import { keptHeadBytes, mailBytesAtOnce, mailsAtOnce, mostMailBytes } from '../mail/limits.ts';
import { fetchFields, type Header } from './fetch-senders.ts';
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
export async function fetchMails(connection: Connection, folder: string, group: readonly Header[]) {
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
