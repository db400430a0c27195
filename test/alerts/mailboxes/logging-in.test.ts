import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { connectMailbox, disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { trustedRoots } from '../../../src/alerts/mailboxes/open-connection.ts';
import { backOffBusy, usualPace } from '../../../src/alerts/mailboxes/pace.ts';
import { minute, second } from '../../../src/base/clock.ts';
import { type Dovecot, startDovecot } from '../../support/dovecot.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  password,
  plainMail,
  storedMails,
  type TestMailbox,
  watch,
} from '../../support/test-mailbox.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const { after, afterEach, before, beforeEach, test } = needs('Dovecot');

describe('a mailbox whose password was changed', () => {
  let world: TestWorld;
  let dovecot: Dovecot;
  let proxy: FaultProxy;
  let mailbox: TestMailbox;
  let watching: { stop(): Promise<void> } | undefined;
  let users = 0;
  before(async () => {
    [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
  });
  after(async () => {
    await Promise.all([world.stop(), dovecot.stop()]);
  });
  beforeEach(async () => {
    proxy = await startFaultProxy(dovecot);
    mailbox = await connectTestMailbox(world, dovecot, {
      user: `login${users++}@test.example`,
      port: proxy.port,
    });
    await dovecot.setPassword(mailbox.user, 'another one');
  });
  afterEach(async () => {
    await watching?.stop();
    await world.sql.begin(tx => disconnectMailbox(tx, mailbox.merchantId, world.clock.now()));
    await proxy.stop();
  });

  const state = async () => (await mailboxState(world.sql, mailbox.merchantId, world.clock.now()))!;
  const slowLogins = { pace: { refusedLogin: 10 * minute } };
  const loginsTried = () => proxy.heard.filter(line => / (LOGIN|AUTHENTICATE) /.test(line)).length;

  test('a changed password is reported with its reason, tried three times, and then no more by any process', async () => {
    const before = loginsTried();
    watching = watch(world, dovecot, slowLogins);
    await waitFor('the need of a login', async () => (await state()).needsLogin);
    const tried = loginsTried();
    // One that a busy server did not answer in time was not refused, and is tried again.
    assert.ok(tried - before >= 3 && tried - before < 6, String(tried - before));
    assert.match((await state()).lastError?.code ?? '', /^login_refused/);
    await watching.stop();
    watching = watch(world, dovecot, slowLogins);
    await waitFor('a new owner', async () => {
      const [row] = await world.sql`select from mailbox_leases where leased_until > clock_timestamp()`;
      return row;
    });
    await watching.stop();
    assert.equal(loginsTried(), tried);
  });

  test('a mailbox resumes when the old password works again, and reads what came in between', async () => {
    watching = watch(world, dovecot);
    await waitFor('the need of a login', async () => (await state()).needsLogin);
    await dovecot.deliver(mailbox.user, plainMail());
    await dovecot.setPassword(mailbox.user, password);
    await waitFor('the mail', async () => (await storedMails(world, mailbox.merchantId)) === 1);
    await waitFor('no error', async () => (await state()).lastError === null);
    assert.equal((await state()).needsLogin, false);
  });

  test('a mailbox resumes at once after its owner enters the new password', async () => {
    watching = watch(world, dovecot, slowLogins);
    await waitFor('the need of a login', async () => (await state()).needsLogin);
    await dovecot.deliver(mailbox.user, plainMail());
    const changed = await connectMailbox(
      world,
      mailbox.merchantId,
      {
        provider: 'other',
        address: mailbox.user,
        host: dovecot.host,
        port: proxy.port,
        credential: { kind: 'password', password: 'another one' },
      },
      { roots: trustedRoots(dovecot.ca) },
    );
    assert.equal(changed.ok, true);
    await waitFor('the mail', async () => (await storedMails(world, mailbox.merchantId)) === 1);
  });
});

describe('a mail server that throttles logins', () => {
  let world: TestWorld;
  let dovecot: Dovecot;
  let proxy: FaultProxy;
  let mailbox: TestMailbox;
  let watching: { stop(): Promise<void> } | undefined;
  before(async () => {
    [world, dovecot] = await Promise.all([openMailWorld(), startDovecot()]);
    proxy = await startFaultProxy(dovecot);
    // AUTHENTICATE takes two lines; LOGIN is one, which the proxy answers.
    proxy.rewrite(said => said.replace(/ (AUTH=\w+|SASL-IR)/g, ''));
    mailbox = await connectTestMailbox(world, dovecot, { user: 'throttled@test.example', port: proxy.port });
  });
  after(async () => {
    await watching?.stop();
    await proxy.stop();
    await Promise.all([world.stop(), dovecot.stop()]);
  });
  const logins = () => proxy.heard.filter(line => / LOGIN /.test(line)).length;
  const state = async () => (await mailboxState(world.sql, mailbox.merchantId, world.clock.now()))!;

  test('throttling is no wrong password: nobody is asked to sign in again, and mail is read soon after it ends', async () => {
    proxy.answerWith(command => (command.startsWith('LOGIN') ? 'NO [THROTTLED] Please slow down' : null));
    const before = logins();
    watching = watch(world, dovecot, { pace: { refusedLogin: 10 * minute, firstLogins: 20 } });
    await waitFor('six refusals', () => logins() - before >= 6);
    assert.deepEqual([(await state()).needsLogin, (await state()).lastError?.code], [false, 'logins_closed']);
    await dovecot.deliver(mailbox.user, plainMail());
    proxy.answerWith(null);
    await waitFor('the mail', async () => (await storedMails(world, mailbox.merchantId)) === 1);
    await waitFor('no error', async () => (await state()).lastError === null);
  });

  test('a throttling server is asked less and less often, but at least every five minutes', () => {
    const pauses = Array.from({ length: 9 }, (_, at) => backOffBusy(usualPace, at + 1, () => 0) / second);
    assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });
});
