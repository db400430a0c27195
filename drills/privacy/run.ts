import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { hour, minute } from '../../src/base/clock.ts';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { postgresEnvironment } from '../../src/operator/backup/postgres-tools.ts';
import { verifyRules } from '../../src/operator/verify.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { endCredit } from '../../src/payments/review/decide-by-hand.ts';
import { eraseDue } from '../../src/privacy/start-erasing.ts';
import { openErasingStage, personValues } from '../../test/support/erasing-stage.ts';
import { debianPostgres } from '../standby/postgres.ts';

/** Erases a person with fifty traces while alerts arrive and archives are written. Then restores an earlier backup. */
const traces = 50;
const bin = debianPostgres();
if (bin === null) throw new Error("this drill needs Debian's PostgreSQL, whose pg_dump it reads");
process.env['MILAAN_TEST_POSTGRES'] = bin;
const stage = await openErasingStage();
try {
  await play();
} finally {
  await stage.stop();
}

async function play(): Promise<void> {
  const world = stage.world();
  const { sql, clock } = world;
  const { merchantId } = stage.who();
  await sql`insert into plans (plan, history_days) values ('short', 30)`;
  await sql`update merchants set plan = 'short' where merchant_id = ${merchantId}`;
  for (let number = 0; number < traces; number++) {
    await stage.buy({}, { reference: `6912345${String(number).padStart(5, '0')}` });
    if (number % 10 === 0) await stray(number);
    clock.advance(6 * hour);
    await stranger(number);
    await stage.deliver();
    clock.advance(12 * hour);
  }
  await keepHistory(world);
  const before = await left(sql, world.databaseUrl);
  console.log(`${traces} payments of one person stand in ${before.join(', ')}`);
  const backup = join(stage.folder, 'backup.dump');
  tool('pg_dump', ['--format=custom', '--no-owner', `--file=${backup}`], world.databaseUrl);

  await stage.ask(`9876543210, rahul.sharma@example.in`);
  let isOver = false;
  const beside = (async () => {
    for (let number = 100; !isOver; number++) await stranger(number);
  })();
  const archiving = (async () => {
    while (!isOver) await keepHistory(world);
  })();
  for (let round = 0; round < 5; round++) {
    await stage.erase();
    clock.advance(11 * minute);
  }
  isOver = true;
  await Promise.all([beside, archiving]);
  await stage.deliver();
  clock.advance(hour);
  await stage.erase();
  const { report } = await stage.reportOf();
  console.log(
    `erased: ${JSON.stringify(report.erased)}, waits: ${report.waits?.length}, kept: ${JSON.stringify(report.kept)}`,
  );
  assert.deepEqual(report.waits, []);
  assert.deepEqual(await left(sql, world.databaseUrl), [], 'a search of the dump');
  assert.equal(await verifyRules(world, sql), 0);

  const restoredUrl = new URL(world.databaseUrl);
  restoredUrl.pathname = '/restored';
  await sql.unsafe('create database restored template template0');
  tool('pg_restore', ['--no-owner', '--exit-on-error', '--dbname=restored', backup], world.databaseUrl);
  const restored = connect(restoredUrl.href, { most: 4 });
  try {
    assert.deepEqual(await left(restored, restoredUrl.href), before, 'the backup brings it back');
    const anew = { ...world, sql: restored, secrets: { ...world.secrets } };
    for (let round = 0; round < 3; round++) {
      await eraseDue(anew, 'restored');
      clock.advance(61 * minute);
    }
    assert.deepEqual(await left(restored, restoredUrl.href), [], 'the list erases it again');
    assert.equal(await verifyRules(anew, restored, () => {}), 0);
    console.log('restored, erased again by the list, all rules hold');
  } finally {
    await restored.end({ timeout: 1 });
  }
}

async function stranger(number: number): Promise<void> {
  const customer = { name: 'Asha', email: `asha${number}@example.in` };
  await stage.buy(
    { customer, amount: 700 },
    { reference: `6988${String(number).padStart(8, '0')}`, payer: `asha${number}` },
  );
}

/** Money without an order, which somebody gave back and wrote about. */
async function stray(number: number): Promise<void> {
  const alertId = await stage.pay(777_77, { reference: `6977${String(number).padStart(8, '0')}` });
  const end = {
    alertId,
    end: 'given_back',
    returnReference: null,
    note: 'to Rahul Sharma, 98765 43210',
  } as const;
  await stage.world().sql.begin(tx => endCredit(tx, stage.who(), end));
}

/** Finds the places of a value in the dump, also inside compressed columns. */
async function left(sql: Sql, url: string): Promise<string[]> {
  const dump = tool('pg_dump', ['--no-owner'], url);
  const found = new Set<string>();
  let table = '';
  for (const line of dump.split('\n')) {
    table = /^COPY public\.(\w+) /.exec(line)?.[1] ?? table;
    if (personValues.some(value => line.includes(value)))
      found.add(table.replace(/_(default|p?\d{4}\w*)$/, ''));
  }
  const opened = [
    ...(await sql<{ at: string; bytes: Buffer }[]>`select 'raw_mails' as at, raw as bytes from raw_mails`),
    ...(await sql<
      { at: string; bytes: Buffer }[]
    >`select 'order_archives' as at, csv_gzip as bytes from order_archives`),
  ];
  for (const { at, bytes } of opened) {
    const text = String(at === 'raw_mails' ? inflateSync(bytes) : gunzipSync(bytes));
    if (personValues.some(value => text.includes(value))) found.add(at);
  }
  return [...found].sort();
}

function tool(name: string, args: string[], url: string): string {
  const env = { ...process.env, ...postgresEnvironment(url) };
  return execFileSync(join(bin!, name), args, { env, encoding: 'utf8', maxBuffer: 1 << 30 });
}
