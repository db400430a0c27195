import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { judgeStoredMails } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { later } from '../../../src/base/clock.ts';
import { connect, type Queryable } from '../../../src/base/database/connect.ts';
import { migrate, SchemaRefused } from '../../../src/base/database/migrate.ts';
import {
  migrationNames,
  migrationsFolder,
  readMigrations,
} from '../../../src/base/database/migration-files.ts';
import { guardTime, lateWindow, payableTime } from '../../../src/base/time-windows.ts';
import { version } from '../../../src/base/version.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { attemptDelivery } from '../../../src/outbox/webhooks/attempt-delivery.ts';
import { claimDue } from '../../../src/outbox/webhooks/queries/attempts.ts';
import { recordAttempt } from '../../../src/outbox/webhooks/record-attempt.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../../src/outbox/webhooks/sign-webhook.ts';
import { liveSettings } from '../../support/live-config.ts';
import { mailKey, signMail } from '../../support/signed-mail.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { allPlaces } from '../../support/webhook-world.ts';

const world = await openTestWorld({ ...liveSettings, WEBHOOK_ALLOW: '127.0.0.1' }, { most: 4 });
const { sql } = world;
const folder = mkdtempSync(join(tmpdir(), 'milaan-migrations-'));
const place = pathToFileURL(`${folder}/`);
const release = readFileSync(new URL('release-0.1.0.sql', import.meta.url), 'utf8');
after(async () => {
  rmSync(folder, { recursive: true });
  await world.stop();
});
beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await sql.unsafe('drop schema public cascade; create schema public');
});

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};
const run = () => migrate(sql, () => {}, { folder: place });
const tables = async () =>
  (
    await sql<
      { name: string }[]
    >`select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r' order by relname`
  ).map(({ name }) => name);

test('a database of release 0.1.0 is upgraded with everything that is in it', async () => {
  await sql.unsafe(release);
  // A wrong clock wrote this row: it must not create a partition for each week since.
  await sql`update events set created_at = '1970-01-05' where event_id = (select min(event_id) from deliveries where state = 'delivered')`;
  const count = async (table: string) => (await sql.unsafe(`select count(*) as n from ${table}`))[0]!['n'];
  const [before] = await sql<{ tables: string[] }[]>`
    select array_agg(relname::text) as tables from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  for (const table of before!.tables) assert.notEqual(await count(table), 0, `${table} has no rows to lose`);
  const kept = [
    'merchants',
    'orders',
    'alerts',
    'events',
    'deliveries',
    'order_archives',
    'notices',
    'users',
  ];
  const counts = await Promise.all(kept.map(count));
  const mails = await sql`select alert_id, raw from alerts where raw is not null order by alert_id`;
  const sent = await sql`select event_id, body, webhook_url from events order by event_id`;
  const { applied } = await migrate(sql);
  const added = migrationNames().filter(name => !release.includes(`-- ${name}\n`));
  assert.deepEqual(applied, [...added, 'functions']);
  assert.deepEqual(await Promise.all(kept.map(count)), counts);
  assert.deepEqual(
    await sql`select event_id, body, webhook_url from events join event_bodies using (merchant_id, event_id, created_at) order by event_id`,
    sent,
  );
  assert.deepEqual(await sql`select alert_id, raw from raw_mails order by alert_id`, mails);
  assert.deepEqual(await findBreaches({ sql }), []);
  assert.deepEqual((await migrate(sql)).applied, []);
  await traffic();
  assert.deepEqual(await findBreaches({ sql }), []);
});

/** An older order is paid by its bank's mail, waiting webhooks arrive, and a new order is created. */
async function traffic(): Promise<void> {
  world.clock.set('2026-12-01T06:43:00Z');
  const now = world.clock.now();
  world.dns.texts.set('alerts._domainkey.hdfcbank.net', [mailKey(2048, 'hdfc').record]);
  const shop = await startReceiver();
  await sql`update orders set webhook_url = ${shop.url}`;
  await sql`update events set webhook_url = ${shop.url}`;
  for (const { merchant_id: id } of await sql<{ merchant_id: number }[]>`select merchant_id from merchants`)
    await sql`
      update merchants set webhook_secret = ${world.secrets.seal(newWebhookSecret(), webhookSecretBinding(id))}
      where merchant_id = ${id}`;
  const [order] = await sql<{ merchant_id: number; order_id: string }[]>`
    select merchant_id, order_id from orders where status = 'pending' and payable_paise = 49937`;
  const merchantId = order!.merchant_id;
  const lines = [
    'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
    'To: tx2z7k0pnh@mail.example',
    'Subject: View: Account update for your HDFC Bank A/c',
    'Date: Tue, 01 Dec 2026 06:43:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
  ];
  const body =
    '<p>Dear Customer, Rs. 499.37 is successfully credited to your account **4321 by VPA ravi@okaxis RAVI KUMAR on 01-12-26. Your UPI transaction reference number is 690000000042.</p>\r\n';
  const signer = { domain: 'hdfcbank.net', selector: 'alerts', key: mailKey(2048, 'hdfc') };
  const raw = signMail(lines, body, signer);
  await sql.begin(tx => storeMail(tx, { merchantId, raw, arrivedAt: now, foundIn: 'INBOX' }));
  const judging = openJudging(world);
  await judgeStoredMails(world, judging.tools);
  await judging.close();
  const due = await claimDue(world, allPlaces);
  for (const one of due) {
    const attempt = await attemptDelivery(world, one, new AbortController().signal);
    assert.equal(await recordAttempt(world, one, attempt, Math.random), 'delivered');
  }
  await shop.stop();
  const received = shop.received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(received.map(({ type, data }) => data.merchant_order_id ?? type).sort(), [
    'cart tx2z7k0pnh',
    'way-late',
    'webhook.test',
  ]);
  assert.equal(received.find(({ data }) => data.order_id === order!.order_id).data.status, 'paid');
  const expires = later(now, payableTime);
  const [created] = await sql`
    select outcome from create_order(${merchantId}, null, 'ML-1', 'after', 49900, ${now}, ${expires},
      ${later(expires, lateWindow + guardTime)}, 'token', null, '', '', ${shop.url}, null)`;
  assert.deepEqual(created, { outcome: 'created' });
}

test('a link counts what it earned before, during and after its migrations once', async () => {
  const upTo = (last: string) => {
    for (const name of migrationNames().filter(name => name < last))
      cpSync(new URL(name, migrationsFolder), join(folder, name));
    return run();
  };
  const links = ['few', 'many'];
  const pay = (round: number, on: Queryable = sql) => on`
    update orders set status = 'paid', paid_at = now(), alert_id = order_id, received_paise = 100 + ${round}
    where order_id in ${sql(links.map(link => `${link}-${round}`))}`;
  await upTo('0037');
  await sql.unsafe(`begin; set local session_replication_role = replica;
    insert into merchants (merchant_id, name, plan, created_at, webhook_secret) values (1, '', 'standard', now(), '');
    insert into payment_links (merchant_id, link_id, token, title, amount_paise, stock, made_by, created_at)
      values (1, 'few', 'few', 'Thali', 100, 5, '', now()), (1, 'many', 'many', 'Thali', 100, null, '', now());
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, account_id, status,
        success_url, failure_url, webhook_url, created_at, expires_at, pay_token)
      select 1, id, 'till-' || id, 100, 101, 'a', 'pending', '', '', '', now(), now(), id
      from (select link || '-' || n as id from unnest('{few,many}'::text[]) link, generate_series(1, 4) n) ids;
    insert into order_purposes (merchant_id, order_id, purpose, link_id, created_at)
      select 1, order_id, '', split_part(order_id, '-', 1), now() from orders;
    commit`);
  await pay(1);
  await upTo('0043');
  await pay(2);
  await upTo('0045');
  let migrating: Promise<unknown> | undefined;
  await sql.begin(async tx => {
    await pay(3, tx);
    migrating = migrate(sql);
    await waitFor('the count to wait for this payment', () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.some(),
    );
  });
  await migrating;
  await pay(4);
  assert.deepEqual(
    [...(await sql`select link_id, paid_pieces, earned_paise from payment_links order by 1`)],
    links.map(link => ({ link_id: link, paid_pieces: 4, earned_paise: 101 + 102 + 103 + 104 })),
  );
});

test('a migration of release 0.1.0 is never changed', () => {
  for (const name of migrationNames().filter(name => name < '0023')) {
    assert.ok(release.includes(`-- ${name}\n${readFileSync(`migrations/${name}`, 'utf8')}`), name);
  }
});

test('a migration of release 0.2.0 is never changed, removed or preceded by a further one', () => {
  const found = readMigrations(migrationsFolder, false).filter(({ name }) => name < '0037');
  const lines = found.map(({ name, checksum }) => `${checksum}  migrations/${name}\n`);
  assert.equal(lines.join(''), readFileSync(new URL('release-0.2.0.sha256', import.meta.url), 'utf8'));
});

test('each migration is a transaction of its own: one that fails leaves those before it', async () => {
  write({
    '1.sql': 'create table one ()',
    '2.sql': 'create table two (); select 1 / 0',
    '3.sql': 'create table three ()',
  });
  await assert.rejects(run, /division by zero/);
  assert.deepEqual(await tables(), ['migrations', 'one']);
  write({ '2.sql': 'create table two ()' });
  assert.deepEqual((await run()).applied, ['2.sql', '3.sql']);
});

test('many processes that start at once apply each migration once, an index built concurrently among them', async () => {
  write({
    '1.sql': 'create table one (a int); insert into one select generate_series(1, 20000)',
    '2.sql': `-- Why.\n-- outside a transaction\ndrop index concurrently if exists one_a;\ncreate index concurrently one_a on one (a);\n`,
    '3.sql': 'create table three ()',
  });
  const starters = Array.from({ length: 5 }, () => connect(world.databaseUrl, { most: 2 }));
  const done = await Promise.all(starters.map(one => migrate(one, () => {}, { folder: place })));
  await Promise.all(starters.map(one => one.end()));
  assert.deepEqual(done.flatMap(({ applied }) => applied).sort(), ['1.sql', '2.sql', '3.sql']);
  const [index] = await sql`select indisvalid from pg_index where indexrelid = 'one_a'::regclass`;
  assert.deepEqual(index, { indisvalid: true });
});

test('a migration that was changed after it was applied is refused with a message; other line ends are no change', async () => {
  write({ '1.sql': 'create table one ();\n-- the end\n' });
  await run();
  write({ '1.sql': 'create table one ();\r\n-- the end\r\n' });
  await run();
  write({ '1.sql': 'create table one (a int);\n' });
  await assert.rejects(run, (error: Error) => {
    assert.ok(error instanceof SchemaRefused);
    assert.match(error.message, /^migration 1\.sql was changed after it had been applied to this database/);
    return true;
  });
});

test('a database of a build between two releases is refused with a message, and not changed', async () => {
  write({ '1.sql': 'create table one ()', '3.sql': 'create table three ()' });
  await run();
  await sql`insert into migrations (name, runs_beside, version) values ('2_squashed.sql', true, ${version})`;
  write({ '4.sql': 'create table four ()' });
  await assert.rejects(run, (error: Error) => {
    assert.ok(error instanceof SchemaRefused);
    assert.match(error.message, /^the database was made by a build between two releases \(2_squashed\.sql\)/);
    return true;
  });
  assert.deepEqual(await tables(), ['migrations', 'one', 'three']);
});

test('a migration whose table somebody has locked stops with a message, and is applied later', async () => {
  write({ '1.sql': 'alter table one add column b int' });
  await sql`create table one (a int)`;
  const other = connect(world.databaseUrl, { most: 2 });
  const holder = await other.reserve();
  await holder`begin`;
  await holder`lock table one in share mode`;
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    if (line.includes('waits')) void holder.unsafe('commit');
  };
  assert.deepEqual((await migrate(sql, say, { folder: place })).applied, ['1.sql']);
  assert.ok(
    said.includes('migration 1.sql waits: somebody else uses its tables; tried again in 1 s'),
    said.join('\n'),
  );
  holder.release();
  await other.end();
});

test('a migration that ended in a deadlock is tried again', async () => {
  write({
    '1.sql': 'lock table one; select pg_advisory_xact_lock(17); lock table two; create table three ()',
  });
  await sql.unsafe('create table one (); create table two ()');
  const other = connect(world.databaseUrl, { most: 2 });
  const holder = await other.reserve();
  // It would rather wait than be the one that is ended.
  await holder.unsafe(
    `set deadlock_timeout = '10min'; begin; lock table two; select pg_advisory_xact_lock(17)`,
  );
  const said: string[] = [];
  const migrating = migrate(sql, line => said.push(line), { folder: place });
  await waitFor('the migration waits', async () => {
    const [row] = await other`
      select from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and objid = 17 and not granted and datname = current_database()`;
    return row !== undefined;
  });
  const theirs = holder.unsafe('lock table one; commit');
  assert.deepEqual((await migrating).applied, ['1.sql']);
  await theirs;
  assert.match(said.join('\n'), /migration 1\.sql waits/);
  holder.release();
  await other.end();
});
