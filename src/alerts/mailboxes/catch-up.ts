import { day, later, minute } from '../../base/clock.ts';
import { keptFor } from '../../base/retention.ts';
import { because } from '../../texts/verdicts.ts';
import { mostTriesForMail, sendersAtOnce } from '../mail/limits.ts';
import { MailFailure } from './explain-failure.ts';
import { forgetFolder, forgetFound, type Position } from './queries/positions.ts';
import {
  assertSelected,
  byUid,
  fetchFields,
  fingerprintOf,
  type NewMails,
  rememberLast,
  senderFields,
  storeNewMails,
} from './store-new-mails.ts';
import {
  atStep,
  type FolderMemory,
  hasRest,
  isComparisonDue,
  type Job,
  newFolderMemory,
} from './watch-job.ts';

/** The mail server's clock may be behind ours by this much. */
const clockSlack = 10 * minute;
/** A server that announces new mail without end is left until the next poll. */
const mostRounds = 100;
/** After this many in order, the newest are read again, so that a new alert does not wait behind a flood. */
const inOrder = 500;
const newestAtOnce = 50;
/** This many of a scan's remaining mails are read between two checks for new mail. */
const restAtOnce = 1_000;

/**
 * The only way in: reads everything from the stored position on, whether IDLE reported it or not. It also finds mails
 * that appeared late below the position, and starts over when the server renumbers the folder.
 */
export async function catchUp(job: Job, folder: string, { reopen }: { reopen: boolean }): Promise<void> {
  const view = await examine(job, folder, reopen);
  await atStep(job, 'examined');
  const { sql, log } = job.world;
  const { merchantId } = job.held;
  const { ledger } = job.tools;
  let memory = job.memories.get(folder);
  if (memory?.uidvalidity !== view.uidvalidity) memory = beginMemory(job, folder, view, memory?.batch);
  const stored = await ledger.readPosition({ merchantId, folder });
  let position = stored;
  if (position?.uidvalidity === view.uidvalidity && (await isRestored(job, memory, view, position))) {
    log.warn({ merchantId, folder }, 'a mail server was restored from a backup; its folder is read again');
    memory = beginMemory(job, folder, view, memory.batch);
    await forgetFolder(sql, merchantId, folder);
    position = await scan(job, memory, view, position);
  }
  if (position?.uidvalidity !== view.uidvalidity) position = await scan(job, memory, view, position);

  // A scan has just read everything. Later mails are at or above its position, for the next check.
  for (let round = 0; position === stored && round < mostRounds; round++) {
    const { next_uid } = position;
    const uids = await search(job, folder, { uid: `${next_uid}:*` });
    await atStep(job, 'searched');
    // `n:*` returns the last mail even if it is older than n.
    const unread = uids.filter(uid => uid >= next_uid);
    if (unread.length === 0) {
      noticeLast(memory, uids.at(-1));
      break;
    }
    // New mails are taken without a date check: after a clock change, theirs or ours, they may seem hours old.
    const plan = { memory, from: null };
    await takeInNewest(job, unread.slice(inOrder), plan);
    await storeNewMails(job, unread.slice(0, inOrder), { ...plan, position });
  }
  memory.rest ??= await searchRest(job, folder, position);
  // The rest of INBOX is read between polls, because a poll is good as soon as new mail was read.
  const isPoll = reopen && folder === 'INBOX' && memory.rest.length > 0;
  if (position === stored && !isPoll) await readRest(job, memory, memory.rest, position);
  await retryHoles(job, memory);
  await compareLastDay(job, memory, position);
}

function beginMemory({ memories }: Job, folder: string, view: View, batch = sendersAtOnce): FolderMemory {
  const memory = newFolderMemory(folder, view.uidvalidity, batch);
  memories.set(folder, memory);
  return memory;
}

/** The position stays. These mails are found again in their order and then skipped as known. */
async function takeInNewest(job: Job, uids: readonly number[], plan: Omit<NewMails, 'position'>) {
  const { seen, holes } = plan.memory;
  const newest = uids.slice(-newestAtOnce).filter(uid => !seen.has(uid) && !holes.has(uid));
  await storeNewMails(job, newest, { ...plan, position: null });
}

/** A different last mail below the announced next UID: the announcement was wrong, so compare everything now. */
function noticeLast(memory: FolderMemory, last = 0): void {
  if (last === memory.last) return;
  memory.last = last;
  if (!memory.seen.has(last)) memory.comparedAt = null;
}

/**
 * Whether UIDs that we have read now mean other mails: the server was restored from a backup and reused them, perhaps
 * past our position. A deleted mail proves nothing. Checked at each connect, and when a reopened folder has grown.
 */
async function isRestored(job: Job, memory: FolderMemory, { uidNext }: View, position: Position) {
  if (uidNext !== null && uidNext < position.next_uid) return true;
  rememberLast(memory, position.last_mails);
  if (uidNext === null) return false;
  const { connection, world, tools } = job;
  const { lastCheck } = memory;
  const isKnown = lastCheck?.connection === connection && lastCheck.uidNext === uidNext;
  if (isKnown && !isComparisonDue(memory, world.clock.now(), tools.pace)) return false;
  // Includes the mails of the last check, because mails read since may be new ones under old UIDs.
  const known = byUid([...(lastCheck?.lastMails ?? []), ...memory.lastMails]);
  memory.lastCheck = { connection, uidNext, lastMails: memory.lastMails };
  if (known.size === 0) return false;
  const mails = await fetchFields(connection, memory.folder, [...known.keys()], senderFields);
  // Flag updates have the same form, without headers.
  return mails.some(
    mail =>
      Buffer.isBuffer(mail.headers) && known.has(mail.uid) && known.get(mail.uid) !== fingerprintOf(mail),
  );
}

type View = { uidvalidity: number; uidNext: number | null };

async function examine(job: Job, folder: string, reopen: boolean): Promise<View> {
  const { connection } = job;
  const selected = connection.client.mailbox;
  const { slowCommand } = job.tools.pace;
  const box =
    !reopen && selected && selected.path === folder
      ? selected
      : await connection.run(client => client.mailboxOpen(folder, { readOnly: true }), slowCommand);
  const uidvalidity = Number(box?.uidValidity ?? Number.NaN);
  if (!Number.isSafeInteger(uidvalidity)) {
    throw new MailFailure('protocol', because('no_uidvalidity'));
  }
  // Without reopening, the server's next UID is out of date.
  return { uidvalidity, uidNext: box === selected ? null : (box.uidNext ?? null) };
}

/** UIDs in ascending order. imapflow returns `false` for a failed search, which must not count as "none". */
async function search(job: Job, folder: string, query: { uid?: string; since?: Date }): Promise<number[]> {
  const limit = query.since ? job.tools.pace.slowCommand : job.tools.pace.command;
  const uids = await job.connection.run(client => client.search(query, { uid: true }), limit);
  assertSelected(job.connection, folder);
  if (!Array.isArray(uids)) throw new MailFailure('protocol', because('search_refused'));
  return uids;
}

/** SINCE counts whole days in the server's time zone, so one more day is asked for; dates are checked later. */
async function searchSince(job: Job, folder: string, since: Date): Promise<number[]> {
  return await search(job, folder, { since: later(since, -day) });
}

/**
 * Scans a folder. A first scan starts at the oldest order that can still be paid, a scan after a new UIDVALIDITY 48
 * hours ago. The newest mails are read first. Then the position is written, so that new mails are noticed, and
 * `readRest` reads the others. After a crash the scan is repeated, and mails found twice are stored once.
 */
async function scan(job: Job, memory: FolderMemory, view: View, before: Position | null): Promise<Position> {
  const { world, held, tools } = job;
  const from = await scanStart(job, before);
  const uids = await searchSince(job, memory.folder, from);
  await atStep(job, 'searched');
  const unseen = uids.filter(uid => !memory.seen.has(uid));
  const first = unseen.slice(-inOrder);
  memory.rest = unseen.slice(0, -inOrder);
  await takeInNewest(job, unseen.slice(inOrder), { memory, from });
  await storeNewMails(job, first, { memory, from, position: null });
  const position = {
    uidvalidity: view.uidvalidity,
    // It was asked for before the search, so mails that came since are at or above it.
    next_uid: view.uidNext ?? Math.max(0, ...uids.slice(-1)) + 1,
    scan_from: from,
    last_mails: memory.lastMails,
    rest_below: memory.rest.length > 0 ? first[0]! : null,
  };
  await tools.ledger.writePosition({ held, folder: memory.folder, position });
  memory.comparedAt = world.clock.now();
  return position;
}

/** The rest of a scan that another watcher began. */
async function searchRest(job: Job, folder: string, { rest_below: below, scan_from }: Position) {
  return below === null ? [] : (await searchSince(job, folder, scan_from)).filter(uid => uid < below);
}

/** Reads a batch of a scan's or comparison's remaining mails, newest first. */
async function readRest(job: Job, memory: FolderMemory, rest: number[], position: Position): Promise<void> {
  const isScan = position.rest_below !== null;
  if (!isScan && rest.length === 0) return;
  const piece = rest.slice(-restAtOnce);
  const unseen = piece.filter(uid => !memory.seen.has(uid) && !memory.holes.has(uid));
  await storeNewMails(job, unseen, { memory, from: position.scan_from, position: null });
  const left = rest.slice(0, -restAtOnce);
  if (isScan) {
    position.rest_below = left.length > 0 ? piece[0]! : null;
    await job.tools.ledger.writePosition({ held: job.held, folder: memory.folder, position });
  }
  memory.rest = left;
}

async function scanStart({ world, tools, mailbox }: Job, before: Position | null): Promise<Date> {
  const now = world.clock.now();
  if (before) return laterOf(before.scan_from, later(now, -tools.pace.rescanSpan));
  const oldest = await tools.ledger.oldestOpenWindow(mailbox.merchant_id);
  const usual = later(now, -tools.pace.firstSpan);
  return later(oldest !== null && oldest < usual ? oldest : usual, -clockSlack);
}

/** Retries mails that were listed but not delivered, for a few polls: replication at large providers lags. */
async function retryHoles(job: Job, memory: FolderMemory): Promise<void> {
  const open = [...memory.holes].filter(([, tries]) => tries < mostTriesForMail).map(([uid]) => uid);
  if (open.length === 0) return;
  const listed = new Set(await search(job, memory.folder, { uid: open.slice(0, sendersAtOnce).join(',') }));
  for (const uid of open.slice(0, sendersAtOnce)) {
    // The mail was expunged, so nothing is left to fetch.
    if (!listed.has(uid)) memory.holes.delete(uid);
  }
  const left = [...listed].filter(uid => memory.holes.has(uid)).sort((one, other) => one - other);
  await storeNewMails(job, left, { memory, from: null, position: null });
}

/** Some servers show a mail late, below a UID that was already read. So the last day is compared from time to time. */
async function compareLastDay(job: Job, memory: FolderMemory, position: Position): Promise<void> {
  const { world, tools, mailbox } = job;
  const now = world.clock.now();
  // Until a scan is finished, its unread mails would all look like missed ones.
  if (position.rest_below !== null || hasRest(memory) || !isComparisonDue(memory, now, tools.pace)) return;
  const from = laterOf(position.scan_from, later(now, -tools.pace.compareSpan));
  const uids = await searchSince(job, memory.folder, from);
  // Holes are retried at every poll; those given up there are tried once more here.
  const isAskedFor = (uid: number) => (memory.holes.get(uid) ?? mostTriesForMail) < mostTriesForMail;
  const unseen = uids.filter(uid => uid < position.next_uid && !memory.seen.has(uid) && !isAskedFor(uid));
  await storeNewMails(job, unseen.slice(-restAtOnce), { memory, from, position: null });
  memory.rest = unseen.slice(0, -restAtOnce);
  const oldest = uids[0] ?? position.next_uid;
  for (const known of [memory.seen, memory.holes])
    for (const uid of known.keys()) if (uid < oldest) known.delete(uid);
  memory.comparedAt = now;
  await forgetFound(world.sql, mailbox.merchant_id, later(now, -keptFor('places')));
}

function laterOf(a: Date, b: Date): Date {
  return new Date(Math.max(a.getTime(), b.getTime()));
}
