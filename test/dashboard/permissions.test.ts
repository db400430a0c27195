import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { day, later, minute } from '../../src/base/clock.ts';
import type { Permission, VisitorRole } from '../../src/business/accounts/may-do.ts';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import type { DashboardRoute } from '../../src/dashboard/frame/route.ts';
import { type FilledMerchant, fillMerchant } from '../support/dashboard-merchant.ts';
import { type Caller, callAs, type DashboardSite, openDashboard } from '../support/dashboard-site.ts';
import { permissionsAsExpected as expected } from '../support/permissions-as-expected.ts';
import { rowsOf } from '../support/rows-of.ts';
import { openTestWorld, type TestWorld } from '../support/test-world.ts';

const roles = 'owner manager support developer auditor cashier operator onlooker'.split(' ') as VisitorRole[];
/** Requests that another site's page sends. */
const fromElsewhere: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': '', origin: 'https://evil.example' },
];
/** Parts of a path that name no row of a business. */
const namesNoRow = ['provider', 'token'];

type Guarded = DashboardRoute & { permission: Permission; fresh?: boolean };
const guarded = allRoutes.filter((route): route is Guarded => route.permission !== 'anyone');
const title = (route: DashboardRoute) => `${route.method} ${route.path}`;

let world: TestWorld;
let site: DashboardSite;
/** Only ever looked at by those who may. */
let looked: Visited;
/** For whatever must change nothing: any change since its people signed in is seen in its rows. */
let untouched: Visited & { known: Record<string, string>; strangers: Caller[] };

type Visited = FilledMerchant & { people: Record<VisitorRole, Caller> };

before(async () => {
  world = await openTestWorld();
  site = await openDashboard(world);
  looked = await visited();
  const merchant = await visited();
  const strangers = [
    await callAs(site, world, null),
    await callAs(site, world, merchant.users.owner, { stage: 'code' }),
  ];
  untouched = { ...merchant, strangers, known: await rowsOf(world, merchant.merchantId) };
});
after(async () => {
  await site.stop();
  await world.stop();
});

test('the list of pages is not empty, and declares no address twice', () => {
  const titles = allRoutes.map(title);
  assert.ok(titles.length > 30);
  assert.deepEqual(titles, [...new Set(titles)]);
});

test('only the sign-in pages are open to anybody', () => {
  const open = allRoutes.filter(route => route.permission === 'anyone').map(({ path }) => path);
  const waysIn =
    /^\/dashboard\/(sign-in(\/code|\/passkey(\/options)?)?|sign-up(\/privacy)?|open-business\/:token|recover(\/:token)?|join\/:token(\/options)?|first-steps\/thanks)$/;
  assert.deepEqual(
    open.filter(path => !waysIn.test(path)),
    [],
  );
});

test('every change needs a fresh sign-in, except those from which nobody can gain anything', () => {
  const harmless = [
    '/dashboard/sign-out',
    '/dashboard/confirm',
    '/dashboard/confirm/passkey',
    '/dashboard/confirm/passkey/options',
    '/dashboard/account/language',
    '/dashboard/account/sessions/end-others',
    '/dashboard/account/sessions/:sessionId/end',
    '/dashboard/first-steps/proof',
    '/dashboard/first-steps/mail',
    '/dashboard/pay',
    '/dashboard/counter',
    '/dashboard/links',
    '/dashboard/links/:payment_link_id/pause',
    '/dashboard/links/:payment_link_id/resume',
    '/dashboard/links/:payment_link_id/withdraw',
    // It says that nothing changes; a yes asks.
    '/dashboard/counter/announce/no',
    // Below three rupees, below the owner's limit, and only without any other question (`one-tap.ts`).
    '/dashboard/counter/:order_id/accept/:alert_id',
    '/dashboard/mailbox/forwarding/probe',
    '/dashboard/webhooks/:event_id/resend',
    '/dashboard/webhooks/resend-failed',
    '/dashboard/webhooks/test',
    // They move no goods: accepting does, and asks.
    '/dashboard/counter/:order_id/hold/:alert_id',
    '/dashboard/pay/:order_id/hold/:alert_id',
    '/dashboard/orders/:order_id/hold/:alert_id',
    '/dashboard/money/:alert_id/orders/:order_id/attach',
    '/dashboard/money/:alert_id/orders/:order_id/decline',
    '/dashboard/money/:alert_id/given-back',
    '/dashboard/money/:alert_id/keep',
    '/dashboard/money/:alert_id/reopen',
    '/dashboard/money/:alert_id/undo',
    // Notes of what the shop itself paid: no money and no order changes.
    '/dashboard/orders/:order_id/give-back',
    '/dashboard/orders/:order_id/give-back/undo',
    '/dashboard/money/:alert_id/not-arrived',
    '/dashboard/money/oversold/:order_id/done',
    '/dashboard/shop/rules',
    // It finds businesses by name. Looking into payments asks by itself; `operator/platform.test.ts` tests that.
    '/dashboard/operator/find',
    '/dashboard/settings/near-misses',
    '/dashboard/settings/fresh',
    '/dashboard/settings/languages',
    '/dashboard/settings/cap-added',
    '/dashboard/notices/seen',
    '/dashboard/notices/:notice_id/seen',
    '/dashboard/notices/choices',
    // Adding one asks; these only take away.
    '/dashboard/notices/devices/here',
    '/dashboard/notices/devices/:device_id/remove',
    '/dashboard/team/invitations/:linkId/withdraw',
    '/dashboard/settings/name',
    '/dashboard/statement',
    // An order that is still to be paid, and two lines on receipts.
    '/dashboard/plan/buy',
    '/dashboard/plan/receipts',
    '/dashboard/settings/delete/cancel',
    // It shows what readers of the business see, changes nothing and ends by itself.
    '/dashboard/settings/look',
    '/dashboard/settings/look/end',
    '/dashboard/look/end',
  ];
  const changes = guarded
    .filter(({ method, reauth: fresh }) => method === 'POST' && !fresh)
    .map(({ path }) => path);
  assert.deepEqual(
    changes.filter(path => !harmless.includes(path)),
    [],
  );
});

test('a page that shows a secret or a stranger’s mail, or that changes when opened, needs it too', () => {
  const revealing = [
    '/dashboard/account/two-step',
    '/dashboard/account/recovery-codes',
    '/dashboard/account/passkeys',
    '/dashboard/mailbox/signed-in',
    '/dashboard/operator/workshop',
    '/dashboard/connect',
  ];
  const asking = guarded
    .filter(({ method, reauth: fresh }) => method === 'GET' && fresh)
    .map(({ path }) => path as string);
  assert.deepEqual(
    revealing.filter(path => !asking.includes(path)),
    [],
  );
});

/** A route's permission is looked up in one table, so every role tries the first route of each, and two all others. */
for (const [at, route] of guarded.entries()) {
  const isAlike = ({ permission, method }: Guarded) =>
    permission === route.permission && method === route.method;
  const isFirst = guarded.find(isAlike) === route;
  // Those who only look may send nothing, whatever page it is.
  const changes = route.method === 'POST' && route.permission !== 'look.end';
  const may = roles.filter(
    role => expected[route.permission].split(' ').includes(role) && !(role === 'onlooker' && changes),
  );
  const mayNot = roles.filter(role => !may.includes(role));
  /** For those who may change something; what one of them did takes from no other that they may. */
  let changed: FilledMerchant | undefined;

  test(`${title(route)}: ${isFirst ? 'each role may or' : 'one role may, another'} may not, as the table says`, async () => {
    for (const role of isFirst ? roles : [mayNot[at % mayNot.length]!, may.at(-1)!]) {
      if (!may.includes(role)) {
        const { statusCode, headers } = await call(untouched.people[role], route, untouched);
        // Home leads on to the role's own first place.
        const isHome = route.path === '/dashboard' && route.method === 'GET';
        assert.equal(statusCode, isHome ? 303 : 403, role);
        if (isHome) assert.match(String(headers.location), /^\/dashboard\/(counter|operator)$/, role);
        continue;
      }
      if (route.method === 'POST') changed ??= await fillMerchant(world);
      const merchant = changed ?? looked;
      const caller = merchant === looked ? looked.people[role] : await as(merchant, role);
      const answer = await call(caller, route, merchant);
      assert.ok(answer.statusCode < 500 && answer.statusCode !== 403, `${role}: ${answer.statusCode}`);
      assert.doesNotMatch(
        String(answer.headers.location ?? ''),
        /^\/dashboard\/(confirm|sign-in\?next)/,
        role,
      );
    }
    await nothingChanged();
  });

  test(`${title(route)}: refuses without a session, from another site, or with half a sign-in`, async () => {
    for (const stranger of untouched.strangers) {
      const answer = await call(stranger, route, untouched);
      assert.equal(answer.statusCode, 303);
      assert.match(String(answer.headers.location), /^\/dashboard\/sign-in/);
    }
    if (route.method === 'POST')
      for (const headers of isFirst ? fromElsewhere : [fromElsewhere[at % fromElsewhere.length]!]) {
        const answer = await call(untouched.people[whoMay(route)], route, untouched, headers);
        assert.equal(answer.statusCode, 403, JSON.stringify(headers));
      }
    await nothingChanged();
  });

  test(`${title(route)}: shows and changes nothing for another business’s owner`, async () => {
    const enemy = changed ? await as(changed, 'owner') : looked.people.owner;
    const answer = await call(enemy, route, untouched);
    for (const secret of [untouched.name, untouched.users.owner.email, untouched.examples['orderid']!]) {
      const echoed = answer.body.includes(secret) && !route.path.includes(':');
      assert.ok(!echoed, `${secret} is shown to another business`);
    }
    const namesRow = parametersOf(route).some(name => !namesNoRow.includes(name));
    if (namesRow && route.permission !== 'operator') assert.equal(answer.statusCode, 404);
    await nothingChanged();
  });

  if (route.reauth) {
    test(`${title(route)}: asks for a fresh sign-in after ten minutes, and changes nothing before`, async () => {
      const start = world.clock.now();
      world.clock.advance(10 * minute);
      const answer = await call(untouched.people[whoMay(route)], route, untouched);
      world.clock.set(start);
      assert.equal(answer.statusCode, 303);
      assert.match(String(answer.headers.location), /^\/dashboard\/confirm\?next=%2Fdashboard/);
      // That somebody was here is all that is noted.
      const { sessions } = await rowsOf(world, untouched.merchantId);
      untouched.known['sessions'] = sessions!;
      await nothingChanged();
    });
  }
}

test('a business that is disabled or leaving can be viewed, not changed', async () => {
  const changes = guarded.filter(({ permission }) => /\.change$|resend$|decide$|hold$/.test(permission));
  const { people, ...merchant } = await visited();
  await world.sql`update merchants set disabled_at = ${world.clock.now()} where merchant_id = ${merchant.merchantId}`;
  const known = await rowsOf(world, merchant.merchantId);
  for (const route of changes)
    assert.equal((await call(people.owner, route, merchant)).statusCode, 403, title(route));
  assert.deepEqual(await rowsOf(world, merchant.merchantId), known);
  assert.ok(changes.length > 5);
});

async function visited(): Promise<Visited> {
  const merchant = await fillMerchant(world);
  const people = {} as Record<VisitorRole, Caller>;
  for (const role of roles) people[role] = await as(merchant, role);
  return { ...merchant, people };
}

const whoMay = ({ permission }: Guarded): VisitorRole =>
  permission === 'operator' ? 'operator' : permission === 'look.end' ? 'onlooker' : 'owner';

async function nothingChanged(): Promise<void> {
  assert.deepEqual(await rowsOf(world, untouched.merchantId), untouched.known);
}

/** An onlooker is an operator who began to look: the owner lets them, for longer here than in life. */
async function as({ users, merchantId }: FilledMerchant, role: VisitorRole): Promise<Caller> {
  if (role !== 'onlooker') return await callAs(site, world, users[role]);
  const looking = await callAs(site, world, users.operator);
  const until = later(world.clock.now(), day);
  await world.sql`update merchants set look_until = ${until} where merchant_id = ${merchantId}`;
  await looking.post(`/dashboard/operator/businesses/${merchantId}/look`);
  return looking;
}

function parametersOf({ path }: DashboardRoute): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
}

async function call(
  caller: Caller,
  route: DashboardRoute,
  { examples }: FilledMerchant,
  headers: Record<string, string> = {},
) {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const example = examples[name.replaceAll('_', '').toLowerCase()];
    assert.ok(example !== undefined, `give :${name} an example in test/support/dashboard-merchant.ts`);
    return encodeURIComponent(example);
  });
  return route.method === 'GET' ? await caller.get(path, headers) : await caller.post(path, {}, headers);
}
