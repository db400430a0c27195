import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record } from '../../../src/business/accounts/audit.ts';
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

async function notify(destination: string): Promise<number> {
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
  const id = await notify('shop.example');
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

test('“mark all” marks the notices on the page: those that came later stay new', async () => {
  const first = await notify('one');
  await notify('two');
  const page = (await owner.get(list)).body;
  const upTo = /name="up_to" value="(\d+)"/.exec(page)?.[1] ?? '';
  assert.equal(Number(upTo), first + 1);
  await notify('three');
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

test('a support member reads the notices and cannot mark them; nobody reaches another business’s', async () => {
  const id = await notify('four');
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

test('stored notices of 0.2.0 about chats are shown as text, and their old address leads to Notifications', async () => {
  const now = world.clock.now();
  const place = 'Telegram -1001234';
  await world.sql.begin(async tx => {
    for (const action of ['chat.add', 'chat.test', 'chat.remove'] as const)
      await record(tx, { merchantId, at: now, actor: 'owner@shop.example', action, subject: place });
    const off = { place, cause: because('answered', { status: 403 }) };
    await notifyOwner(tx, { merchantId, kind: 'chat_off', facts: off, dedupeKey: 'off', now });
    const change = {
      deed: because('chat_added', { place }),
      by: 'owner@shop.example',
      from: '192.0.2.1',
      at: now,
    };
    await notifyOwner(tx, { merchantId, kind: 'deed', facts: change, dedupeKey: 'added', now });
  });
  for (const [language, log, notices] of [
    [
      'en',
      /Sent a test notice to Telegram.*Has notices sent to/s,
      /No more notices go to Telegram.*: answered 403\./s,
    ],
    ['hi', /पर जाँच की सूचना भेजी.*पर भेजना शुरू किया/s, /अब सूचनाएँ नहीं जातीं.*: जवाब 403 मिला।/s],
  ] as const) {
    const activity = await owner.get(`/dashboard/audit?lang=${language}`);
    assert.equal(activity.statusCode, 200);
    assert.match(activity.body, log);
    const { body } = await owner.get(`${list}?lang=${language}`);
    assert.match(body, notices);
    assert.doesNotMatch(`${activity.body}${body}`, /chat[._]/);
  }
  const old = await owner.get('/dashboard/notices/chats');
  assert.deepEqual([old.statusCode, old.headers.location], [303, '/dashboard/shop/notifications']);
});
