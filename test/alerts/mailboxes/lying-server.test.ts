import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  type TestMailbox,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const { afterEach, beforeEach, test, use, useEach } = needs('Dovecot');

describe('a server that does not tell the truth about its numbers', () => {
  let mailbox: TestMailbox;
  let watching: { stop(): Promise<void> };
  let users = 0;

  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  const proxy = useEach(() => startFaultProxy(dovecot));
  beforeEach(async () => {
    const user = `lying${users++}@test.example`;
    mailbox = await connectTestMailbox(world, dovecot, { user, port: proxy.port });
  });
  afterEach(async () => {
    await watching.stop();
    await world.sql.begin(tx => disconnectMailbox(tx, mailbox.merchantId, world.clock.now()));
    await proxy.stop();
  });

  const lies: [what: string, lie: (said: string) => string][] = [
    ['names a next number far too high', said => said.replace(/UIDNEXT \d+/g, 'UIDNEXT 4000000000')],
    ['names a next number that is long given out', said => said.replace(/UIDNEXT \d+/g, 'UIDNEXT 1')],
    ['names no next number', said => said.replace(/^\* OK \[UIDNEXT.*\r\n/gm, '')],
    [
      'finds a mail with a number that none has',
      said => said.replace(/^\* SEARCH( \d+)*/gm, '$& 4000000000'),
    ],
  ];
  for (const [what, lie] of lies) {
    test(`no mail is lost or stored twice when a server ${what}`, async () => {
      proxy.rewrite(lie);
      await dovecot.deliver(mailbox.user, plainMail());
      watching = watch(world, dovecot);
      for (let count = 1; count <= 5; count += 2) {
        await waitFor(`${count} mails`, async () => (await storedMails(world, mailbox.merchantId)) >= count);
        assert.equal(await storedMails(world, mailbox.merchantId), count);
        // Two at once: the server names only the last of them for "the last mail".
        for (let mail = 0; mail < 2; mail++) await dovecot.deliver(mailbox.user, plainMail());
      }
    });
  }
});
