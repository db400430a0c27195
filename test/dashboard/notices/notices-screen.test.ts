import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notifyOwner } from '../../../src/outbox/notices/notify-owner.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

let merchantId: number;

const { world, site } = useDashboard();
prepare(async () => {
  ({ merchantId } = await addTestMerchant(world));
});
const owner = use(async () => callAs(site, world, await addTestUser(world, merchantId, 'owner')));

const list = '/dashboard/to-do';
const isNew = (destination: string) =>
  new RegExp(
    `do not reach ${destination}</span><span class="small quiet">[^<]* <span class="state warn">New<`,
  );

async function tell(destination: string): Promise<number> {
  const now = world.clock.now();
  const facts = { since: now, destination, failures: 5, cause: because('timed_out') };
  await world.sql.begin(tx =>
    notifyOwner(tx, { merchantId, kind: 'webhook_failing', facts, dedupeKey: destination, now }),
  );
  const [row] = await world.sql<{ notice_id: number }[]>`
    select notice_id from notices where merchant_id = ${merchantId} and dedupe_key = ${destination}`;
  return row!.notice_id;
}

const auditEntries = async () =>
  await world.sql<{ action: string; subject: string; details: string }[]>`
    select action, subject, details from audit_log where merchant_id = ${merchantId} order by seq`;

test('a new notice is marked as new until somebody marks it as seen, which the audit log records once', async () => {
  const id = await tell('shop.example');
  const old = await owner.get('/dashboard/notices?before=7');
  assert.equal(old.headers.location, '/dashboard/to-do?before=7');
  assert.match((await owner.get(list)).body, isNew('shop\\.example'));
  const marked = await owner.post(`/dashboard/notices/${id}/seen`, { next: '/dashboard' });
  assert.equal(marked.headers.location, '/dashboard');
  const { body } = await owner.get(list);
  assert.match(body, /do not reach shop\.example/);
  assert.doesNotMatch(body, isNew('shop\\.example'));
  assert.doesNotMatch(body, /Mark all as seen/);
  await owner.post(`/dashboard/notices/${id}/seen`);
  assert.deepEqual(await auditEntries(), [{ action: 'notice.seen', subject: String(id), details: '' }]);
});

test('“mark all” means those that were on the page: what came in between stays new', async () => {
  const first = await tell('one');
  await tell('two');
  const page = (await owner.get(list)).body;
  const upTo = /name="up_to" value="(\d+)"/.exec(page)?.[1] ?? '';
  assert.equal(Number(upTo), first + 1);
  await tell('three');
  await owner.post('/dashboard/notices/seen', { up_to: upTo });
  const fresh = (await owner.get(list)).body;
  assert.match(fresh, isNew('three'));
  assert.doesNotMatch(fresh, isNew('(one|two)'));
  assert.deepEqual((await auditEntries()).at(-1), {
    action: 'notice.seen',
    subject: `to ${upTo}`,
    details: '2',
  });
});

test('a support member reads the notices and marks none; nobody reaches another business’s', async () => {
  const id = await tell('four');
  const support = await callAs(site, world, await addTestUser(world, merchantId, 'support'));
  const page = (await support.get(list)).body;
  assert.match(page, /four/);
  assert.doesNotMatch(page, /as seen/);
  assert.equal((await support.post(`/dashboard/notices/${id}/seen`)).statusCode, 403);
  const other = await addTestMerchant(world);
  const stranger = await callAs(site, world, await addTestUser(world, other.merchantId, 'owner'));
  assert.equal((await stranger.post(`/dashboard/notices/${id}/seen`)).statusCode, 404);
  assert.match((await owner.get(list)).body, isNew('four'));
  assert.equal((await owner.post('/dashboard/notices/99999999999999999999/seen')).statusCode, 404);
});
