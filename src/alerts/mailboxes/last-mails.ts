import { fetchFields, markOf, senderFields } from './fetch-senders.ts';
import { type FolderMemory, isComparisonDue, type Job } from './watch-job.ts';

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
    mail => Buffer.isBuffer(mail.headers) && known.has(mail.uid) && known.get(mail.uid) !== markOf(mail),
  );
}

function byUid(marks: readonly string[]): Map<number, string> {
  return new Map(marks.map(mark => [Number.parseInt(mark, 10), mark]));
}
