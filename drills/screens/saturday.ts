import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minute } from '../../src/base/clock.ts';
import { newApp } from '../../src/base/http/app.ts';
import { buildDashboard } from '../../src/dashboard/frame/build-dashboard.ts';
import { dashboardRoutes } from '../../src/dashboard/routes.ts';
import { counterRoutes } from '../../src/orders/links/routes.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { recordDemoPoll } from '../../src/sandbox/queries.ts';
import { readSandboxFile, type SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { askToConnect } from '../../test/support/connecting-shop.ts';
import { addTestUser, callAs } from '../../test/support/dashboard-site.ts';
import { openTestWorld, type TestWorld } from '../../test/support/test-world.ts';

export type Saturday = Awaited<ReturnType<typeof openSaturday>>;

/** Addresses that pictures show. */
export const address = 'https://pay.kettleandleaf.example';
const opened = new Date('2026-11-01T03:00:00Z');
/** When the pictures are taken: a quarter past six in the evening, in India. */
export const evening = new Date('2026-11-14T12:45:00Z');
const payments = 80;
const customers =
  'Asha Verma,Ravi Kumar,Meena Iyer,Imran Shaikh,Divya Nair,Arjun Rao,Sana Khan,Kiran Patil'.split(',');
const prices = [20, 30, 45, 60, 80, 120, 180, 240, 320, 450];

/**
 * A tea shop on a Saturday with eighty payments, after two weeks with a few each day. The sandbox's own modules create,
 * pay, judge and match each order. Prices, people and moments are always the same; ids and paise are random.
 */
export async function openSaturday() {
  const dataDir = mkdtempSync(join(tmpdir(), 'milaan-saturday-'));
  const outside = await openTestWorld({ DATA_DIR: dataDir });
  outside.clock.set(opened);
  outside.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const sandbox = await startSandbox(outside, () => {}, { shop: false, judgesItself: true });
  // The dashboard's helpers ask for no more of a world than this one has.
  const world = sandbox.world as unknown as TestWorld;
  const app = newApp(world);
  const [browserFiles, dashboardFiles] = await Promise.all([buildBrowser(), buildDashboard()]);
  await orderRoutes(app, world);
  sandbox.routes(app);
  const isBlind = async () => false;
  const files = checkoutRoutes(app, world, { files: browserFiles, isBlind, claim: enterReference });
  counterRoutes(app, world, files);
  dashboardRoutes(app, world, { files: dashboardFiles });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  await sandbox.welcome(null);
  world.baseUrl = origin;
  const { api_key: key } = readSandboxFile(dataDir) as SandboxFile;

  const post = async (url: string, body: object) => {
    const answer = await app.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload: body });
    if (answer.statusCode >= 400) throw new Error(`${url}: ${answer.body}`);
    return answer.json();
  };
  const create = async (
    n: number,
    name = customers[(n * 5) % customers.length],
  ): Promise<{ order_id: string; payment_url: string }> =>
    await post('/api/v1/orders', {
      amount: prices[(n * 7) % prices.length],
      merchant_order_id: `tea-${1001 + n}`,
      customer: { name },
      success_url: 'https://shop.example.com/thanks',
      failure_url: 'https://shop.example.com/cart',
      webhook_url: 'https://shop.example.com/webhook',
    });
  let made = 0;
  const sell = async (name?: string) => {
    const { order_id: orderId, payment_url: url } = await create(made++, name);
    outside.clock.advance(minute);
    await post(`/sandbox/orders/${orderId}/pay`, { how: 'exact' });
    return { orderId, path: new URL(url).pathname };
  };
  for (let day = 1; day <= 13; day++) {
    outside.clock.set(new Date(opened.getTime() + (day - 1) * 24 * 60 * minute + 5 * 60 * minute));
    for (let n = 0; n < (day === 7 ? 30 : 4 + ((day * 3) % 4)); n++) await sell();
  }
  let paid = await sell();
  const morning = evening.getTime() - payments * 7 * minute;
  for (let n = 0; n < payments; n++) {
    outside.clock.set(new Date(morning + n * 7 * minute + 5 * minute));
    // The sandbox's bank names one payer, whose order a picture shows.
    paid = await sell(n === payments - 1 ? 'Asha Verma' : undefined);
  }
  outside.clock.set(new Date(evening.getTime() - minute / 3));
  const [{ merchant_id: merchantId, account_id: accountId } = { merchant_id: 0, account_id: '' }] =
    await world.sql<
      { merchant_id: number; account_id: string }[]
    >`select merchant_id, account_id from upi_accounts limit 1`;
  // Both accounts of the sandbox were made at one moment, which leaves their order in a list to chance: one goes.
  await world.sql`update upi_accounts set removed_at = ${evening} where account_id <> ${accountId}`;
  const owner = await callAs(
    { app, origin, stop: async () => {} },
    world,
    await addTestUser(world, merchantId, 'owner'),
  );
  // One second between each, so that lists sorted by time always have this order.
  const form = async (path: string, fields: Record<string, string>) => {
    outside.clock.advance(1000);
    return String((await owner.post(path, fields)).headers.location);
  };
  const ringing = await form('/dashboard/counter', { amount: '180' });
  const link = await form('/dashboard/links', { title: 'Masala chai, 250 g', amount: '240' });
  await form('/dashboard/links', { title: 'Gift box, six teas', amount: '1,250' });
  await form('/dashboard/links', { title: 'Table 4' });
  const open = await create(made);
  await recordDemoPoll(world.sql, evening);
  outside.clock.set(evening);
  const linkPage = /\/l\/[\w-]+/.exec((await owner.get(link)).body)?.[0] ?? '';
  world.baseUrl = address;
  const cookie = `__Host-milaan=${owner.token}`;
  return {
    origin,
    token: owner.token,
    ask: (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers: { 'accept-language': 'en', cookie, ...headers } }),
    paid,
    ringing,
    linkPoster: `/dashboard/poster?of=${link.split('/').at(-1)}`,
    accountPoster: `/dashboard/poster?of=${accountId}`,
    linkPage,
    page: new URL(open.payment_url).pathname,
    consent: `/dashboard/connect?${new URLSearchParams(askToConnect({ shop_name: 'Anand Tea House' }).parameters)}`,
    styles: { dashboard: dashboardFiles.style.plain.toString(), page: browserFiles.style.plain.toString() },
    async stop() {
      await app.close();
      await sandbox.stop();
      await outside.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
