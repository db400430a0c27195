import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { day, later } from '../base/clock.ts';
import { findOlderProcesses } from '../base/database/find-older-processes.ts';
import type { World } from '../base/world.ts';
import { writeOwnFile } from '../base/write-own-file.ts';
import { erasureKeyBinding, learnErasureKey } from '../payments/matching/erased-references.ts';
import { type Erasure, erasureBinding } from './erasure.ts';
import { hashValue } from './person-values.ts';
import {
  insertErasure,
  insertErasureKey,
  type Listed,
  selectListed,
  selectMerchantIds,
} from './queries/erasures.ts';

type ListFile = { key: string; erasures: { business: number; id: string; at: string; marks: string[] }[] };

type Problem = { problem: 'no_list' | 'other_key' | 'older_process'; cause?: unknown };
/** Programs from this schema on count erased references. */
const firstSchema = { name: '0033', text: '', checksum: '', runsBeside: false };

/** Mails about earlier payments come late, and a newly connected mailbox is read from 48 hours ago. */
export const watchFor = 3 * day;

/**
 * Keeps the list of erasures and its key in a file outside every backup. Each process that may erase keeps its own full
 * list. Requests are written to the file before anything is erased. Requests that only the file knows were made after
 * the restored backup, so they are asked again. Null if nobody ever asked for an erasure.
 */
export async function keepErasureList(
  world: Pick<World, 'sql' | 'secrets' | 'clock' | 'config'>,
  wanted: readonly Erasure[],
): Promise<{ key: Buffer } | Problem | null> {
  const { sql, clock, config } = world;
  let key = await learnErasureKey(sql, world);
  if (key === null) {
    if (wanted.length === 0 && readList(config.erasuresFile) === null) return null;
    const problem = await makeKey(world);
    if (problem) return problem;
    key = (await learnErasureKey(sql, world))!;
  }
  let file = readList(config.erasuresFile);
  if (file === 'damaged') return damaged(config);
  if (file && !key.equals(Buffer.from(file.key, 'base64'))) {
    if (file.erasures.length > 0) return { problem: 'other_key' };
    // This machine was killed before its key reached the database, and another machine's key was first.
    file = null;
  }

  for (const erasure of wanted) await storeHashes(world, key, erasure);
  const inDatabase = (await selectListed(sql)).filter(({ marks }) => marks.length > 0);
  const known = new Set(file?.erasures.map(({ business, id }) => `${business} ${id}`));
  const missing = inDatabase.filter(
    ({ merchant_id, erasure_id }) => !known.has(`${merchant_id} ${erasure_id}`),
  );
  if (missing.length > 0 || file === null) {
    const problem = writeList(config, key, [...(file?.erasures ?? []), ...missing.map(inFile)]);
    if (problem) return problem;
  }
  const here = new Set(inDatabase.map(({ merchant_id, erasure_id }) => `${merchant_id} ${erasure_id}`));
  const lost = (file?.erasures ?? []).filter(({ business, id }) => !here.has(`${business} ${id}`));
  const merchantIds = await selectMerchantIds(sql, [...new Set(lost.map(({ business }) => business))]);
  const now = clock.now();
  for (const { business, id, at, marks } of lost.filter(one => merchantIds.includes(one.business)))
    await insertErasure(sql, {
      merchant_id: business,
      erasure_id: id,
      asked_at: new Date(at),
      asked_by: 'list',
      marks,
      sealed: null,
      watch_until: later(now, watchFor),
      next_at: now,
    });
  return { key };
}

/**
 * Writes the key to the file before the database, which alone could lose it, and before any hash. One process at a
 * time: with two keys, each list would refuse the other.
 */
async function makeKey(world: Pick<World, 'sql' | 'secrets' | 'config'>): Promise<Problem | null> {
  const { sql, secrets, config } = world;
  return await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtextextended('erasure_keys', 0))`;
    if ((await learnErasureKey(tx, world)) !== null) return null;
    // From then on, every program that counts references needs the key. Older programs do not know it.
    const { older } = await findOlderProcesses(tx, [firstSchema]);
    if (older.length > 0) return { problem: 'older_process', cause: older.join('; ') };
    const file = readList(config.erasuresFile);
    if (file === 'damaged') return damaged(config);
    const key = file ? Buffer.from(file.key, 'base64') : randomBytes(32);
    const problem = file ? null : writeList(config, key, []);
    if (problem) return problem;
    await insertErasureKey(tx, secrets.seal(key.toString('base64'), erasureKeyBinding()));
    return null;
  });
}

async function storeHashes({ sql, secrets }: Pick<World, 'sql' | 'secrets'>, key: Buffer, erasure: Erasure) {
  const { merchant_id, erasure_id, sealed, marks } = erasure;
  if (marks.length > 0 || sealed === null || !secrets.isOpenable(sealed)) return;
  const values: string[] = JSON.parse(secrets.open(sealed, erasureBinding(merchant_id, erasure_id)));
  erasure.marks = values.map(value => hashValue(key, merchant_id, value));
  await sql`
    update erasures set marks = ${erasure.marks} where merchant_id = ${erasure.merchant_id} and erasure_id = ${erasure.erasure_id}`;
}

function readList(path: string): ListFile | 'damaged' | null {
  try {
    const list = JSON.parse(readFileSync(path, 'utf8'));
    const isWhole = Buffer.from(String(list.key), 'base64').length === 32 && Array.isArray(list.erasures);
    return isWhole ? list : 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'damaged';
  }
}

function writeList(
  { erasuresFile }: World['config'],
  key: Buffer,
  erasures: ListFile['erasures'],
): Problem | null {
  try {
    writeOwnFile(erasuresFile, `${JSON.stringify({ key: key.toString('base64'), erasures }, null, 1)}\n`);
    return null;
  } catch (cause) {
    return { problem: 'no_list', cause };
  }
}

const damaged = ({ erasuresFile }: World['config']): Problem => ({
  problem: 'no_list',
  cause: `${erasuresFile} cannot be read`,
});

function inFile({ merchant_id, erasure_id, asked_at, marks }: Listed): ListFile['erasures'][number] {
  return { business: merchant_id, id: erasure_id, at: asked_at.toISOString(), marks };
}
