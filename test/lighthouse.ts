import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { freePort } from '../src/free-port.ts';
import { browserArguments } from './support/browser.ts';
import { addTestOrder, openSite, setPaid } from './support/checkout-site.ts';
import { addTestMerchant, openTestWorld } from './support/test-world.ts';

/** `npm run lighthouse`: the hosted page on Lighthouse's slow phone. Fails when a score is below the goal. */
const goal = 98;
const categories = ['performance', 'accessibility', 'best-practices'];

const world = await openTestWorld();
const site = await openSite(world);
const verified = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
const personal = await addTestMerchant(world, { name: 'Sharma General Store' });
const paid = await addTestOrder(world, verified);
await setPaid(world, paid);
const pages = {
  'merchant account': (await addTestOrder(world, verified)).path,
  'personal account, Hindi': `${(await addTestOrder(world, personal)).path}?lang=hi`,
  'unknown link': '/pay/nope',
};

const port = await freePort();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [...browserArguments, `--remote-debugging-port=${port}`],
});
for (const [name, path] of Object.entries(pages)) {
  const result = await lighthouse(site.origin + path, {
    port,
    onlyCategories: categories,
    logLevel: 'error',
  });
  const scores = categories.map(category => {
    const score = Math.round((result!.lhr.categories[category]!.score ?? 0) * 100);
    if (score < goal) process.exitCode = 1;
    return `${category} ${score}`;
  });
  const failed = Object.values(result!.lhr.audits)
    .filter(audit => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative')
    .map(audit => `\n  ${audit.id}: ${audit.displayValue ?? audit.title}`);
  process.stdout.write(`${name}: ${scores.join(', ')}${failed.join('')}\n`);
}
await browser.close();
await site.stop();
await world.stop();
