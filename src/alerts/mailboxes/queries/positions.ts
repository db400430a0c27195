import { later } from '../../../base/clock.ts';
import { batchQueries } from '../../../base/database/batch-queries.ts';
import type { Queryable } from '../../../base/database/connect.ts';
import { isDatabaseDown } from '../../../base/database/database-down.ts';
import { lateWindow, payableTime } from '../../../base/time-windows.ts';
import type { World } from '../../../base/world.ts';
import { LostLease } from '../explain-failure.ts';
import type { Held, Note } from './leases.ts';
import { recordConnected, recordGoodPoll } from './states.ts';

export type Position = {
  uidvalidity: number;
  next_uid: number;
  scan_from: Date;
  last_mails: readonly string[];
  /** Mails below this UID were not read by a scan yet; null if all were read. */
  rest_below: number | null;
};

export type FolderOf = { merchantId: number; folder: string };

/** Each folder's position in the order asked, or null if it has none. */
async function readPositions(sql: Queryable, asked: readonly FolderOf[]) {
  const rows = await sql<(Position & { place: number })[]>`
    select a.place, p.uidvalidity, p.next_uid, p.scan_from, p.last_mails, p.rest_below
    from unnest(${asked.map(one => one.merchantId)}::bigint[], ${asked.map(one => one.folder)}::text[])
      with ordinality as a (merchant_id, folder, place)
    join mailbox_positions p using (merchant_id, folder)`;
  const answers = new Array<Position | null>(asked.length).fill(null);
  for (const { place, ...position } of rows) answers[place - 1] = position;
  return answers;
}

export type LeasedPosition = { held: Held; folder: string; position: Position };

/** Locks the leases like `lockLease` and writes the positions in one message, for all leases that are ours. */
const writePositions: Note<LeasedPosition> = (sql, moved, skips) => {
  const of = (value: (one: LeasedPosition) => unknown) => moved.map(value);
  return sql<{ place: number }[]>`
    select write_positions(${of(({ held }) => held.merchantId)}, ${of(({ held }) => held.fence)}, ${of(one => one.folder)},
      ${of(({ position }) => position.uidvalidity)}, ${of(({ position }) => position.next_uid)},
      ${of(({ position }) => position.scan_from)}, ${of(({ position }) => position.last_mails.join(' '))},
      ${of(({ position }) => position.rest_below)}, ${skips}) as place`;
};

/** Throws LostLease. */
export async function writeLeasedPosition(sql: Queryable, moved: LeasedPosition): Promise<void> {
  const written = await writePositions(sql, [moved], false);
  if (written.length === 0)
    throw new LostLease(`the lease of mailbox ${moved.held.merchantId} went to another process`);
}

type Folder = { folder: string; uidvalidity: number };
export type Place = { uid: number; emailId: string | null };

/** The UIDs of mails that are already stored, found in this folder or, by the provider's id, in another. */
export async function alreadyFound(
  sql: Queryable,
  merchantId: number,
  { folder, uidvalidity }: Folder,
  places: readonly Place[],
): Promise<Set<number>> {
  if (places.length === 0) return new Set();
  const rows = await sql<{ uid: number }[]>`
    select p.uid from unnest(${places.map(place => place.uid)}::bigint[], ${places.map(place => place.emailId)}::text[])
      as p (uid, email_id)
    where exists (select from found_mails f where f.merchant_id = ${merchantId} and f.folder = ${folder}
        and f.uidvalidity = ${uidvalidity} and f.uid = p.uid)
      or exists (select from found_mails f where f.merchant_id = ${merchantId} and f.email_id = p.email_id)`;
  return new Set(rows.map(row => row.uid));
}

export async function insertFound(
  sql: Queryable,
  merchantId: number,
  { folder, uidvalidity }: Folder,
  place: Place,
  now: Date,
): Promise<void> {
  await sql`
    insert into found_mails (merchant_id, folder, uidvalidity, uid, email_id, found_at)
    values (${merchantId}, ${folder}, ${uidvalidity}, ${place.uid}, ${place.emailId}, ${now})
    on conflict do nothing`;
}

export async function forgetFound(sql: Queryable, merchantId: number, before: Date): Promise<void> {
  await sql`delete from found_mails where merchant_id = ${merchantId} and found_at < ${before}`;
}

/**
 * For each business, when its oldest payable order was created, or null. If a business arrived in this cell without
 * its mailbox, the time since which its mail is unread.
 */
export async function oldestOpenWindows(sql: Queryable, merchantIds: readonly number[], payableSince: Date) {
  return await sql<{ oldest: Date | null }[]>`
    select least((select unread_since from merchants where merchant_id = a.merchant_id), (select min(created_at) from orders
      where merchant_id = a.merchant_id and expires_at > ${payableSince}
        and status in ('pending', 'manual_review')
        -- Lets the index limit the rows to recent orders, instead of every order that was never paid.
        and created_at > ${later(payableSince, -payableTime)})) as oldest
    from unnest(${merchantIds}::bigint[]) with ordinality as a (merchant_id, place) order by a.place`.column();
}

/** Deletes where mails were found in this folder. In a server restored from a backup, equal UIDs mean other mails. */
export async function forgetFolder(sql: Queryable, merchantId: number, folder: string): Promise<void> {
  await sql`delete from found_mails where merchant_id = ${merchantId} and folder = ${folder}`;
}

export type Ledger = ReturnType<typeof openLedger>;

/**
 * The reads and writes of every watcher at each poll. Simultaneous ones share a statement, because a thousand
 * mailboxes poll together when a process starts or their provider returns.
 */
export function openLedger({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  return {
    readPosition: together((asked: readonly FolderOf[]) => readPositions(sql, asked)),
    /** Throws LostLease. */
    writePosition: noteTogether(writePositions, (one: LeasedPosition) => writeLeasedPosition(sql, one)),
    oldestOpenWindow: together((merchantIds: readonly number[]) =>
      oldestOpenWindows(sql, merchantIds, later(clock.now(), -lateWindow)),
    ),
    recordConnected: noteTogether(recordConnected),
    recordGoodPoll: noteTogether(recordGoodPoll),
  };

  /** A mailbox whose lease is lost or locked is written alone, so that the others do not wait for it. */
  function noteTogether<T>(
    note: Note<T>,
    alone = async (one: T): Promise<void> => void (await note(sql, [one], false)),
  ) {
    return together<T, void>(async noted => {
      if (noted.length === 1) return noted.map(alone);
      const places = new Set((await note(sql, noted, true)).map(({ place }) => place));
      return noted.map((one, index) => (places.has(index + 1) ? undefined : alone(one)));
    });
  }
}

/** If the database refuses one question, such as an impossible folder name, only that mailbox must fail. */
function together<Q, A>(ask: (questions: readonly Q[]) => Promise<readonly (A | Promise<A>)[]>) {
  return batchQueries<Q, A>(async questions => {
    try {
      return await ask(questions);
    } catch (error) {
      if (questions.length === 1 || isDatabaseDown(error)) throw error;
      return questions.map(async question => (await ask([question]))[0]!);
    }
  });
}
