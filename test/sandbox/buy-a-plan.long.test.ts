import assert from 'node:assert/strict';
import type { SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { orderBody } from '../support/api.ts';
import { accessibilityProblems, openBrowser, phone } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { runSandbox } from '../support/running-sandbox.ts';

const { prepare, test, use } = needs('Chromium');

let file: SandboxFile;

const sandbox = use(runSandbox);
const browser = use(openBrowser);
prepare(async () => {
  file = sandbox.file;
});

async function post(path: string, body: unknown) {
  const headers = { 'x-api-key': file.api_key, 'content-type': 'application/json' };
  const answer = await fetch(file.base_url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answered = (await answer.json()) as Record<string, string>;
  return { ...answered, code: answer.status } as Record<string, string> & { code: number };
}
const create = (amount: number) =>
  post('/api/v1/orders', orderBody({ amount, merchant_order_id: crypto.randomUUID() }));

test('a merchant at the limit buys a plan with the bar, continues, and has the receipt', async () => {
  const largest = await create(1_000_000);
  assert.equal(
    (await post(`/sandbox/orders/${largest['order_id']}/pay`, { how: 'exact' }))['verdict'],
    'paid',
  );
  const refused = await create(499);
  assert.deepEqual([refused.code, refused['error']], [402, 'plan_limit_reached']);
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(refused['upgrade_url']!);
  await page.getByLabel('Email').fill(file.email);
  await page.getByLabel('Password').fill(file.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('button', { name: 'Buy Silver' }).click();
  await page.getByRole('button', { name: /^Pay exactly ₹499/ }).click();
  await page.waitForURL(/\/dashboard\/plan/);
  await page.getByText(/^Silver: from .* until /).waitFor();
  assert.equal((await create(499)).code, 201);
  // The dearer one takes the unused days along, and says so before it is paid.
  await page.getByText('15 days of it are for the unused days of your present plan.').waitFor();
  await page.getByRole('button', { name: 'Buy Gold' }).click();
  await page.getByRole('button', { name: 'Pay rounded' }).click();
  await page.getByRole('status').filter({ hasText: 'Nothing paid' }).waitFor();
  await page.goto(`${file.base_url}/dashboard/plan`);
  await page.getByText('another sum was paid; the seller looks at it').waitFor();
  await page.getByRole('link', { name: /R-1/ }).click();
  await page.getByRole('heading', { name: 'Receipt R-1', level: 1 }).waitFor();
  assert.match(
    (await page.locator('.receipt').textContent()) ?? '',
    /Milaan Plans.*Kettle & Leaf.*Silver.*₹499\.\d\d/s,
  );
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(troubles, []);
  await close();
});
