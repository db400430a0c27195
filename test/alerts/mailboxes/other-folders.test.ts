import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { type Forged, startFaultProxy } from '../../support/fault-proxy.ts';
import { needs } from '../../support/needs.ts';
import { connectTestMailbox, foundIn, openMailWorld, plainMail, watch } from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { afterEach, beforeEach, test, use, useEach } = needs('Dovecot');

describe('whatever a server does with the Junk folder, INBOX is read', () => {
  let watching: { stop(): Promise<void> };
  let users = 0;

  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  const proxy = useEach(() => startFaultProxy(dovecot));
  const mailbox = useEach(() =>
    connectTestMailbox(world, dovecot, {
      user: `other${users++}@test.example`,
      port: proxy.port,
    }),
  );
  beforeEach(async () => {
    await dovecot.deliver(mailbox.user, plainMail(), 'Junk');
    await dovecot.deliver(mailbox.user, plainMail());
  });
  afterEach(async () => {
    await watching.stop();
    await world.sql.begin(tx => disconnectMailbox(tx, mailbox.merchantId, world.clock.now()));
    await proxy.stop();
  });

  const inboxMails = async () =>
    (await foundIn(world, mailbox.merchantId)).filter(folder => folder === 'INBOX').length;
  const readsInbox = (count: number) =>
    waitFor(`${count} mails of INBOX`, async () => (await inboxMails()) === count);

  const bad: [what: string, answer: Forged][] = [
    [
      'refuses to open it',
      command => (/^EXAMINE "?Junk/.test(command) ? 'NO [SERVERBUG] out of order' : null),
    ],
    [
      'does not understand its name',
      command => (/^EXAMINE "?Junk/.test(command) ? 'BAD no such syntax' : null),
    ],
    [
      'refuses to search it',
      (command, folder) => (folder === 'Junk' && /SEARCH/.test(command) ? 'NO busy' : null),
    ],
    [
      'refuses to hand out its mails',
      (command, folder) => (folder === 'Junk' && /FETCH/.test(command) ? 'NO busy' : null),
    ],
    [
      'does not number its mails',
      command => (/^EXAMINE "?Junk/.test(command) ? '* 1 EXISTS\r\nOK [READ-ONLY] done' : null),
    ],
  ];
  for (const [what, answer] of bad) {
    test(`INBOX is read while a server ${what}`, async () => {
      proxy.answerWith(answer);
      watching = watch(world, dovecot);
      await readsInbox(1);
      await dovecot.deliver(mailbox.user, plainMail());
      await readsInbox(2);
      await waitFor('a good poll', async () => {
        const state = await mailboxState(world.sql, mailbox.merchantId, world.clock.now());
        return state?.lastGoodPoll && !state.lastError;
      });
    });
  }

  test('INBOX is read while a mail in Junk ends every session, also before that mail is given up', async () => {
    // In which session each mail of INBOX was read: how soon the test sees it is the machine's business.
    const readIn: number[] = [];
    proxy.answerWith((command, folder) => {
      if (folder === 'INBOX' && command.includes('BODY.PEEK[]')) readIn.push(proxy.accepted);
      return folder === 'Junk' && /FETCH/.test(command) ? 'cut' : null;
    });
    watching = watch(world, dovecot);
    await readsInbox(1);
    assert.ok(readIn.at(-1)! <= 3, `session ${readIn.at(-1)}`);
    await dovecot.deliver(mailbox.user, plainMail());
    const before = proxy.accepted;
    await readsInbox(2);
    assert.ok(readIn.at(-1)! - before <= 2, `session ${readIn.at(-1)} after ${before}`);
  });
});
