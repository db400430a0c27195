import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { alarmRules } from '../../scripts/alarm-files.ts';
import { later, minute, systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { addDevice } from '../../src/outbox/pushes/subscription.ts';
import { install } from '../../test/support/install.ts';
import { startPushService } from '../../test/support/push-service.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { mailKey } from '../../test/support/signed-mail.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { mailbox } from './bank.ts';
import { breakCell } from './break-cell.ts';
import { fillDisk } from './fill-disk.ts';
import { fires } from './fires.ts';
import { setClocks } from './set-clocks.ts';
import { openStage } from './stage.ts';

/**
 * `npm run drill -- alarms`: breaks one real thing after the other, and Prometheus itself says whether its alarm rings.
 * With names of alarms (or `disk`) behind it, only the scenes in which they ring are played.
 */
install('the drill needs', [
  ['/usr/bin/promtool', 'prometheus'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ['/usr/lib/postgresql', 'postgresql'],
]);
/** In the function claim_deliveries. */
const turnsOfSenders = 7_264_252;
const wanted = process.argv.slice(2);

await playDrill('alarm drill', async ({ folder, onEnd, see }) => {
  execFileSync('promtool', ['check', 'rules', 'packaging/prometheus/milaan.rules.yml'], { stdio: 'ignore' });
  const stage = await openStage({ folder, onEnd, see });
  const { database, dovecot, bank, answer, receiver, env, merchantId, way, running } = stage;
  const { end, restart, now, order, pay, retried, rings, fired } = stage;
  const scene = async (alarms: string, play: () => Promise<void>) => {
    if (wanted.length === 0 || alarms.split(' ').some(name => wanted.includes(name))) await play();
  };
  await pay(100);
  await waitFor('a payment while all is well', () => receiver.received.length === 1);
  await runMilaan(env, 'verify');
  await sleep(16_000);
  const calm = await now();
  const quiet = alarmRules.filter(({ name }) => fires(folder, name, calm, calm) === null);
  see('while all is well no alarm rings', quiet.length === 0, quiet.map(({ name }) => name).join());

  await scene('MilaanAlertsRetrying', async () => {
    bank.answers = false;
    await bank.writes(1, { selector: 'unseen' });
    await rings('MilaanAlertsRetrying', 'DNS answers with failures, and a mail with a new key waits', calm);
    bank.answers = true;
  });
  await scene('MilaanKeyWithdrawn', async () => {
    bank.keys.set('s9._domainkey.test.bank.in', mailKey(2048, 'bank'));
    await bank.writes(1, { selector: 's9' });
    await waitFor(
      'the key',
      async () => (await database.sql`select from dkim_keys where name like 's9.%'`).length > 0,
    );
    bank.keys.set('s9._domainkey.test.bank.in', { ...mailKey(2048, 'bank'), record: 'v=DKIM1; p=' });
    // Signed with a key that nobody published, so that DNS is asked again before the answer is five minutes old.
    await bank.writes(2, { selector: 's9', key: mailKey(2048, 'hdfc') });
    await rings('MilaanKeyWithdrawn', 'the bank withdraws its key', calm);
    bank.keys.set('s9._domainkey.test.bank.in', mailKey(2048, 'bank'));
    await bank.writes(3, { selector: 's9' });
  });
  await scene('MilaanKeysDoubted MilaanKeyChanged', async () => {
    bank.keys.set('s2._domainkey.test.bank.in', mailKey(2048, 'hdfc'));
    await bank.writes(1, { selector: 's2', key: mailKey(2048, 'hdfc') });
    await waitFor('the second key', async () => (await database.sql`select from dkim_keys`).length >= 2);
    await bank.writes(1, { selector: 's2' });
    await rings('MilaanKeysDoubted', 'the key in DNS does not fit a mail that is whole in itself', calm);
    bank.keys.set('s2._domainkey.test.bank.in', mailKey(2048, 'bank'));
    await bank.writes(2, { selector: 's2' });
    await rings('MilaanKeyChanged', 'the bank puts another key under the same name', calm);
  });
  await scene('MilaanForged MilaanUnreadable MilaanUnlistedDomain MilaanNewLines', async () => {
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
  });
  await scene('MilaanBankQuiet', async () => {
    for (let count = 0; count < 5; count++) await pay(130 + count);
    const counted = () => database.sql`
      select from bank_verdicts where verdict = 'paid'
      having sum(mails) = (select count(*) from alerts where verdict = 'paid') and sum(mails) >= 6`;
    await waitFor('the counts of these credits', async () => (await counted()).length > 0);
    await database.sql`update bank_verdicts set day = day - 8`;
    await sleep(16_000);
    const quietWeek = await now();
    const isSilent = fires(folder, 'MilaanBankQuiet', quietWeek, quietWeek) !== null;
    see('MilaanBankQuiet is silent after a week without mails', isSilent);
    for (let count = 0; count < 10; count++)
      await bank.writes(3, { text: 'Money came in: Rs.3.00, account XX4321, from ravi@okbank.' });
    await rings('MilaanBankQuiet', 'ten mails after five credits, and none is a credit', quietWeek);
  });
  await scene('MilaanMailUnfetchable', async () => {
    way.rewrite(said => said.replace(/^\* SEARCH( \d+)*/gm, '$& 4000000000'));
    await bank.writes(4.5);
    await rings('MilaanMailUnfetchable', 'the mail server lists a mail that it does not hand out', calm);
    way.rewrite(null);
  });
  await scene('MilaanForwardingsSilent', async () => {
    const opened = systemClock.now();
    await database.sql`
      insert into forward_addresses (merchant_id, address, opened_at, works_since)
      values (${merchantId}, 'alerts-drill@alerts.example.in', ${opened}, ${opened})`;
    await database.sql`
      insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at, probe_waiting_since)
      values (${merchantId}, 'shop@forwarded.example', ${opened}, ${opened}, ${later(opened, -6 * minute)})`;
    await rings('MilaanForwardingsSilent', 'a probe that left six minutes ago has not come back', calm);
  });
  const lock = await database.sql.reserve();
  await lock`set statement_timeout = 0`;
  await scene('MilaanAlertsWaiting', async () => {
    await lock`begin`;
    await lock`lock table dkim_keys in access exclusive mode`;
    for (let count = 0; count < 400; count++) await bank.writes(5, { selector: `stuck${count}` });
    await rings(
      'MilaanAlertsWaiting',
      'a table that every judgement needs is locked, and mails pile up',
      calm,
    );
    await lock`rollback`;
  });
  await scene('MilaanWebhooksLate', async () => {
    answer.status = 500;
    await pay(110);
    await retried();
    await lock`select pg_advisory_lock(${turnsOfSenders})`;
    await rings('MilaanWebhooksLate', 'a sender that hangs keeps the lock by which all take turns', calm);
    await lock`select pg_advisory_unlock(${turnsOfSenders})`;
    answer.status = 200;
  });
  lock.release();
  await scene('MilaanMailOut MilaanPushesFail', async () => {
    for (const name of ['a', 'b', 'c'])
      await runMilaan(env, 'create-business', '--name', name, '--email', `${name}@owners.example.in`);
    for (const row of await database.sql<
      { merchant_id: number }[]
    >`select merchant_id from users where email like '%@owners.example.in'`)
      await runMilaan(env, 'disable', '--business', String(row.merchant_id), '--reason', 'shut');
    await rings('MilaanMailOut', 'the SMTP server is away, and owners are to be told', calm);

    const pushService = await startPushService();
    onEnd(() => pushService.stop());
    const owners = await database.sql<{ merchant_id: number; user_id: string }[]>`
      select merchant_id, user_id from users where email like '%@owners.example.in'`;
    for (const { merchant_id: merchantId, user_id: userId } of owners) {
      const { subscription } = pushService.newDevice();
      // DNS knows no such name.
      const away = { ...subscription, endpoint: `https://push.example.in/${userId}` };
      const device = { merchantId, userId, sessionId: 'drill', agent: 'drill', now: systemClock.now() };
      await database.sql.begin(tx => addDevice(tx, { ...device, subscription: away }));
    }
    await rings('MilaanPushesFail', 'the push service of every device is away', calm);
  });
  await scene('MilaanSlow', async () => {
    const stalling = setInterval(() => {
      running.program.child.kill('SIGSTOP');
      setTimeout(() => running.program.child.kill('SIGCONT'), 400);
    }, 900);
    await rings('MilaanSlow', 'the process gets no processor for 0.4 s again and again', calm);
    clearInterval(stalling);
    await sleep(500);
    running.program.child.kill('SIGCONT');
  });
  await scene('MilaanRoutineFailed MilaanBackupOld MilaanVerifyOld', async () => {
    await database.sql`update collections set collected_paise = collected_paise + 1`;
    await runMilaan(env, 'verify');
    await rings('MilaanRoutineFailed', 'verify finds a broken rule', calm);
    await database.sql`update migrations set applied_at = applied_at - interval '2 days'`;
    await rings('MilaanBackupOld', 'no backup was made in the two days of this installation', calm);
    await database.sql`update routines set succeeded_at = succeeded_at - interval '2 days' where routine = 'verify'`;
    await rings('MilaanVerifyOld', 'verify did not succeed for two days', calm);
  });
  await scene('MilaanClockWrong MilaanClockSet', async () => {
    await setClocks({ folder, onEnd, rings }, env, database);
  });
  const admin = connect(database.url, { most: 1 });
  const { pathname } = new URL(database.url);
  await scene('MilaanDown MilaanMailLate MilaanHistoryOverdue', async () => {
    await end('SIGKILL');
    // Leases taken while the clocks were five minutes ahead would last longer than the waits below.
    await database.sql`delete from leases`;
    await database.sql`update processes set told_at = least(told_at, clock_timestamp())`;
    await rings('MilaanDown', 'the process was killed', calm);
    await runMilaan(env, 'set-plan', '--business', String(merchantId), '--plan', 'short');
    await database.sql`update orders set created_at = created_at - interval '30 days' where paid_at is not null`;
    const archiving = await admin.reserve();
    await archiving`set statement_timeout = 0`;
    await archiving`begin`;
    await archiving`lock table order_archives in access exclusive mode`;
    await bank.writes(6);
    await sleep(65_000);
    // To the screen it is the same program: what it stored in time before would outweigh the late one.
    await database.sql`delete from told_counts`;
    await dovecot.setPassword(mailbox, 'sesame');
    await restart();
    const restarted = await now();
    await rings('MilaanMailLate', 'a mail lay in the mailbox for a minute before anybody looked', restarted);
    await rings(
      'MilaanHistoryOverdue',
      'somebody holds the archives, and old orders cannot leave',
      restarted,
    );
    await archiving`rollback`;
    archiving.release();
  });
  await scene('MilaanWebhooksNotSigned', async () => {
    answer.status = 500;
    await pay(120);
    await retried();
    await end('SIGTERM');
    await restart({ env: { SECRET_KEY: newSecretKey() }, args: ['deliver'] });
    const otherKey = await now();
    await database.sql`update delivery_queue set due_at = now()`;
    await rings(
      'MilaanWebhooksNotSigned',
      'SECRET_KEY is not the one that sealed the webhook secrets',
      otherKey,
    );
  });
  await scene('MilaanLoginRefused MilaanMailboxesBlind', async () => {
    await end('SIGTERM');
    await dovecot.setPassword(mailbox, 'changed');
    await restart();
    await rings('MilaanLoginRefused', 'the mailbox takes the password no longer', calm);
    await dovecot.setPassword(mailbox, 'sesame');
    await stage.endDovecot();
    await rings('MilaanMailboxesBlind', 'the mail server is away', calm);
  });
  await scene('MilaanNotReady', async () => {
    await admin.unsafe(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    await admin.unsafe(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await rings('MilaanNotReady', 'the database can only be read', calm);
    await admin.unsafe('set default_transaction_read_only = off').catch(() => {});
  });
  await admin.end();
  await scene('MilaanStandbyLag MilaanNotReady', async () => {
    await breakCell({ folder, onEnd, see, rings }, env);
  });
  await scene('disk', async () => {
    await fillDisk({ folder, onEnd, see });
  });
  if (wanted.length > 0) return;
  const silent = alarmRules.filter(({ name }) => !fired.has(name));
  see(
    `each of the ${alarmRules.length} alarms rang once`,
    silent.length === 0,
    silent.map(({ name }) => name).join(),
  );
});
