import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { addPeople } from '../../support/add-people.ts';
import {
  type Archive,
  oldArchive,
  type Row,
  readArchive,
  removeArrived,
  writeArchive,
} from '../../support/forge-archive.ts';
import {
  answers,
  arrive,
  exported,
  milaan,
  newFile,
  openMovingStage,
  places,
} from '../../support/moving-stage.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

openMovingStage();

const rows = (archive: Archive, table: string): Row[] => {
  if (!archive.tables.has(table)) archive.tables.set(table, []);
  return archive.tables.get(table)!;
};

async function sendAll(world: TestWorld) {
  const sent: { to: { address: string }[]; subject: string; text: string }[] = [];
  const smtp = { sendMail: async (message: unknown) => void sent.push(message as never) };
  while ((await sendMails(world, smtp, 'milaan@pay.example.in')).sent > 0);
  return sent;
}

test('an archive that release 0.2.0 exported is imported, and keeps every rule', async () => {
  const { head } = await readArchive(oldArchive);
  places.to.world.clock.set(new Date(head['written_at'] as string));
  assert.match(await arrive(oldArchive), /has arrived: 8 orders, 5 alerts, 5 raw mails, 4 events/);
  assert.deepEqual(await findBreaches(places.to.world), []);
  const shop = { apiKey: 'ml_test_1B1Jz0BieO7zB1lr5Oc1Z7ycy0Jcgnov0Dc1P0' };
  const said = await answers(places.to.app, shop as never);
  for (const status of ['pending', 'paid', 'failed', 'manual_review'])
    assert.ok(said[0]!.includes(`"status":"${status}"`), status);
  await removeArrived(head['business'] as number);
});

test('an import sends each of its people one mail of ours, and no text from the file', async () => {
  const archive = await readArchive(oldArchive);
  const { world } = places.to;
  const merchant = archive.head['business'] as number;
  const at = world.clock.now().toISOString();
  const later = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  const phish = 'Your bank account is locked: https://evil.example';
  rows(archive, 'notices').push({
    ...rows(archive, 'notices')[0],
    notice_id: 900,
    kind: 'deed',
    dedupe_key: phish,
    facts: { deed: { code: 'renamed', facts: { before: phish, after: phish } }, by: phish, at, from: phish },
  });
  const mail = {
    ...rows(archive, 'mails')[0],
    mail_id: 901,
    created_at: at,
    next_try_at: at,
    useful_until: later,
  };
  rows(archive, 'mails').push(
    { ...mail, notice_id: 900, recipient: null, subject: null, sent_at: null, tries: 0 },
    {
      ...mail,
      mail_id: 902,
      notice_id: null,
      recipient: 'victim@mail.example',
      subject: phish,
      sent_at: null,
      tries: 0,
    },
  );
  rows(archive, 'daily_summaries')[0]!['next_at'] = at;
  rows(archive, 'merchants')[0]!['name'] = phish;
  const [reader] = rows(archive, 'users').filter(({ role }) => role === 'cashier');
  Object.assign(reader!, { language: 'hi' });
  const file = writeArchive(archive);
  await arrive(file);
  await assert.rejects(arrive(file), /is here already/);
  await world.sql`update mails set next_try_at = null where merchant_id <> ${merchant}`;
  // One leaves each second, so that nobody's password link waits behind them.
  world.clock.advance(minute);
  const sent = await sendAll(world);
  const waiting = await world.sql`
    select kind from notices where merchant_id = ${merchant}
    union all select 'summary' from daily_summaries where merchant_id = ${merchant}`;
  await removeArrived(merchant);
  const mailed = sent.map(({ to }) => to.map(({ address }) => address).join());
  const people = rows(archive, 'users').map(({ email }) => String(email));
  assert.deepEqual(mailed.sort(), people.sort());
  for (const { to, subject, text } of sent) {
    const { language, role } = rows(archive, 'users').find(({ email }) => email === to[0]!.address)!;
    assert.match(subject, language === 'hi' ? /आपका खाता/ : /^Your account .* was moved$/);
    assert.equal(/webhook secret/.test(text), role === 'owner');
    assert.match(text, /\/dashboard\/sign-in\n/);
    assert.doesNotMatch(subject + text, /evil|locked/);
  }
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ['deed'],
    'ours alone',
  );
});

test('this installation’s notes about a business are not read from a file', async () => {
  const archive = await readArchive(oldArchive);
  const { world } = places.to;
  const merchant = archive.head['business'] as number;
  const future = new Date(world.clock.now().getTime() + 3_000 * 86_400_000).toISOString();
  Object.assign(rows(archive, 'merchants')[0]!, { removal_began_at: future, word_asked_at: future });
  const progress = { kept_days: null, window_days: 30, shrank_at: future };
  const choices = { early: { raw_mails: 1 }, early_since: future, early_at: future };
  rows(archive, 'history_progress')[0] = { ...rows(archive, 'history_progress')[0], ...progress, ...choices };
  await arrive(writeArchive(archive));
  const [noted] = await world.sql`
    select removal_began_at, word_asked_at, kept_days, window_days, shrank_at, early, early_since, early_at
    from merchants join history_progress using (merchant_id) where merchant_id = ${merchant}`;
  await removeArrived(merchant);
  const { early, ...moments } = noted!;
  assert.deepEqual(early, {});
  for (const [column, value] of Object.entries(moments)) assert.equal(value, null, column);
});

test('a file that hides its breaches as a removal is refused', async () => {
  await refused(/breaks a rule .*collections/, archive => {
    set('merchants', 'removal_began_at', '2026-01-01T00:00:00Z')(archive);
    set('collections', 'collected_paise', 7)(archive);
  });
  await refused(
    /an implausible history_progress\.mails_gone_to/,
    set('history_progress', 'mails_gone_to', '2030-01-01T00:00:00Z'),
  );
});

test('names with invisible characters are refused, in the head of the file too', async () => {
  await refused(/a strange merchants\.name/, set('merchants', 'name', 'Bank\u202eaidnI'));
  await refused(/a strange upi_accounts\.payee_name/, set('upi_accounts', 'payee_name', 'Ba\nnk'));
  await refused(/a strange payment_links\.title/, set('payment_links', 'title', 'Ba\u200bnk'));
  await refused(/its head is not one/, ({ head }) => Object.assign(head, { name: 'Ba\u202enk' }));
});

test('an archive of orders that a search could not find later is refused', async () => {
  const part = { month: '2026-01-01', part: 1, orders: 1, created_at: '2026-02-01T00:00:00Z' };
  for (const [file, content, why] of [
    ['1.csv.gz', Buffer.from('no gzip'), /1\.csv\.gz cannot be unpacked/],
    ['1.eml', Buffer.from('no gzip'), /1\.eml cannot be unpacked/],
    ['1.csv.gz', gzipSync(Buffer.alloc(9 * 1024 * 1024)), /1\.csv\.gz is larger than anything/],
  ] as const)
    await refused(why, archive => {
      archive.tables.set('order_archives', [{ merchant_id: archive.head['business'], ...part }]);
      archive.files.set('order_archives', [{ name: `order_archives/${file}`, content }]);
    });
});

needs('age').test('age ends with the import, although more bytes follow the end of the archive', async () => {
  const identity = newFile();
  const children = () => process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length;
  const before = children();
  const key = /age1\w+/.exec(spawnSync('age-keygen', ['-o', identity], { encoding: 'utf8' }).stderr)![0];
  const archive = await readArchive(oldArchive);
  const plain = writeArchive(archive, {}, bytes => Buffer.concat([bytes, randomBytes(2 ** 20)]));
  const file = newFile();
  assert.equal(spawnSync('age', ['--encrypt', '--recipient', key, '--output', file, plain]).status, 0);
  assert.match(await milaan(places.to.world, 'import-business', { file, identity }), /has arrived/);
  await removeArrived(archive.head['business'] as number);
  await waitFor('the end of age', async () => children() <= before);
});

test('the old installation still mails its owners what happened there, also that the business left', async () => {
  const { world } = places.from;
  const { merchantId } = await addTestMerchant(world);
  await addPeople(world, merchantId, 'leaves');
  await exported(merchantId);
  const sent = await sendAll(world);
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    ['The business was closed here, to move with everything it has'],
  );
});

async function refused(why: RegExp, change: (archive: Archive) => void, raw: Record<string, string> = {}) {
  const archive = await readArchive(oldArchive);
  change(archive);
  await assert.rejects(arrive(writeArchive(archive, raw)), (error: Error) => {
    assert.match(error.message, why);
    assert.match(error.message, /; nothing was imported$/);
    return true;
  });
  const [left] = await places.to.world.sql`
    select count(*)::int as count from orders where merchant_id = ${archive.head['business'] as number}`;
  assert.equal(left!['count'], 0);
}

const set = (table: string, column: string, value: unknown) => (archive: Archive) => {
  rows(archive, table)[0]![column] = value;
};

test('impossible values are refused by their name, and nothing is imported', async () => {
  const big = { big: '9007199254740993' };
  await refused(
    /an implausibly large alerts\.merchant_id \(9007199254740993\)/,
    set('alerts', 'merchant_id', 'big'),
    big,
  );
  await refused(/an implausibly large business \(281474976710656\)/, ({ head }) =>
    Object.assign(head, { business: 2 ** 48 }),
  );
  await refused(
    /an implausibly large or negative passkeys\.counter \(9007199254740993\)/,
    set('passkeys', 'counter', 'big'),
    big,
  );
  await refused(/negative history_progress\.window_days \(-1\)/, set('history_progress', 'window_days', -1));
  await refused(
    /an implausible orders\.created_at \(0001-01-01/,
    set('orders', 'created_at', '0001-01-01T00:00:00Z'),
  );
  await refused(
    /an implausible orders\.expires_at \(9999-/,
    set('orders', 'expires_at', '9999-12-31T00:00:00Z'),
  );
  await refused(/an implausible orders\.seen_at \(infinity\)/, set('orders', 'seen_at', 'infinity'));
  await refused(
    /an implausible raw_mails\.arrived_at/,
    set('raw_mails', 'arrived_at', '2027-01-01T00:00:00Z'),
  );
  await refused(/an overlong payment_links\.title \(xxx/, set('payment_links', 'title', 'x'.repeat(70_000)));
});

test('values that mislead people, link elsewhere or break a rule are refused, and nothing is imported', async () => {
  const deep = {
    deep: `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
    abyss: `${'['.repeat(99_999)}${']'.repeat(99_999)}`,
  };
  await refused(/a too deep alerts\.facts/, set('alerts', 'facts', 'deep'), deep);
  await refused(
    /the archive's alerts cannot be stored: .*stack depth/,
    set('alerts', 'facts', 'abyss'),
    deep,
  );
  await refused(/nothing was imported/, set('merchants', 'keeps', 'abyss'), deep);
  await refused(/a strange alerts\.addresses/, set('alerts', 'addresses', [['a'], ['b']]));
  await refused(
    /a strange orders\.success_url \(javascript:alert/,
    set('orders', 'success_url', 'javascript:alert(1)'),
  );
  await refused(/a strange users\.email \(a@b\.in, c@d\.in\)/, set('users', 'email', 'a@b.in, c@d.in'));
  await refused(/a strange merchants\.name/, set('merchants', 'name', `Bank\nClick ${'x'.repeat(70)}`));
  await refused(
    /a strange delivery_queue\.destination/,
    set('delivery_queue', 'destination', 'click evil.example'),
  );
  await refused(
    /orders cannot be stored: .* violates check constraint .*stolen/,
    set('orders', 'status', 'stolen'),
  );
  await refused(
    /alerts cannot be stored: .*invalid input syntax for type bigint/,
    set('alerts', 'amount_paise', 'x'),
  );
  await refused(/alerts cannot be stored: .*\\u0000/, set('alerts', 'payer', 'a\u0000b'));
  await refused(/is not present in table "orders"/, set('order_purposes', 'order_id', 'ML-1'));
  await refused(/is not present in table "upi_accounts"/, set('orders', 'account_id', 'acc_other'));
  await refused(/it has 0 businesses/, ({ tables }) => {
    const users = tables.get('users')!;
    tables.clear();
    tables.set('users', users);
  });
  await refused(
    /breaks a rule that holds for every business \(.*collections/,
    set('collections', 'collected_paise', 7),
  );
  await refused(/breaks a rule .*\(audit: /, set('audit_log', 'actor', 'nobody'));
});
