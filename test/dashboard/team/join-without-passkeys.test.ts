import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();

test('a link names the screen lock only where browsers support passkeys', async () => {
  const { merchantId } = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const { body } = await owner.post('/dashboard/team/cashier', { name: 'Kiran' });
  const link = new URL(/<code id="invitation">([^<]+)</.exec(body)![1]!).pathname;
  const stranger = await callAs(site, world, null);
  const lock = /finger, face or PIN/;
  world.baseUrl = 'https://pay.example.in';
  assert.match((await stranger.get(link)).body, lock);
  world.baseUrl = 'http://192.0.2.7:8080';
  const bare = await stranger.get(link);
  assert.match(bare.body, /Kiran, you take payments at the counter\./);
  assert.doesNotMatch(bare.body, lock);
});
