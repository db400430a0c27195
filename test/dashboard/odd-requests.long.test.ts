import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import type { DashboardRoute } from '../../src/dashboard/frame/route.ts';
import { fillMerchant } from '../support/dashboard-merchant.ts';
import { callAs } from '../support/dashboard-site.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();

/** The fields that pages read from an address or a form. */
const fields =
  `account account_digits account_id act action address after alert alerts amount answer at auth bank bank_name before
  below by by_mail cap capacity cashier ceiling claim code color colour contact customer date day days digits email endpoint
  ends even_empty event file fresh from halt hold host hour id key kind kinds language least limit line lines link mail member
  merchant_code month months most name next note of order order_id page part passkey password payee_name payer period person phone
  plan plans port price provider purpose q reason recent ref reference refund refunds return_reference role rotated_at search secret
  seen sender size stamp state status stock sum sure takings template terms text title to token topic topics trial until url username
  values verdict view vpa was webhook_url what whatsapp which whose word years`.split(/\s+/);

const oddValues = [
  '',
  '-7',
  '0.001',
  '1e999',
  '9223372036854775808',
  '٣٤',
  '2026-02-31',
  '9999-12-31',
  '2026-11-99..2026-99-99',
  '-200000-01-01T00:00:00Z',
  '999999999999999.999999999999999.ML-1',
  '__proto__',
  'constructor',
  '\u0000',
  '\r\nset-cookie: x=y',
  '₹\ud83d',
  '_%\\',
  '"><script>alert(1)</script>',
  '//evil.example',
  '{"id":{}}',
  '('.repeat(800),
  'x'.repeat(10_000),
];

const oddIds = [
  '%00',
  '%0D%0A',
  '%E2%82%B9',
  '__proto__',
  '-1',
  '9'.repeat(20),
  '..%2F..',
  '%27',
  'x'.repeat(500),
];

for (const method of ['GET', 'POST'] as const)
  test(`no ${method} of the dashboard fails by an odd value or an odd id`, async () => {
    const failed = new Set<string>();
    const merchant = await fillMerchant(world);
    const signIn = async (route: DashboardRoute) =>
      await callAs(
        site,
        world,
        route.permission === 'operator' ? merchant.users.operator : merchant.users.owner,
      );
    for (const route of allRoutes.filter(one => one.method === method && !/sign-out|delete/.test(one.path))) {
      const pathWith = (id?: string) =>
        route.path.replaceAll(
          /:(\w+)/g,
          (_, name: string) => id ?? encodeURIComponent(merchant.examples[name.replaceAll('_', '')]!),
        );
      let by = await signIn(route);
      const check = async (path: string, values: [string, string][]) => {
        // A change may have ended the session.
        if (method === 'POST') by = await signIn(route);
        const { statusCode, body } =
          method === 'GET'
            ? await by.get(`${path}?${new URLSearchParams(values)}`)
            : await by.post(path, values);
        if (statusCode >= 500 || body.includes('<script>alert(1)'))
          failed.add(`${statusCode} ${method} ${path} ${values[0]?.[1]}`);
      };
      for (const value of oddValues)
        await check(
          pathWith(),
          fields.map(field => [field, value]),
        );
      // A refusal may lead back to an address with the id.
      if (route.path.includes(':'))
        for (const id of oddIds) await check(pathWith(id), [['return_reference', '!']]);
    }
    assert.deepEqual([...failed], []);
  });
