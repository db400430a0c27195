import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe } from 'node:test';
import { connectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { explainFailure } from '../../../src/alerts/mailboxes/explain-failure.ts';
import { type Login, secretForms, trustedRoots } from '../../../src/alerts/mailboxes/open-connection.ts';
import { providerOf } from '../../../src/alerts/mailboxes/providers.ts';
import type { MailboxSettings } from '../../../src/alerts/mailboxes/read-settings.ts';
import { testConnection } from '../../../src/alerts/mailboxes/test-connection.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { needs } from '../../support/needs.ts';
import { openMailWorld, password, quickPace } from '../../support/test-mailbox.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { prepare, test, use } = needs('Dovecot');
/** One try decides here, so a slow machine gets the usual time for a command. */
const patient = { ...quickPace, command: 20_000 };

describe('trying a mailbox', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  prepare(async () => {
    await dovecot.setPassword('shop@test.example', password);
    world.dns.addresses.set(dovecot.host, ['127.0.0.1']);
    world.dns.addresses.set('wrong-name.example', ['127.0.0.1']);
    world.dns.addresses.set('inside.example', ['10.1.2.3']);
  });

  const settings = (changes: Partial<MailboxSettings> = {}): MailboxSettings => ({
    provider: 'other',
    address: 'shop@test.example',
    host: dovecot.host,
    port: dovecot.port,
    credential: { kind: 'password', password },
    ...changes,
  });
  const tried = (changes: Partial<MailboxSettings>) =>
    testConnection(world, settings(changes), { roots: trustedRoots(dovecot.ca), pace: patient });

  test('a test of a good mailbox succeeds and names the folders that will be watched', async () => {
    const tested = await tried({});
    assert.deepEqual(tested.ok && tested.folders, ['INBOX', 'Junk']);
  });

  const refusals: Array<[string, Partial<MailboxSettings>, string, RegExp]> = [
    ['a wrong password', { credential: { kind: 'password', password: 'no' } }, 'login', /refused the login/],
    ['an unknown host', { host: 'nowhere.example' }, 'host_not_found', /not found/],
    ['a host with a private address', { host: 'inside.example' }, 'refused_address', /public address/],
    ['a private address', { host: '192.168.1.1' }, 'settings', /private or reserved/],
    ['a name for inside use', { host: 'mail.internal' }, 'settings', /\.internal/],
    ['a certificate for another name', { host: 'wrong-name.example' }, 'certificate', /certificate/],
    ['no mail address', { address: 'shop' }, 'settings', /not a mail address/],
    ['a port that is none', { port: 70000 }, 'settings', /port/],
    ['Outlook with a password', { provider: 'outlook' }, 'settings', /Microsoft/],
    ['a folder that is not there', { extraFolders: ['Bank'] }, 'settings', /no folder named Bank/],
    ['a line break in the user name', { username: 'a\r\nb' }, 'settings', /user name/],
  ];
  for (const [what, changes, kind, words] of refusals) {
    test(`a test explains what is wrong with ${what}`, async () => {
      const tested = await tried(changes);
      assert.equal(tested.ok, false);
      assert.deepEqual(
        [tested.kind, words.test(sayReason('en', tested.reason))],
        [kind, true],
        tested.reason.code,
      );
    });
  }

  test('a closed port, a silent one and one without TLS are reported with the same words', async () => {
    const silent = createServer(socket => socket.on('error', () => {}));
    const plain = createServer(socket => void socket.on('error', () => {}).end('* OK plain\r\n'));
    await Promise.all(
      [silent, plain].map(server => new Promise<void>(done => server.listen(0, '127.0.0.1', done))),
    );
    const port = (server: typeof silent) => (server.address() as { port: number }).port;
    const ports = [1, port(silent), port(plain)];
    const answers = await Promise.all(ports.map(one => tried({ port: one })));
    for (const server of [silent, plain]) server.close();
    assert.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1, JSON.stringify(answers));
    assert.equal(answers[0]?.ok === false && answers[0].kind, 'unreachable');
  });

  test('a test recognizes that IMAP is switched off, and a server that asks to wait', () => {
    const said = (response: string) =>
      explainFailure(
        Object.assign(new Error('x'), { authenticationFailed: true, response }),
        providerOf('gmail'),
      ).kind;
    assert.equal(said('[ALERT] Your account is not enabled for IMAP use.'), 'imap_off');
    assert.equal(said('You are yet to enable IMAP for your account.'), 'imap_off');
    assert.equal(said('[ALERT] Too many simultaneous connections. (Failure)'), 'busy');
    assert.equal(said('[AUTHENTICATIONFAILED] Invalid credentials (Failure)'), 'login');
  });

  test('a password counts as wrong only if the server says so', () => {
    const said = (responseText: string, serverResponseCode = '') =>
      explainFailure(
        Object.assign(new Error('x'), { authenticationFailed: true, responseText, serverResponseCode }),
        providerOf('other'),
      ).kind;
    for (const [words, code] of [
      ['Authentication failed.', 'AUTHENTICATIONFAILED'],
      ['AUTHENTICATE Invalid credentials', 'AUTHENTICATIONFAILED'],
      ['', 'AUTHENTICATIONFAILED'],
      ['Invalid credentials (Failure)', 'ALERT'],
      ['Application-specific password required: https://support.example/185833 (Failure)', 'ALERT'],
      ['LOGIN failed.'],
      ['Login failed: authentication failure'],
      ['Invalid user name or password.'],
      ['Incorrect password for busy-shop@later.example'],
    ] as const)
      assert.equal(said(words, code), 'login', words);
    for (const [words, code] of [
      ['', 'THROTTLED'],
      ['', ''],
      ['Request is throttled', 'THROTTLED'],
      ['slow down', 'LIMIT'],
      ['Temporary authentication failure.', 'UNAVAILABLE'],
      ['Too many login failures, try again later', 'AUTHENTICATIONFAILED'],
      ['Account is being moved'],
      ['Internal error occurred. Refer to server log for more information.'],
    ] as const)
      assert.equal(said(words, code), 'busy', words);
  });

  for (const secret of ['plain-and-long', 'pässwörd-sésame', 'quo"te\\d-sesame']) {
    test(`the words of a server that repeats the login are shown without the password ${secret}`, async () => {
      const proxy = await startFaultProxy(dovecot);
      // Only LOGIN is offered; the padding moves the end of what is shown through the password.
      proxy.rewrite(said => said.replace(/ AUTH=\w+/g, ''));
      for (let padding = 120; padding <= 160; padding += 10) {
        const echo = (command: string) => `NO ${'.'.repeat(padding)} ${command}`;
        proxy.answerWith(command => (command.startsWith('LOGIN') ? echo(command) : null));
        const tested = await tried({ port: proxy.port, credential: { kind: 'password', password: secret } });
        assert.ok(!tested.ok && tested.kind === 'busy');
        const explained = sayReason('en', tested.reason);
        assert.match(explained, /LOGIN "shop@test\.example"/);
        for (const part of ['plain', 'rd-s', 'quo', 'sesame']) assert.ok(!explained.includes(part), part);
      }
      await proxy.stop();
    });
  }

  test('a password or token is not shown in the base64 in which it was sent', () => {
    const logins: Login[] = [
      { user: 'shop@test.example', password },
      { user: 'shop@test.example', accessToken: 'ya29.token' },
    ];
    const sent = [
      'AHNob3BAdGVzdC5leGFtcGxlAG9wZW4gc2VzYW1l',
      'dXNlcj1zaG9wQHRlc3QuZXhhbXBsZQFhdXRoPUJlYXJlciB5YTI5LnRva2VuAQE=',
    ];
    for (const [place, login] of logins.entries()) {
      const error = { authenticationFailed: true, responseText: `bad line: ${sent[place]}` };
      const { message } = explainFailure(error, providerOf('other'), secretForms(login));
      assert.match(message, /The server said: bad line: …$/);
    }
  });

  test('a business that is deleted during a mailbox test leaves no password behind', async () => {
    const { merchantId } = await addTestMerchant(world);
    const options = { roots: trustedRoots(dovecot.ca), pace: patient };
    // The wish comes while the server's name is looked up.
    const lookupAddresses: typeof world.dns.lookupAddresses = async (...asked) => {
      await world.sql`update merchants set deletion_requested_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
      return await world.dns.lookupAddresses(...asked);
    };
    const busy = { ...world, dns: { ...world.dns, lookupAddresses } };
    const connected = await connectMailbox(busy, merchantId, settings(), options);
    assert.match(connected.ok ? '' : sayReason('en', connected.reason), /about to be deleted/);
    assert.equal((await world.sql`select from mailboxes where merchant_id = ${merchantId}`).length, 0);
  });

  test('a mailbox is stored only if it works, with a sealed password, and only one business has its address', async () => {
    const [one, two] = await Promise.all([addTestMerchant(world), addTestMerchant(world)]);
    const options = { roots: trustedRoots(dovecot.ca), pace: patient };
    const wrong = settings({ credential: { kind: 'password', password: 'no' } });
    assert.equal((await connectMailbox(world, one.merchantId, wrong, options)).ok, false);
    assert.equal((await world.sql`select from mailboxes`).length, 0);
    assert.equal((await connectMailbox(world, one.merchantId, settings(), options)).ok, true);
    const taken = await connectMailbox(
      world,
      two.merchantId,
      settings({ address: 'SHOP@test.example' }),
      options,
    );
    assert.match(taken.ok ? '' : sayReason('en', taken.reason), /Another business/);
    const rows = await world.sql<{ credential: string }[]>`select credential from mailboxes`;
    assert.equal(rows.length, 1);
    assert.doesNotMatch(
      Buffer.from(rows[0]!.credential.split('.')[1]!, 'base64').toString('latin1'),
      /sesame/,
    );
    assert.throws(() => world.secrets.open(rows[0]!.credential, `mailbox:${two.merchantId}:credential`));
  });
});
