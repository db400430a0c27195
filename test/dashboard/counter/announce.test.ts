import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../src/business/accounts/may-do.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();
const listens = /data-when="seeing" role="status" hidden>Listening</;
const question = /Also announce payments made with your wall QR\?/;

async function open() {
  const shop = await addTestMerchant(world);
  await connectedMailbox(world, shop.merchantId);
  const as = async (role: Role) => callAs(site, world, await addTestUser(world, shop.merchantId, role));
  const choices = async () =>
    (
      await world.sql<{ counts_takings: boolean; takings_asked: boolean }[]>`
        select counts_takings, takings_asked from upi_accounts where merchant_id = ${shop.merchantId}`
    ).map(row => ({ ...row }));
  return { shop, as, choices, owner: await as('owner') };
}

test('sound box and poster ask an owner once, and the box claims to listen only after the yes', async () => {
  const { owner, as, choices, shop } = await open();
  const pages = ['/dashboard/counter/box', `/dashboard/poster?of=${shop.accountId}`];
  for (const page of pages) {
    const { body } = await owner.get(page);
    assert.match(body, question, page);
    assert.deepEqual(
      body.match(/<(?:a|button)[^>]* class="button(?: wide)?"/g)?.length,
      1,
      `${page}: one main button`,
    );
  }
  const box = async () => (await owner.get(pages[0]!)).body;
  assert.doesNotMatch(await box(), listens);
  assert.match(await box(), /Wall QR payments stay silent/);
  for (const role of ['manager', 'support', 'cashier'] as const) {
    const person = await as(role);
    assert.doesNotMatch((await person.get(pages[0]!)).body, question, role);
    assert.doesNotMatch((await person.get(pages[0]!)).body, listens, role);
    for (const path of ['announce', 'announce/no'])
      assert.equal((await person.post(`/dashboard/counter/${path}`)).statusCode, 403, role);
  }
  assert.deepEqual(await choices(), [{ counts_takings: false, takings_asked: false }]);
  const answered = await owner.post('/dashboard/counter/announce/no', { next: pages[1]! });
  assert.equal(answered.headers.location, pages[1]);
  assert.deepEqual(await choices(), [{ counts_takings: false, takings_asked: true }]);
  for (const page of pages) assert.doesNotMatch((await owner.get(page)).body, question, page);
  assert.match(await box(), listens);
});

test('an owner’s yes counts the payments, is in the log, notifies the owner, and needs a fresh sign-in', async () => {
  const { owner, choices, shop } = await open();
  await world.sql`update sessions set confirmed_at = ${new Date(0)} where merchant_id = ${shop.merchantId}`;
  const stale = await owner.post('/dashboard/counter/announce', {});
  assert.match(String(stale.headers.location), /^\/dashboard\/confirm\?/);
  assert.deepEqual(await choices(), [{ counts_takings: false, takings_asked: false }]);
  await world.sql`update sessions set confirmed_at = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
  const done = await owner.post('/dashboard/counter/announce', { next: 'https://evil.example/dashboard' });
  assert.equal(done.headers.location, '/dashboard/counter');
  assert.deepEqual(await choices(), [{ counts_takings: true, takings_asked: true }]);
  const entries = await world.sql`
    select subject from audit_log where merchant_id = ${shop.merchantId} and action = 'upi_account.takings'`;
  assert.deepEqual(
    entries.map(entry => entry['subject']),
    [shop.accountId],
  );
  const notices = await world.sql`
    select from notices where merchant_id = ${shop.merchantId} and facts -> 'deed' ->> 'code' = 'upi_takings'`;
  assert.equal(notices.length, 1);
});

test('only the owner sets the limit for one tap, with a fresh sign-in', async () => {
  const { owner, as, shop } = await open();
  const limit = async () =>
    (await world.sql`select one_tap_below_paise from merchants where merchant_id = ${shop.merchantId}`)[0]![
      'one_tap_below_paise'
    ];
  const path = '/dashboard/shop/rules/one-tap';
  assert.equal(await limit(), 200_000, '₹2,000 by default');
  for (const role of ['manager', 'cashier'] as const)
    assert.equal((await (await as(role)).post(path, { below: '90000' })).statusCode, 403, role);
  const rules = async () => (await owner.get('/dashboard/shop/rules')).body;
  assert.equal((await rules()).match(/>Save</g)?.length, 1, 'one Save for the limit and the switches');
  for (const wrong of ['0', '-5', 'many', '10000001'])
    assert.equal((await owner.post(path, { below: wrong, fresh: 'on' })).statusCode, 400, wrong);
  assert.doesNotMatch(await rules(), /name="fresh" checked/);
  assert.equal(await limit(), 200_000);
  await owner.post(path, { below: '500', fresh: 'on' });
  assert.equal(await limit(), 500_00);
  assert.match(await rules(), /name="fresh" checked/);
  assert.match(await rules(), /name="was" value="500"/);
  await owner.post(path, { below: '', was: '500' });
  assert.equal(await limit(), null);
  await owner.post(path, { below: '500', was: '500', 'cap-added': 'on' });
  assert.equal(await limit(), null, 'an old page, of which somebody saves a switch, brings no limit back');
  assert.match(await rules(), /name="cap-added" checked/);
  await world.sql`update sessions set confirmed_at = ${new Date(0)} where merchant_id = ${shop.merchantId}`;
  assert.match(String((await owner.post(path, { below: '9' })).headers.location), /^\/dashboard\/confirm/);
  const entries = await world.sql`
    select details from audit_log where merchant_id = ${shop.merchantId} and action = 'one_tap.choose' order by seq`;
  assert.equal(entries.length, 2);
});
