import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();

test('the name of every downloaded file has the day in India', async () => {
  world.clock.set('2026-11-15T18:30:00Z');
  const { merchantId } = await addTestMerchant(world, { name: 'Late' });
  const late = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const register = await callAs(site, world, await addTestUser(world, 0, 'operator'));
  const files = [
    await late.get('/dashboard/orders/export.csv'),
    await late.post('/dashboard/settings/privacy/export', { person: 'ravi@okbank' }),
    await register.get('/dashboard/operator/sales/register'),
    await late.post('/dashboard/settings/leave', { name: 'Late' }),
    await late.get('/dashboard/settings/leave/file'),
  ];
  assert.deepEqual(
    files.map(({ headers }) => /"(.*)"/.exec(String(headers['content-disposition']))?.[1]),
    [
      'orders-2026-11-16.csv',
      'person-2026-11-16.json',
      'plans-2026-11-16.csv',
      undefined,
      `milaan-${merchantId}-2026-11-16.tar.gz`,
    ],
  );
});
