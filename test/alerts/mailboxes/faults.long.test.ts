import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { afterEach, beforeEach, test, use, useEach } = needs('Dovecot');

describe('a mailbox behind a bad network or a bad server', () => {
  let watching: { stop(): Promise<void> };
  let users = 0;

  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  const proxy = useEach(() => startFaultProxy(dovecot));
  const mailbox = useEach(() =>
    connectTestMailbox(world, dovecot, {
      user: `fault${users++}@test.example`,
      port: proxy.port,
    }),
  );
  beforeEach(async () => {
    watching = watch(world, dovecot);
    await deliver();
    await stored(1);
    await waitFor('a good poll', async () => (await state())?.lastGoodPoll);
  });
  afterEach(async () => {
    await watching.stop();
    await world.sql.begin(tx => disconnectMailbox(tx, mailbox.merchantId, world.clock.now()));
    await proxy.stop();
  });

  const deliver = () => dovecot.deliver(mailbox.user, plainMail());
  const stored = (count: number) =>
    waitFor(`${count} stored mails`, async () => (await storedMails(world, mailbox.merchantId)) === count);
  const state = () => mailboxState(world.sql, mailbox.merchantId, world.clock.now());
  const error = async () => (await state())?.lastError ?? null;

  test('a connection without answers is noticed, and the mail that came in between is found', async () => {
    proxy.set('black hole');
    await deliver();
    await waitFor('the failure', error);
    proxy.set('none');
    await stored(2);
    await waitFor('no error any more', async () => (await error()) === null);
  });

  test('a server that refuses connections is tried again until it is back', async () => {
    proxy.set('refuse');
    proxy.reset();
    await deliver();
    await waitFor('the failure', error);
    proxy.set('none');
    await stored(2);
  });

  test('a reset session is opened again, and no mail is stored twice', async () => {
    for (let round = 2; round <= 4; round++) {
      const before = proxy.accepted;
      proxy.reset();
      await deliver();
      await stored(round);
      assert.ok(proxy.accepted > before);
    }
  });

  test('BYE ends the session, and the next one continues', async () => {
    const before = proxy.accepted;
    proxy.say('* BYE shutting down for maintenance\r\n');
    await deliver();
    await stored(2);
    assert.ok(proxy.accepted > before);
  });

  test('garbage from the server harms nothing', async () => {
    proxy.say(
      Buffer.from('\r\n* \u0000\u00ff(((((( {9\r\n* 99999999999999999999 EXISTS\r\n)))) \r\n', 'latin1'),
    );
    await deliver();
    await stored(2);
  });

  test('an announced gigabyte ends the session, not the process', async () => {
    const before = proxy.accepted;
    proxy.say('* 1 FETCH (UID 1 BODY[] {1073741824}\r\n');
    proxy.say(Buffer.alloc(256 * 1024, 'x'));
    await deliver();
    await stored(2);
    assert.ok(proxy.accepted > before);
  });

  test('an endless flood of small answers ends the session', async () => {
    const before = proxy.accepted;
    const line = Buffer.from('* SEARCH 1 2 3\r\n'.repeat(4096));
    const flood = setInterval(() => proxy.say(line), 1);
    try {
      await waitFor('another session', () => proxy.accepted > before);
    } finally {
      clearInterval(flood);
    }
    await deliver();
    await stored(2);
  });

  test('a server that sends one byte at a time is given up and tried again', async () => {
    proxy.set('slow drip');
    await deliver();
    await waitFor('the failure', error);
    proxy.set('none');
    await stored(2);
  });

  test('mail that IDLE does not announce is found by the next poll', async () => {
    proxy.set('swallow exists');
    await deliver();
    await stored(2);
  });

  test('one mail that ends every session does not hide later ones, and is fetched when that works again', async () => {
    proxy.cutWhen(/UID FETCH (\d+,)*3[, ]/);
    for (let count = 0; count < 4; count++) await deliver();
    await stored(4);
    const rows = await world.sql<{ found_in: string }[]>`
      select found_in from alerts where merchant_id = ${mailbox.merchantId}`;
    assert.deepEqual(rows.map(row => row.found_in.split('/')[2]).sort(), ['1', '2', '4', '5']);
    proxy.cutWhen(null);
    await stored(5);
  });

  test('a session is read-only, and no command could change a flag', async () => {
    await deliver();
    await stored(2);
    const sent = proxy.heard.join('\n');
    assert.match(sent, /EXAMINE "?INBOX/);
    assert.doesNotMatch(sent, / SELECT | STORE | COPY | MOVE | EXPUNGE | BODY\[/);
    assert.deepEqual(await dovecot.flags(mailbox.user), ['', '']);
  });
});
