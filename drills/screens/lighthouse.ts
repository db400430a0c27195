import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { minute } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { browserArguments, browserEnvironment } from '../../test/support/browser.ts';
import { addBusyShop } from '../../test/support/busy-shop.ts';
import { addTestOrder, openSite, setPaid } from '../../test/support/checkout-site.ts';
import { addTestUser, callAs, openDashboard } from '../../test/support/dashboard-site.ts';
import { install } from '../../test/support/install.ts';
import { chromiumPath, programs } from '../../test/support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';

const goals = { page: 98, dashboard: 95 };
/** The median counts: one run on a busy machine says little. */
const runs = 3;
const categories = ['performance', 'accessibility', 'best-practices'];

/**
 * The hosted page, and the screens that a shop looks at all day, with many orders and many open cases, on Lighthouse's
 * slow phone. Fails when a score is below its goal.
 */
export async function runLighthouse(only: string | undefined): Promise<void> {
  install('pages need', programs.Chromium);
  const lighthouse = await openLighthouse();
  const world = await openTestWorld();
  const site = await openSite(world);
  const verified = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
  const personal = await addTestMerchant(world, { name: 'Sharma General Store' });
  await world.sql`update merchants set colour = '7a1fa2' where merchant_id = ${personal.merchantId}`;
  const paid = await addTestOrder(world, verified);
  await setPaid(world, paid);
  const { origin } = site;
  const pages: [kind: keyof typeof goals, name: string, url: string][] = [
    ['page', 'merchant account', origin + (await addTestOrder(world, verified)).path],
    [
      'page',
      'personal account, own colour, Hindi',
      `${origin}${(await addTestOrder(world, personal)).path}?lang=hi`,
    ],
    ['page', 'paid, with its receipt', `${origin}${paid.path}?stay=1`],
    [
      'page',
      'expired, kept waiting',
      `${origin}${(await addTestOrder(world, verified, { age: 6 * minute })).path}?stay=1`,
    ],
  ];
  const dashboard = await openDashboard(world);
  const busy = await addBusyShop(world);
  await world.sql`
  insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
    expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer)
  select ${busy.merchantId}, 'ML-99' || lpad(n::text, 8, '0'), 'cart-' || n, 10000, 10037, 'pending',
    ${world.clock.now()}::timestamptz - n * interval '1 minute', ${world.clock.now()}, 'many' || n, ${busy.accountId},
    '', '', '', '{"name": "Asha Rao"}'
  from generate_series(1, 500) n`;
  await world.sql`
  insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, amount_paise, alert_time)
  select ${busy.merchantId}, 'many_' || n, 1, ${world.clock.now()}::timestamptz - n * interval '1 minute', 'INBOX',
    'no_order', n * 137, ${world.clock.now()}
  from generate_series(1, 100) n`;
  const { cookie } = await callAs(dashboard, world, await addTestUser(world, busy.merchantId, 'owner'));
  for (const path of ['', '/payments', '/counter', '/payments?view=decide'])
    pages.push(['dashboard', path || '/', `${dashboard.origin}/dashboard${path}`]);

  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...browserArguments, `--remote-debugging-port=${port}`],
    env: browserEnvironment(tmpdir()),
  });
  // A browser that has just started is slow at everything; nobody counts this one.
  await lighthouse(`${origin}/pay/nope`, { port, logLevel: 'silent' });
  for (const [kind, name, url] of pages) {
    if (only !== undefined && only !== kind) continue;
    const goal = goals[kind];
    const scores = new Map<string, number[]>();
    for (let run = 0; run < runs; run++) {
      const result = await lighthouse(url, {
        port,
        onlyCategories: categories,
        logLevel: 'error',
        ...(kind === 'dashboard' && { extraHeaders: { cookie } }),
      });
      for (const category of categories) {
        const score = Math.round((result!.lhr.categories[category]!.score ?? 0) * 100);
        scores.set(
          category,
          [...(scores.get(category) ?? []), score].sort((a, b) => a - b),
        );
      }
    }
    const medians = [...scores].map(([category, sorted]) => ({
      category,
      score: sorted[Math.floor(runs / 2)]!,
    }));
    if (medians.some(({ score }) => score < goal)) process.exitCode = 1;
    process.stdout.write(
      `${name} (goal ${goal}): ${medians.map(({ category, score }) => `${category} ${score}`).join(', ')}\n`,
    );
  }
  await browser.close();
  await dashboard.stop();
  await site.stop();
  await world.stop();
}

/** Lighthouse brings more than a hundred packages, so it is installed here, and only by this drill. */
async function openLighthouse() {
  const options = { cwd: import.meta.dirname, stdio: 'inherit' } as const;
  if (!existsSync(join(import.meta.dirname, 'node_modules/lighthouse')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  return (await import('lighthouse')).default;
}
