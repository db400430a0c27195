import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import type { DashboardRoute } from '../../src/dashboard/frame/route.ts';
import { deleteKind } from '../../src/orders/history/delete-early.ts';
import { matchingRules } from '../../src/payments/matching/matching-rules.ts';
import { type FilledMerchant, fillMerchant } from '../support/dashboard-merchant.ts';
import { addTestUser, callAs, openDashboard } from '../support/dashboard-site.ts';
import { growMerchants } from '../support/grow-merchants.ts';
import { openTestWorld, type TestWorld } from '../support/test-world.ts';

/** No statement may take longer. A good plan takes a tenth of it on an idle machine, a plan for one row minutes. */
const mostTime = 15 * second;
/** For work that nobody waits for. Each takes about a second on an idle machine. */
const mostTimeBehind = 20 * second;

/** Further pages of the lists: what their filters and their second pages ask for. */
const filtered = (accountId: string, id: string) => [
  ...['all', 'paid', 'waiting', 'decide', 'returned', 'kept', 'orders'].flatMap(view =>
    ['', '&q=cart-77', '&q=nothing', '&q=100.37'].map(more => `/payments?view=${view}${more}`),
  ),
  ...['pending', 'expired', 'paid', 'failed', 'manual_review'].map(
    status => `/payments?view=orders&status=${status}`,
  ),
  `/payments?from=2026-10-20&to=2026-10-21&account=${accountId}`,
  '/payments?days=2026-10-01..2026-10-31',
  '/orders/export.csv?status=paid',
  '/orders/export.csv?search=nothing',
  '/search?q=nothing',
  '/search?q=100.37',
  '/?period=month',
  '/reports?period=2026-11-01',
  '/reports/month?period=2026-10',
  '/reports/year?period=2026',
  '/reports/register.csv?period=2026',
  '/webhooks?only=failed',
  '/webhooks?before=200',
  '/webhooks?only=failed&before=200',
  '/payments/not-counted',
  '/payments/not-counted?only=doubtful',
  '/to-do?before=200',
  '/audit?before=200',
  ...['orders/o100', 'orders/o107', 'money/c200', 'money/h200', 'money/t200'].map(one => `/${one}_${id}`),
];

const scenes: [title: string, count: number, prepare: (world: TestWorld) => Promise<unknown>][] = [
  ['100,000 orders, and no statistics of any table', 100_000, async () => {}],
  [
    '50,000 orders, and statistics from when every business had one',
    50_000,
    async world => {
      await growMerchants(
        world,
        Array.from({ length: 2_000 }, (_, place) => place + 1),
        1,
      );
      await world.sql.unsafe('analyze');
    },
  ],
];

for (const [title, count, prepare] of scenes)
  test(`each page of the dashboard answers in time for a business with ${title}`, async () => {
    const world = await openTestWorld();
    const merchant = await fillMerchant(world);
    await prepare(world);
    await growMerchants(world, [merchant.merchantId], count);
    const sql = connect(world.databaseUrl, { most: 4, statementTimeout: mostTime });
    const behind = connect(world.databaseUrl, { most: 1, statementTimeout: mostTimeBehind });
    const site = await openDashboard({ ...world, sql });
    try {
      const slow: string[] = [];
      const notBroken = (what: string, asked: Promise<unknown>) =>
        asked.catch(error => slow.push(`${what}: ${error.message}`));
      const owner = await callAs(site, world, merchant.users.owner);
      const operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
      for (const { path, isOperators } of pagesOf(merchant)) {
        const caller = isOperators ? operator : owner;
        await notBroken(
          path,
          caller.get(path).then(({ statusCode }) => assert.ok(statusCode < 500, `${statusCode}`)),
        );
      }
      for (const { sentence, breaches } of matchingRules.filter(({ rule }) => rule === 'table'))
        await notBroken(`verify: ${sentence}`, breaches(behind));
      const long = new Date(world.clock.now().getTime() - 20 * 24 * 60 * 60 * second);
      for (const kind of ['raw_mails', 'claims', 'webhook_bodies'] as const)
        await notBroken(
          `forget ${kind}`,
          behind.begin(tx => deleteKind[kind](tx, merchant.merchantId, long, 1000)),
        );
      assert.deepEqual(slow, []);
    } finally {
      await site.stop();
      await sql.end({ timeout: 1 });
      await behind.end({ timeout: 1 });
      await world.stop();
    }
  });

/** Every page that somebody who is signed in can open, with the ids of this business. */
function pagesOf({ examples, merchantId }: FilledMerchant) {
  const filled = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => examples[name.replaceAll('_', '').toLowerCase()]!);
  const isPage = ({ method, permission }: DashboardRoute) => method === 'GET' && permission !== 'anyone';
  return [
    ...allRoutes
      .filter(isPage)
      .map(({ path, permission }) => ({ path: filled(path), isOperators: permission === 'operator' })),
    ...filtered(examples['accountid']!, String(merchantId)).map(path => ({
      path: `/dashboard${path}`,
      isOperators: false,
    })),
  ];
}
