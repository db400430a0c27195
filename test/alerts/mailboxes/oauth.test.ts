import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe } from 'node:test';
import { connectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { mailboxState } from '../../../src/alerts/mailboxes/mailbox-state.ts';
import { redeemCode } from '../../../src/alerts/mailboxes/oauth/ask-for-token.ts';
import { signInUrl } from '../../../src/alerts/mailboxes/oauth/sign-in-url.ts';
import { trustedRoots } from '../../../src/alerts/mailboxes/open-connection.ts';
import { credentialPlace } from '../../../src/alerts/mailboxes/open-login.ts';
import { providers } from '../../../src/alerts/mailboxes/providers.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import { openMailWorld, plainMail, quickPace, storedMails, watch } from '../../support/test-mailbox.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const { after, prepare, test, use } = needs('Dovecot');

const user = 'shop@gmail.test.example';

describe('a mailbox entered by OAuth', () => {
  let server: Server;
  let url: string;
  const forms: URLSearchParams[] = [];
  const valid = new Set<string>();
  let refreshToken = 'first refresh token';
  let refuse: string | null = null;

  prepare(async () => {
    server = createServer(async (request, response) => {
      const form = new URLSearchParams(await bodyOf(request));
      if (request.url === '/check') {
        const active = valid.has(form.get('token') ?? '');
        return void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ active, email: user }));
      }
      forms.push(form);
      const right = form.get('refresh_token') === refreshToken || form.get('code') === 'the code';
      if (refuse !== null || !right) {
        return void response.writeHead(400).end(JSON.stringify({ error: refuse ?? 'invalid_grant' }));
      }
      const access = `access ${forms.length}`;
      valid.add(access);
      refreshToken = `refresh ${forms.length}`;
      response.end(JSON.stringify({ access_token: access, refresh_token: refreshToken, expires_in: 3600 }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  const world = use(() => openMailWorld({ GOOGLE_CLIENT_ID: 'our id', GOOGLE_CLIENT_SECRET: 'our secret' }));
  const dovecot = use(() => startDovecot({ tokenCheck: `${url}/check` }));
  prepare(async () => {
    const { host } = providers.find(provider => provider.id === 'gmail')!;
    world.dns.addresses.set(host!, ['127.0.0.1']);
    world.dns.addresses.set(dovecot.host, ['127.0.0.1']);
  });
  after(async () => {
    server.close();
  });

  test('OAuth asks for lasting permission with the installation’s own client, and exchanges the code for tokens', async () => {
    const asked = new URL(
      signInUrl(world.config, {
        provider: 'gmail',
        redirectUrl: 'https://pay.example.in/back',
        state: 'a state',
        codeChallenge: 'a challenge',
      }),
    );
    assert.equal(asked.origin, 'https://accounts.google.com');
    assert.equal(asked.searchParams.get('client_id'), 'our id');
    assert.equal(asked.searchParams.get('access_type'), 'offline');
    const token = await redeemCode(
      world.config,
      { provider: 'gmail', code: 'the code', codeVerifier: 'v', redirectUrl: 'https://pay.example.in/back' },
      { signal: new AbortController().signal, tokenUrl: `${url}/token` },
    );
    assert.equal(token, refreshToken);
    assert.equal(forms.at(-1)!.get('client_secret'), 'our secret');
    await assert.rejects(
      async () =>
        signInUrl(world.config, { provider: 'outlook', redirectUrl: '', state: '', codeChallenge: '' }),
      /not set up/,
    );
  });

  test('an OAuth mailbox is read with fresh access tokens, keeps a changed refresh token, and reports an ended permission', async () => {
    const { merchantId } = await addTestMerchant(world);
    const credential = { kind: 'oauth' as const, provider: 'gmail' as const, refreshToken };
    // Gmail's own host cannot be on loopback: the row is written as the preset would, with our server in its place.
    const tested = await connectMailbox(
      world,
      merchantId,
      {
        provider: 'other',
        address: user,
        host: dovecot.host,
        port: dovecot.port,
        credential: { kind: 'password', password: 'x' },
      },
      { roots: trustedRoots(dovecot.ca), pace: quickPace },
    );
    assert.equal(tested.ok, false);
    const sealed = world.secrets.seal(JSON.stringify(credential), credentialPlace(merchantId));
    await world.sql`
      insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
      values (${merchantId}, 'gmail', ${user}, ${user}, ${dovecot.host}, ${dovecot.port}, ${sealed}, 1, ${world.clock.now()})`;
    await world.sql`insert into mailbox_leases (merchant_id) values (${merchantId})`;
    await world.sql`insert into mailbox_states (merchant_id) values (${merchantId})`;
    const options = { tokenUrls: { gmail: `${url}/token` } };
    let watching = watch(world, dovecot, options);
    try {
      await dovecot.deliver(user, plainMail());
      await waitFor('the mail', async () => (await storedMails(world, merchantId)) === 1);
      const [row] = await world.sql<{ credential: string }[]>`select credential from mailboxes`;
      const kept = JSON.parse(world.secrets.open(row!.credential, credentialPlace(merchantId)));
      assert.equal(kept.refreshToken, refreshToken);

      await watching.stop();
      refuse = 'invalid_grant';
      watching = watch(world, dovecot, options);
      const state = await waitFor('the need of a login', async () => {
        const now = await mailboxState(world.sql, merchantId, world.clock.now());
        return now?.needsLogin ? now : null;
      });
      assert.equal(state.lastError?.code, 'permission_ended');
      refuse = null;
      await dovecot.deliver(user, plainMail());
      await waitFor('the mail after it', async () => (await storedMails(world, merchantId)) === 2);
    } finally {
      await watching.stop();
    }
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
