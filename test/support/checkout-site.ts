import { later } from '../../src/base/clock.ts';
import { type App, newApp } from '../../src/base/http/app.ts';
import { payableTime } from '../../src/base/time-windows.ts';
import { newPayToken } from '../../src/orders/order.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import type { PageFiles } from '../../src/orders/page/page-frame.ts';
import { type Checkout, checkoutRoutes } from '../../src/orders/page/routes.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import type { TestMerchant, TestWorld } from './test-world.ts';

/** The service as a browser meets it: a real port, the checkout's routes, and what `more` adds. */
export type Site = {
  app: App;
  origin: string;
  /** Requests for an order's public status, by time of arrival. */
  polls: { token: string }[];
  /** Makes everybody's mailbox unreachable, or one merchant's. */
  blind: { now: boolean; of: number | null; fails: boolean };
  stop(): Promise<void>;
};

export async function openSite(
  world: TestWorld,
  more: (app: App, files: PageFiles) => unknown = () => {},
  extra?: Checkout['extra'],
): Promise<Site> {
  const app = newApp(world);
  const polls: Site['polls'] = [];
  const blind: Site['blind'] = { now: false, of: null, fails: false };
  app.addHook('onRequest', async request => {
    const token = /^\/pay\/([^/]+)\/status$/.exec(request.url)?.[1];
    if (token && request.method === 'GET') polls.push({ token });
  });
  const files = checkoutRoutes(app, world, {
    files: await buildBrowser(),
    claim: enterReference,
    isBlind: async merchantId => {
      if (blind.fails) throw new Error('not known');
      return blind.now || blind.of === merchantId;
    },
    ...(extra && { extra }),
  });
  await more(app, files);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  world.baseUrl = origin;
  return { app, origin, polls, blind, stop: () => app.close() };
}

/** The checkout's pages on a site with more than these, for shops whose mailbox is read. */
export async function addCheckout(app: App, world: TestWorld): Promise<PageFiles> {
  const files = await buildBrowser();
  return checkoutRoutes(app, world, { files, isBlind: async () => false, claim: enterReference });
}

export type TestOrder = { orderId: string; token: string; path: string };

let made = 0;

/** A mailbox that the business has connected, and nobody watches here: its customers may pay. */
export async function addMailbox(
  { sql, clock }: Pick<TestWorld, 'sql' | 'clock'>,
  merchantId: number,
): Promise<void> {
  await sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'other', ${`shop${merchantId}@mail.example`}, 'shop', 'imap.mail.example', 993, 'sealed',
      nextval('mailbox_revisions'), ${clock.now()})
    on conflict do nothing`;
}

/** An order straight into the table, for the states that creating one cannot reach. */
export async function addTestOrder(
  world: TestWorld,
  { merchantId, accountId }: Pick<TestMerchant, 'merchantId' | 'accountId'>,
  {
    payable = 499_37,
    age = 0,
    shop = 'http://shop.example',
    merchantOrderId,
    mailbox = true,
  }: { payable?: number; age?: number; shop?: string; merchantOrderId?: string; mailbox?: boolean } = {},
): Promise<TestOrder> {
  if (mailbox) await addMailbox(world, merchantId);
  const orderId = `ML-${String(++made).padStart(10, '0')}`;
  const token = newPayToken(merchantId);
  const created = later(world.clock.now(), -age);
  await world.sql`insert into orders ${world.sql({
    merchant_id: merchantId,
    order_id: orderId,
    merchant_order_id: merchantOrderId ?? `cart ${made} & more`,
    amount_paise: payable - 37,
    payable_paise: payable,
    status: 'pending',
    created_at: created,
    expires_at: later(created, payableTime),
    pay_token: token,
    account_id: accountId,
    success_url: `${shop}/done?x=1`,
    failure_url: `${shop}/failed`,
    webhook_url: 'https://shop.example/hook',
  })}`;
  return { orderId, token, path: `/pay/${token}` };
}

export async function setPaid(world: TestWorld, { orderId }: Pick<TestOrder, 'orderId'>): Promise<void> {
  await world.sql`update orders set status = 'paid', paid_at = ${world.clock.now()}, alert_id = ${orderId}, received_paise = payable_paise where order_id = ${orderId}`;
}

export async function setStatus(world: TestWorld, { orderId }: TestOrder, status: string): Promise<void> {
  await world.sql`update orders set status = ${status} where order_id = ${orderId}`;
}

/** The address of a database that is down: nobody listens on this port. */
export const nobodyListens = 'postgres://milaan@127.0.0.1:1/milaan';
