import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { allRoutes } from '../../../src/dashboard/all-routes.ts';
import { landingRoutes } from '../../../src/dashboard/front/landing-routes.ts';
import { addCheckout } from '../../support/checkout-site.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

let cookie: string;
const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, async app => landingRoutes(app, world, await addCheckout(app, world))),
);
prepare(async () => {
  const { merchantId } = await addTestMerchant(world);
  ({ cookie } = await callAs(site, world, await addTestUser(world, merchantId, 'owner')));
});

/** One GET with exactly this on its request line. */
function ask(target: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1', () => {
      const lines = Object.entries({ host: 'evil.example', connection: 'close', ...headers });
      socket.write(
        `GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
    });
    socket.on('data', chunk => {
      said += chunk;
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

const locationOf = (answer: string) => /^location: (.*)\r$/im.exec(answer)?.[1];

test('no page requested in absolute form leads to the named host', async () => {
  const paths = new Set(allRoutes.map(({ path }) => path.replaceAll(/:\w+/g, 'x')));
  let redirects = 0;
  for (const path of ['/', '/pay/x/', ...paths]) {
    for (const [headers, form] of [
      [{}, 'http://evil.example'],
      [{ cookie }, 'http://evil.example'],
      [{ cookie }, 'HTTPS://a@evil.example:8443'],
    ] as const) {
      const answer = await ask(`${form}${path}?x=1`, headers);
      const to = locationOf(answer);
      if (to === undefined) continue;
      redirects++;
      assert.equal(URL.parse(to, site.origin)?.origin, site.origin, `${path} leads to ${to}`);
      assert.doesNotMatch(decodeURIComponent(to), /evil/, path);
    }
  }
  assert.ok(redirects > 30, `${redirects} redirects`);
});

test('an address in absolute form is answered as its path is', async () => {
  for (const target of ['http://evil.example', 'http://evil.example?x=1', 'http://evil.example/?x=1']) {
    assert.equal(locationOf(await ask(target, { cookie })), '/dashboard', target);
    assert.match(await ask(target), /^HTTP\/1\.1 200 /);
  }
  assert.match(await ask('http://evil.example/dashboard/sign-in'), /^HTTP\/1\.1 200 /);
  assert.match(await ask('http://evil.example/nothing'), /"not_found"/);
});

test('the root address shows a stranger what this is, what a payment link looks like, and where owners and developers go', async () => {
  const said = await ask('/', { 'accept-language': 'en' });
  for (const part of [
    '<h1>UPI payments, confirmed</h1>',
    `${site.origin}/pay/…`,
    `${site.origin}/l/…`,
    'href="/dashboard"',
    'href="/docs"',
    'noindex',
  ])
    assert.ok(said.includes(part), part);
  assert.doesNotMatch(said, /\b\d+\.\d+\.\d+\b(?!\.\d)/, 'no version');
  assert.match(await ask('/?lang=hi'), /<html lang="hi">/);
});
