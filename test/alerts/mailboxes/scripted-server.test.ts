import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MailFailure } from '../../../src/alerts/mailboxes/explain-failure.ts';
import {
  type Connection,
  openConnection,
  trustedRoots,
} from '../../../src/alerts/mailboxes/open-connection.ts';
import { usualPace } from '../../../src/alerts/mailboxes/pace.ts';
import { fetchSenders } from '../../../src/alerts/mailboxes/store-new-mails.ts';
import { type ScriptedImap, startScriptedImap } from '../../support/scripted-imap.ts';
import { openMailWorld, plainMail, quickPace, watch } from '../../support/test-mailbox.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Faults that imapflow repaired after the release in use, each with a server that provokes it. */
const world = use(openMailWorld);
const server = use(startScriptedImap) as ScriptedImap;
const pace = { ...usualPace, ...quickPace };

beforeEach(() => {
  world.dns.addresses.set(server.host, ['127.0.0.1']);
  Object.assign(server, { script: {}, heard: [], uidvalidity: 1 });
  server.capabilities = 'IMAP4rev1 IDLE AUTH=PLAIN SASL-IR';
  server.mails.clear();
});

async function open(login: Parameters<typeof openConnection>[2] = { user: 'shop', password: 'sesame' }) {
  const { host, port, ca } = server;
  const options = { pace, roots: trustedRoots(ca), signal: new AbortController().signal };
  return await openConnection(world, { provider: 'other', host, port }, login, options);
}

async function inSession<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await open();
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

const failsAs = (kind: string) => (error: unknown) => error instanceof MailFailure && error.kind === kind;
const megabyte = 1024 * 1024;

for (const [what, flood] of [
  ['a line without an end', 'x'.repeat(megabyte)],
  ['untagged lines without an end', `* OK ${'x'.repeat(1000)}\r\n`.repeat(1000)],
  ['one literal without an end', `* 1 FETCH (BODY[] {3999999999}\r\n${'x'.repeat(megabyte)}`],
] as const)
  test(`${what} ends the session before its bytes fill the memory`, async () => {
    server.script['NOOP'] = ({ socket }) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(flood));
      };
      socket.on('drain', pour);
      pour();
    };
    const before = process.memoryUsage().rss;
    await inSession(async connection => {
      await assert.rejects(
        connection.run(client => client.noop()),
        MailFailure,
      );
      assert.ok(connection.ended());
    });
    // The server that pours is in this process too.
    assert.ok(process.memoryUsage().rss - before < 200 * megabyte);
  });

test('BYE as the answer to a command fails the command and ends the session', async () => {
  for (const command of ['SEARCH', 'NOOP', 'FETCH']) {
    server.script = { [command]: ({ tag, say }) => say(`${tag} BYE we close`) };
    await inSession(async connection => {
      await connection.run(client => client.mailboxOpen('INBOX', { readOnly: true }));
      const asked = {
        SEARCH: () => connection.run(client => client.search({ uid: '1:*' }, { uid: true })),
        NOOP: () => connection.run(client => client.noop()),
        FETCH: () => fetchSenders(connection, 'INBOX', [1], world.clock.now()),
      }[command]!;
      await assert.rejects(asked(), failsAs('protocol'), command);
      assert.ok(connection.ended(), command);
    });
  }
});

test('rows without a selected folder, and rows that were not requested, are never taken for the answer', async () => {
  server.mails.set(7, plainMail());
  await inSession(async connection => {
    await assert.rejects(fetchSenders(connection, 'INBOX', [7], world.clock.now()), failsAs('protocol'));
    await connection.run(client => client.mailboxOpen('INBOX', { readOnly: true }));
    server.script['FETCH'] = ({ tag, say }) =>
      say(
        '* 1 FETCH (UID 9 FLAGS (\\Seen))',
        '* 2 FETCH (UID 8 RFC822.SIZE 3 BODY[HEADER.FIELDS (FROM MESSAGE-ID)] {4}\r\n\r\n\r\n)',
        `${tag} OK done`,
      );
    assert.equal((await fetchSenders(connection, 'INBOX', [7], world.clock.now())).size, 0);
  });
});

test('a secret is sent only when the server asks, unless it takes secrets with the command', async () => {
  const secret = { user: 'shop', accessToken: 'a-token-of-the-shop' };
  const sent = () => server.heard.filter(line => / AUTHENTICATE /i.test(line));
  server.capabilities = 'IMAP4rev1 IDLE AUTH=XOAUTH2';
  let asks: string | null = null;
  server.script['AUTHENTICATE'] = ({ tag, say }) => {
    asks = tag;
    say('+ ');
  };
  // The base64 of the answer has no space, so the server sees it as no command.
  server.script[''] = ({ say }) => say(`${asks} OK done`);
  const connection = await open(secret);
  connection.close();
  assert.match(sent()[0] ?? '', / AUTHENTICATE XOAUTH2$/);
  const answer = server.heard.find(line =>
    Buffer.from(line, 'base64').toString().includes(secret.accessToken),
  );
  assert.ok(answer, 'it is sent once the server asks');
  server.capabilities += ' SASL-IR';
  server.heard = [];
  delete server.script['AUTHENTICATE'];
  (await open(secret)).close();
  assert.match(sent()[0] ?? '', / AUTHENTICATE XOAUTH2 \S+$/);
});

async function connected(): Promise<number> {
  const { merchantId } = await addTestMerchant(world);
  const { host, port } = server;
  const place = `mailbox:${merchantId}:credential`;
  const credential = world.secrets.seal(JSON.stringify({ kind: 'password', password: 'sesame' }), place);
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'other', ${`shop${merchantId}@chai.example`}, 'shop', ${host}, ${port}, ${credential}, 1, ${world.clock.now()})`;
  await world.sql`insert into mailbox_leases (merchant_id) values (${merchantId})`;
  await world.sql`insert into mailbox_states (merchant_id) values (${merchantId})`;
  return merchantId;
}

const placesOf = async (merchantId: number) =>
  (await world.sql`select found_in from alerts where merchant_id = ${merchantId} order by found_in`).map(
    row => row['found_in'],
  );

test('a folder that is renumbered between two polls is read again under its new numbers, and nothing is lost', async () => {
  const merchantId = await connected();
  server.mails.set(5, plainMail());
  const watching = watch(world, server as never);
  try {
    await waitFor('the first mail', async () => (await placesOf(merchantId)).length === 1);
    // The server only says so in passing, and a new mail has a number that was given out before.
    const renumbered = [plainMail(), plainMail()];
    server.uidvalidity = 2;
    server.mails.clear();
    for (const [at, mail] of renumbered.entries()) server.mails.set(4 + at, mail);
    for (const socket of server.sockets) socket.write('* OK [UIDVALIDITY 2] new numbers\r\n* 2 EXISTS\r\n');
    await waitFor('both new mails', async () => (await placesOf(merchantId)).length === 3);
    assert.ok((await placesOf(merchantId)).includes('INBOX/2/4'));
  } finally {
    await watching.stop();
  }
});

test('a refused search is not an empty folder: the position stays, and the mail comes later', async () => {
  const merchantId = await connected();
  const watching = watch(world, server as never);
  try {
    await waitFor('a good poll', async () => {
      const [row] =
        await world.sql`select last_good_poll from mailbox_states where merchant_id = ${merchantId}`;
      return row?.['last_good_poll'];
    });
    server.script['SEARCH'] = ({ tag, say }) => say(`${tag} NO not now`);
    server.mails.set(3, plainMail());
    const error = await waitFor('the refusal', async () => {
      const [row] = await world.sql`select last_error from mailbox_states where merchant_id = ${merchantId}`;
      return row?.['last_error'];
    });
    assert.equal(error.code, 'search_refused');
    delete server.script['SEARCH'];
    await waitFor('the mail', async () => (await placesOf(merchantId)).length === 1);
  } finally {
    await watching.stop();
  }
});
