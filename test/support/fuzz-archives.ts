import assert from 'node:assert/strict';
import type { Queryable, Transaction } from '../../src/base/database/connect.ts';
import { StartError } from '../../src/base/start-error.ts';
import { BrokenArchive } from '../../src/base/tar.ts';
import { hashPassword } from '../../src/business/accounts/password.ts';
import { inWords, openArchive, readThroughStage } from '../../src/operator/moving/read-merchant.ts';
import { openStage } from '../../src/operator/moving/staging-schema.ts';
import { tablesInOrder } from '../../src/operator/moving/write-merchant.ts';
import { findBreaches, findFirstBreach } from '../../src/operator/verify.ts';
import { addPeople } from './add-people.ts';
import { oldArchive, readArchive, removeArrived, writeBytes } from './forge-archive.ts';
import { arrive, create, places } from './moving-stage.ts';
import { mutate, throws, type Victim } from './mutate-archive.ts';
import { fc } from './same-dice.ts';
import { addTestMerchant } from './test-world.ts';

/** Rows that were rolled back stay in the temporary tables until the transaction ends, and slow the next checks down. */
const archivesInATransaction = 100;

type Case = { bytes: Buffer; what: string };
type Tally = { imported: number; refused: number; byCommand: { imported: number; refused: number } };

class Undone extends Error {}

/**
 * Each mutated archive is taken in and keeps every rule, or is refused in words and leaves nothing. The stage is opened
 * once for a hundred archives, and each is read through it and undone. The command gets `most` of those that were
 * imported, and of those that were refused one for each reason: it must agree.
 */
export async function fuzzArchives(runs: number, most: Tally['byCommand']): Promise<Tally> {
  const { world } = places.to;
  const victim = await addVictim();
  const original = await readArchive(oldArchive);
  const merchant = original.head['business'] as number;
  world.clock.set(new Date(original.head['written_at'] as string));
  await world.banks.reload(world);
  const before = await everything(world.sql);
  const cases = fc.sample(throws, runs).map((thrown, place): Case => {
    const bytes = mutate(original, thrown, victim);
    return { bytes, what: `archive ${place} ${JSON.stringify(thrown)}` };
  });
  const tally: Tally = { imported: 0, refused: 0, byCommand: { imported: 0, refused: 0 } };
  const seen = new Set<string>();
  for (let done = 0; done < runs; done += archivesInATransaction) {
    const batch = cases.slice(done, done + archivesInATransaction);
    const refusals = await playTogether(batch, merchant, before);
    await assertUnchanged(batch, merchant, before);
    for (const [place, refusal] of refusals.entries()) {
      const outcome = refusal === undefined ? 'imported' : 'refused';
      tally[outcome] += 1;
      const kind = refusal?.replaceAll(/\d+|\(.*\)/g, '') ?? batch[place]!.bytes.toString('latin1');
      if (seen.has(kind) || tally.byCommand[outcome] === most[outcome]) continue;
      seen.add(kind);
      tally.byCommand[outcome] += 1;
      assert.equal(await playByCommand(batch[place]!, merchant, before), outcome, batch[place]!.what);
    }
    // Each import by the command leaves dead catalog rows of its temporary tables, which would slow the next ones down.
    await world.sql.unsafe(
      'vacuum pg_attribute, pg_class, pg_type, pg_depend, pg_index, pg_constraint, pg_attrdef, pg_statistic',
    );
  }
  return tally;
}

/** Why each was refused; undefined where it was taken in. */
async function playTogether(
  cases: Case[],
  merchant: number,
  before: string[],
): Promise<(string | undefined)[]> {
  const refusals: (string | undefined)[] = [];
  const unusable = await hashPassword('nobody knows it');
  const undone = places.to.world.sql.begin(
    async tx => {
      await tx.unsafe(
        `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'`,
      );
      const stage = { ...(await openStage(tx, tablesInOrder, 'leaving')), unusable };
      for (const one of cases) {
        const problem = await play(tx, one, stage);
        if (problem === null) await assertArrived(tx, one, merchant, before);
        else assert.ok(isWorded(problem), `${one.what}: no sentence: ${problem.stack}`);
        refusals.push(problem?.message);
        await tx.unsafe('rollback to savepoint archive; release savepoint archive');
      }
      throw new Undone();
    },
    { patient: true },
  );
  await undone.catch(error => {
    if (!(error instanceof Undone)) throw error;
  });
  return refusals;
}

type Stage = Parameters<typeof readThroughStage>[2];

async function play(tx: Transaction, { bytes, what }: Case, stage: Stage): Promise<Error | null> {
  await tx.unsafe('savepoint archive');
  let archive: Awaited<ReturnType<typeof openArchive>>;
  try {
    archive = await openArchive(places.to.world, inChunks(bytes));
  } catch (error) {
    return error as Error;
  }
  const { head } = archive;
  try {
    await readThroughStage(tx, archive, stage);
    // The commit would check these.
    await tx.unsafe('set constraints all immediate');
    assert.equal(head.kind, 'leaving', `${what}: only its own installation can seal an archive`);
    return null;
  } catch (error) {
    return inWords(error, head) as Error;
  }
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

/** The command prints these; values that are nested too deep overflow the stack. */
function isWorded(error: Error): boolean {
  return [StartError, BrokenArchive, RangeError].some(kind => error instanceof kind);
}

/** Every rule holds over all businesses, no row of another one has changed, and each person gets one mail. */
async function assertArrived(tx: Transaction, { what }: Case, merchant: number, before: string[]) {
  assert.equal(await findFirstBreach(tx), undefined, what);
  assert.deepEqual(await everything(tx, merchant), before, what);
  await assertMailed(tx, what, merchant);
}

async function assertMailed(sql: Queryable, what: string, merchant: number): Promise<void> {
  const [mails] = await sql<{ isOurs: boolean }[]>`
    select array(select recipient from mails where merchant_id = ${merchant} order by 1)
      = array(select email from users where merchant_id = ${merchant} order by 1) as "isOurs"`;
  assert.ok(mails!.isOurs, `${what}: each person gets one mail of ours`);
}

/** Nothing was written outside of the transaction that was undone. If something was, names the archive that did it. */
async function assertUnchanged(cases: Case[], merchant: number, before: string[]): Promise<void> {
  const { sql } = places.to.world;
  const after = await everything(sql);
  if (after.join() === before.join()) return;
  for (const one of cases) {
    const previous = await everything(sql);
    await playTogether([one], merchant, before);
    assert.deepEqual(await everything(sql), previous, `${one.what} has written outside`);
  }
  assert.deepEqual(after, before, `one of ${cases.length} archives has written outside`);
}

/** Imports it like an operator, and then runs all checks of `verify`. */
async function playByCommand({ bytes, what }: Case, merchant: number, before: string[]) {
  const { world } = places.to;
  const problem: Error | null = await arrive(writeBytes(bytes)).then(
    () => null,
    error => error,
  );
  if (problem) assert.ok(problem instanceof StartError, `${what}: no sentence: ${problem.stack}`);
  else {
    assert.deepEqual(await findBreaches(world), [], what);
    await assertMailed(world.sql, what, merchant);
    await removeArrived(merchant);
  }
  assert.deepEqual(await everything(world.sql), before, what);
  return problem ? 'refused' : 'imported';
}

async function addVictim(): Promise<Victim> {
  const { world, app } = places.to;
  const { merchantId, apiKey } = await addTestMerchant(world, { name: 'Victim' });
  await addPeople(world, merchantId, 'victim');
  // The use of the key is written seconds later, unless it was known before.
  await world.sql`update api_keys set last_used_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
  const { order_id: orderId } = (await create(app, apiKey)).json();
  return { merchantId, orderId };
}

/** All rows of all tables, as one line for each table; without those of one business if it is given. */
async function everything(sql: Queryable, merchant = -1): Promise<string[]> {
  const tables = await sql<{ name: string; has_business: boolean }[]>`
    select c.relname as name, a.attname is not null as has_business
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  const parts = tables.map(
    ({ name, has_business }) =>
      `select '${name} ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as line from public.${name} t
       ${has_business ? 'where merchant_id is distinct from $1' : ''}`,
  );
  return (await sql.unsafe(parts.join(' union all '), [merchant])).map(({ line }) => line).sort();
}
