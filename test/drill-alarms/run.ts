import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBankBook } from '../../src/alerts/bank-book.ts';
import { later, minute, systemClock } from '../../src/clock.ts';
import { connect } from '../../src/database/connect.ts';
import { freePort } from '../../src/free-port.ts';
import { openLog } from '../../src/log.ts';
import { connectMailbox } from '../../src/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/mailboxes/open-connection.ts';
import { openMetrics } from '../../src/metrics.ts';
import { openDns } from '../../src/network/dns.ts';
import { addDevice } from '../../src/pushes/add-device.ts';
import { newSecretKey, secretBox } from '../../src/secrets.ts';
import { startDovecot } from '../support/dovecot.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { install } from '../support/install.ts';
import { liveConfig } from '../support/live-config.ts';
import { createPatiently } from '../support/live-shop.ts';
import { playDrill } from '../support/play-drill.ts';
import { type Program, startReady } from '../support/program.ts';
import { startPushService } from '../support/push-service.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { mailKey } from '../support/signed-mail.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { mailbox, openBank } from './bank.ts';
import { fillDisk } from './fill-disk.ts';
import { fires, readRules } from './fires.ts';
import { type Scrape, scrape } from './scrape.ts';
import { setClocks } from './set-clocks.ts';

/** `npm run alarm-drill`: breaks one real thing after the other, and Prometheus itself says whether its alarm rings. */
install('the drill needs', [
  ['/usr/bin/promtool', 'prometheus'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ['/usr/lib/postgresql', 'postgresql'],
]);
const token = 'figures-please';
const longest = 240_000;
/** In the function claim_deliveries. */
const turnsOfSenders = 7_264_252;

await playDrill('alarm drill', async ({ folder, onEnd, see }) => {
  execFileSync('promtool', ['check', 'rules', 'packaging/prometheus/milaan.rules.yml'], { stdio: 'ignore' });
  const database = await openTestDatabase();
  onEnd(() => database.stop());
  const dovecot = await startDovecot();
  let isDovecotGone = false;
  const endDovecot = async () => {
    if (!isDovecotGone) await dovecot.stop();
    isDovecotGone = true;
  };
  onEnd(endDovecot);
  const bank = await openBank(dovecot);
  onEnd(() => bank.dns.stop());
  let answer = 200;
  const receiver = await startReceiver(response => void response.writeHead(answer).end());
  onEnd(() => receiver.stop());
  writeFileSync(join(folder, 'ca.pem'), dovecot.ca);
  writeFileSync(join(folder, 'plans.json'), '{ "standard": {}, "short": { "history_days": 7 } }');
  const secretKey = newSecretKey();
  const env = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    DNS_SERVERS: bank.dns.address,
    IMAP_CA_FILE: join(folder, 'ca.pem'),
    BANKS_FILE: resolve('test/support/test-bank.json'),
    WEBHOOK_ALLOW: '127.0.0.1',
    HOST: '127.0.0.1',
    METRICS_TOKEN: token,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    // Nobody listens there: mails to owners fail.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@example.in',
    MAIL_DOMAIN: 'alerts.example.in',
    PLANS_FILE: join(folder, 'plans.json'),
    PUSH_KEY: newSecretKey(),
    RECEIVE_HOST: '127.0.0.1',
    RECEIVE_PORT: String(await freePort()),
  };
  const world = {
    config: liveConfig({ WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' }),
    baseUrl: env.PUBLIC_URL,
    sql: database.sql,
    clock: systemClock,
    dns: openDns([bank.dns.address]),
    log: openLog('silent'),
    metrics: openMetrics(),
    secrets: secretBox([Buffer.from(secretKey, 'base64')]),
    banks: openBankBook(() => []),
  };
  const { merchantId, apiKey } = await addTestMerchant(world, { account: { bank: 'test' } });
  await dovecot.setPassword(mailbox, 'sesame');
  const way = await startFaultProxy(dovecot);
  onEnd(() => way.stop());
  const place = { provider: 'other' as const, address: mailbox, host: dovecot.host, port: way.port };
  const credential = { kind: 'password' as const, password: 'sesame' };
  await connectMailbox(world, merchantId, { ...place, credential }, { roots: trustedRoots(dovecot.ca) });

  const pushService = await startPushService();
  onEnd(() => pushService.stop());
  let program: Program = await startReady(folder, { env });
  const end = async (how: NodeJS.Signals) => {
    program.child.kill(how);
    await program.ended;
  };
  onEnd(() => end('SIGTERM'));
  const now = () => scrape(program.url, token);
  const fired = new Set<string>();
  /** Looks at the metrics until Prometheus rings on what it read. */
  const rings = async (alarm: string, broken: string, calm: Scrape, look = now) => {
    let why: string | null = '';
    await waitFor(
      alarm,
      async () => {
        why = fires(folder, alarm, calm, await look());
        if (why !== null) await sleep(2_000);
        return why === null;
      },
      longest,
    ).catch(() => {});
    if (why === null) fired.add(alarm);
    see(`${alarm} rings: ${broken}`, why === null, why ?? '');
  };
  const order = async (amount: number) =>
    (await createPatiently(program.url, apiKey, { amount, webhook_url: receiver.url })).order;
  const pay = async (amount: number) => {
    const { payable_amount: rupees } = await order(amount);
    await bank.writes(rupees);
  };
  const retried = () =>
    waitFor(
      'a delivery that will be tried again',
      async () =>
        (await database.sql`select from deliveries where state = 'waiting' and attempt > 1`).length > 0,
      longest,
    );
  await pay(100);
  await waitFor('a payment while all is well', () => receiver.received.length === 1);
  await runMilaan(env, 'verify');
  await sleep(16_000);
  const calm = await now();
  const quiet = readRules().filter(({ name }) => fires(folder, name, calm, calm) === null);
  see('while all is well no alarm rings', quiet.length === 0, quiet.map(({ name }) => name).join());

  bank.answers = false;
  await bank.writes(1, { selector: 'unseen' });
  await rings('MilaanAlertsRetrying', 'DNS answers with failures, and a mail with a new key waits', calm);
  bank.answers = true;

  bank.keys.set('s2._domainkey.test.bank.in', mailKey(2048, 'hdfc'));
  await bank.writes(1, { selector: 's2', key: mailKey(2048, 'hdfc') });
  await waitFor('the second key', async () => (await database.sql`select from dkim_keys`).length >= 2);
  await bank.writes(1, { selector: 's2' });
  await rings('MilaanKeysDoubted', 'the key in DNS does not fit a mail that is whole in itself', calm);
  bank.keys.set('s2._domainkey.test.bank.in', mailKey(2048, 'bank'));
  await bank.writes(2, { selector: 's2' });
  await rings('MilaanKeyChanged', 'the bank puts another key under the same name', calm);

  for (let count = 0; count < 7; count++) await bank.writes(3, { forge: true });
  await rings('MilaanForged', 'seven mails were changed after they had been signed', calm);
  for (let count = 0; count < 5; count++)
    await bank.writes(3, { text: 'Rs.3.00 has been added to your wallet XX4321 from ravi@okbank.' });
  await rings('MilaanUnreadable', 'the bank changed its wording', calm);
  bank.keys.set('s1._domainkey.new.bank.in', mailKey(2048, 'bank'));
  await bank.writes(4, { domain: 'new.bank.in' });
  await rings('MilaanUnlistedDomain', 'the bank signs with another domain', calm);
  const held = await order(70);
  await bank.writes(held.payable_amount, { line: 'Now open seven days a week.' });
  await rings('MilaanNewLines', 'the bank puts a new line above its sentence', calm);

  way.rewrite(said => said.replace(/^\* SEARCH( \d+)*/gm, '$& 4000000000'));
  await bank.writes(4.5);
  await rings('MilaanMailUnfetchable', 'the mail server lists a mail that it does not hand out', calm);
  way.rewrite(null);

  const opened = systemClock.now();
  await database.sql`
    insert into forward_addresses (merchant_id, address, opened_at, works_since)
    values (${merchantId}, 'alerts-drill@alerts.example.in', ${opened}, ${opened})`;
  await database.sql`
    insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at, probe_waiting_since)
    values (${merchantId}, 'shop@forwarded.example', ${opened}, ${opened}, ${later(opened, -6 * minute)})`;
  await rings('MilaanForwardingsSilent', 'a probe that left six minutes ago has not come back', calm);

  const lock = await database.sql.reserve();
  await lock`set statement_timeout = 0`;
  await lock`begin`;
  await lock`lock table dkim_keys in access exclusive mode`;
  for (let count = 0; count < 400; count++) await bank.writes(5, { selector: `stuck${count}` });
  await rings('MilaanAlertsWaiting', 'a table that every judgement needs is locked, and mails pile up', calm);
  await lock`rollback`;

  answer = 500;
  await pay(110);
  await retried();
  await lock`select pg_advisory_lock(${turnsOfSenders})`;
  await rings('MilaanWebhooksLate', 'a sender that hangs keeps the lock by which all take turns', calm);
  await lock`select pg_advisory_unlock(${turnsOfSenders})`;
  lock.release();
  answer = 200;

  for (const name of ['a', 'b', 'c'])
    await runMilaan(env, 'create-business', '--name', name, '--email', `${name}@owners.example.in`);
  for (const row of await database.sql<
    { merchant_id: number }[]
  >`select merchant_id from users where email like '%@owners.example.in'`)
    await runMilaan(env, 'disable', '--business', String(row.merchant_id));
  await rings('MilaanMailOut', 'the SMTP server is away, and owners are to be told', calm);

  const owners = await database.sql<{ merchant_id: number; user_id: string }[]>`
    select merchant_id, user_id from users where email like '%@owners.example.in'`;
  for (const { merchant_id: merchantId, user_id: userId } of owners) {
    const { subscription } = pushService.newDevice();
    // Nobody listens there.
    const away = { ...subscription, endpoint: `https://127.0.0.1:1/${userId}` };
    const device = { merchantId, userId, sessionId: 'drill', agent: 'drill', now: systemClock.now() };
    await database.sql.begin(tx => addDevice(tx, { ...device, subscription: away }));
  }
  await rings('MilaanPushesFail', 'the push service of every device is away', calm);

  const stalling = setInterval(() => {
    program.child.kill('SIGSTOP');
    setTimeout(() => program.child.kill('SIGCONT'), 400);
  }, 900);
  await rings('MilaanSlow', 'the process gets no processor for 0.4 s again and again', calm);
  clearInterval(stalling);
  await sleep(500);
  program.child.kill('SIGCONT');

  await database.sql`update collections set collected_paise = collected_paise + 1`;
  await runMilaan(env, 'verify');
  await rings('MilaanRoutineFailed', 'verify finds a broken rule', calm);
  await database.sql`update migrations set applied_at = applied_at - interval '2 days'`;
  await rings('MilaanBackupOld', 'no backup was made in the two days of this installation', calm);
  await database.sql`update routines set succeeded_at = succeeded_at - interval '2 days' where routine = 'verify'`;
  await rings('MilaanVerifyOld', 'verify did not succeed for two days', calm);

  await setClocks({ folder, onEnd, rings }, env, database);
  const admin = connect(database.url, { most: 1 });
  const { pathname } = new URL(database.url);
  await end('SIGKILL');
  await rings('MilaanDown', 'the process was killed', calm);
  // Taken while the clocks stood five minutes ahead, it would outlast the wait below.
  await database.sql`delete from leases`;
  await runMilaan(env, 'set-plan', '--business', String(merchantId), '--plan', 'short');
  await database.sql`update orders set created_at = created_at - interval '30 days' where paid_at is not null`;
  const archiving = await admin.reserve();
  await archiving`set statement_timeout = 0`;
  await archiving`begin`;
  await archiving`lock table order_archives in access exclusive mode`;
  await bank.writes(6);
  await sleep(65_000);
  await dovecot.setPassword(mailbox, 'sesame');
  program = await startReady(folder, { env });
  const restarted = await now();
  await rings('MilaanMailLate', 'a mail lay in the mailbox for a minute before anybody looked', restarted);
  await rings('MilaanHistoryOverdue', 'somebody holds the archives, and old orders cannot leave', restarted);
  await archiving`rollback`;
  archiving.release();

  answer = 500;
  await pay(120);
  await retried();
  await end('SIGTERM');
  program = await startReady(folder, { env: { ...env, SECRET_KEY: newSecretKey() }, args: ['deliver'] });
  const otherKey = await now();
  await database.sql`update delivery_queue set due_at = now()`;
  await rings(
    'MilaanWebhooksNotSigned',
    'SECRET_KEY is not the one that sealed the webhook secrets',
    otherKey,
  );
  await end('SIGTERM');
  await dovecot.setPassword(mailbox, 'changed');
  program = await startReady(folder, { env });
  await rings('MilaanLoginRefused', 'the mailbox takes the password no longer', calm);
  await dovecot.setPassword(mailbox, 'sesame');
  await endDovecot();
  await rings('MilaanMailboxesBlind', 'the mail server is away', calm);

  await admin.unsafe(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  await admin.unsafe(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await rings('MilaanNotReady', 'the database can only be read', calm);
  await admin.unsafe('set default_transaction_read_only = off').catch(() => {});
  await admin.end();
  await fillDisk({ folder, onEnd, see });
  const silent = readRules().filter(({ name }) => !fired.has(name));
  see(
    `each of the ${readRules().length} alarms rang once`,
    silent.length === 0,
    silent.map(({ name }) => name).join(),
  );
});
