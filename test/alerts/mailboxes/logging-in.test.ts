import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { connectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/disconnect-mailbox.ts';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { trustedRoots } from '../../../src/alerts/mailboxes/open-connection.ts';
import { minute } from '../../../src/base/clock.ts';
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

  test('says so in words, is tried three times and then left in peace, by whichever process', async () => {
    const before = loginsTried();
    watching = watch(world, dovecot, slowLogins);
    await waitFor('the need of a login', async () => (await state()).needsLogin);
    assert.equal(loginsTried() - before, 3);
    assert.match((await state()).lastError?.code ?? '', /^login_refused/);
    await watching.stop();
    watching = watch(world, dovecot, slowLogins);
    await waitFor('a new owner', async () => {
      const [row] = await world.sql`select from mailbox_leases where leased_until > clock_timestamp()`;
      return row;
    });
    await watching.stop();
    assert.equal(loginsTried() - before, 3);
  });

  test('resumes by itself once the old password works again, and reads what came meanwhile', async () => {
    watching = watch(world, dovecot);
    await waitFor('the need of a login', async () => (await state()).needsLogin);
    await dovecot.deliver(mailbox.user, plainMail());
    await dovecot.setPassword(mailbox.user, password);
    await waitFor('the mail', async () => (await storedMails(world, mailbox.merchantId)) === 1);
    await waitFor('no error', async () => (await state()).lastError === null);
    assert.equal((await state()).needsLogin, false);
  });

  test('resumes at once when the merchant types the new password', async () => {
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
