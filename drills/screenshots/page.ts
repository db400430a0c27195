import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { minute, second, systemClock } from '../../src/base/clock.ts';
import { desktop, phone, turnTab } from '../../test/support/browser.ts';
import { addTestOrder, setPaid } from '../../test/support/checkout-site.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { json, mount, openWidgetStage, pay } from '../../test/support/widget-stage.ts';

/**
 * The payment page and the widget, to be looked at: without a folder the usual states; with one every state, small and
 * large, light and dark. The pictures of the documents are another drill's, `pictures`.
 */
const folder = process.argv[2];
const everything = folder !== undefined;
const target = folder ?? join(tmpdir(), 'milaan-screenshots');
mkdirSync(target, { recursive: true });

type Look = { size: 'phone' | 'desktop'; scheme: 'light' | 'dark' };
type Shot = { name: string; path: string; before?: (page: Page) => Promise<void>; shown: Look[] };

const light: Look = { size: 'phone', scheme: 'light' };
const dark: Look = { size: 'phone', scheme: 'dark' };
const wide: Look = { size: 'desktop', scheme: 'light' };
const wideDark: Look = { size: 'desktop', scheme: 'dark' };

const stage = await openWidgetStage();
for (const shot of await shots()) {
  for (const look of everything ? [light, dark, wide, wideDark] : shot.shown) await take(shot, look);
}
await stage.stop();

async function take({ name, path, before }: Shot, { size, scheme }: Look): Promise<void> {
  const { page, close } = await stage.browser.open({
    ...(size === 'phone' ? phone : desktop),
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  await page.clock.install();
  await page.goto(path.startsWith('/') ? stage.site.origin + path : path);
  await before?.(page);
  await page.screenshot({ path: join(target, `${name}-${size}-${scheme}.png`), fullPage: true });
  await close();
}

async function shots(): Promise<Shot[]> {
  const { world, site, shop } = stage;
  const verified = await addTestMerchant(world, {
    name: 'Chai Point',
    account: { kind: 'merchant', merchantCode: '5812' },
  });
  const personal = await addTestMerchant(world, {
    name: 'Sharma General Store',
    account: { vpa: 'sharma.store@okicici' },
  });
  const made = async (merchant = verified, age = 17 * second, payable = 1_249_37) =>
    (await addTestOrder(world, merchant, { age, payable })).path;
  await world.sql`
    update merchants set contact_phone = '+919812345678', contact_whatsapp = '+919812345678',
      contact_email = 'orders@chaipoint.example' where merchant_id = ${verified.merchantId}`;
  const received = async (status: string) => {
    const order = await addTestOrder(world, verified, { payable: 1_249_37 });
    await world.sql`
      update orders set status = ${status}, received_paise = 124900 where order_id = ${order.orderId}`;
    return order.path;
  };
  const paid = await addTestOrder(world, verified, { payable: 1_249_37 });
  await setPaid(world, paid);
  const offline = async (page: Page) => {
    await page.context().setOffline(true);
    await page.clock.runFor(3 * second);
    await page.locator('#offline').waitFor();
  };
  const widget = shop.page(mount(`{ createOrderUrl: '/create' }`), {
    head: '<meta name="color-scheme" content="light dark">',
  });
  const blindMerchant = await addTestMerchant(world, { name: 'Chai Point', account: { kind: 'merchant' } });
  site.blind.of = blindMerchant.merchantId;
  const unwatched = await addTestMerchant(world, { name: 'Chai Point' });
  const unpayable = (await addTestOrder(world, unwatched, { payable: 1_249_37, mailbox: false })).path;
  shop.answer('/create-unwatched', json(201, stage.created({ payment_url: site.origin + unpayable })));
  return [
    { name: 'page-unpayable', path: unpayable, shown: [] },
    { name: 'page-unpayable-hindi', path: `${unpayable}?lang=hi`, shown: [] },
    {
      name: 'widget-unpayable',
      path: shop.page(mount(`{ createOrderUrl: '/create-unwatched' }`), {
        head: '<meta name="color-scheme" content="light dark">',
      }),
      before: async page => {
        await pay(page);
        await page.getByRole('heading', { name: 'confirm UPI payments' }).waitFor();
      },
      shown: [],
    },
    { name: 'page-merchant', path: await made(), shown: [light, wide] },
    { name: 'page-personal', path: await made(personal), shown: [dark] },
    { name: 'page-hindi', path: `${await made(personal)}?lang=hi`, shown: [light] },
    { name: 'page-looking', path: await made(personal), before: comeBack, shown: [] },
    { name: 'page-almost-expired', path: await made(verified, 4 * minute + 23 * second), shown: [wideDark] },
    { name: 'page-paid', path: paid.path, shown: [light] },
    { name: 'page-paid-hindi', path: `${paid.path}?lang=hi&stay=1`, shown: [] },
    { name: 'page-expired', path: await made(verified, 6 * minute), shown: [light] },
    { name: 'page-late', path: `${await made(verified, 6 * minute)}?stay=1`, shown: [dark] },
    { name: 'page-over', path: await made(verified, 16 * minute), shown: [] },
    { name: 'page-over-hindi', path: `${await made(verified, 16 * minute)}?lang=hi`, shown: [] },
    { name: 'page-have-paid', path: await made(verified, 2 * minute), shown: [] },
    { name: 'page-claim', path: `${await made(verified, 2 * minute)}?claim=open`, shown: [] },
    { name: 'page-claim-late', path: `${await made(verified, 6 * minute)}?claim=open`, shown: [light] },
    {
      name: 'page-claim-late-hindi',
      path: `${await made(verified, 6 * minute)}?claim=open&lang=hi`,
      shown: [],
    },
    { name: 'page-claim-unclear', path: await made(verified, 16 * minute), before: sendUnclear, shown: [] },
    { name: 'page-claim-sent', path: `${await made(verified, 6 * minute)}?claim=sent`, shown: [] },
    {
      name: 'page-claim-sent-hindi',
      path: `${await made(verified, 6 * minute)}?claim=sent&lang=hi`,
      shown: [],
    },
    { name: 'page-review', path: await received('manual_review'), shown: [light] },
    { name: 'page-review-hindi', path: `${await received('manual_review')}?lang=hi`, shown: [] },
    { name: 'page-failed', path: await received('failed'), shown: [] },
    { name: 'page-failed-hindi', path: `${await received('failed')}?lang=hi`, shown: [] },
    { name: 'page-offline', path: await made(), before: offline, shown: [light] },
    { name: 'page-blind', path: await made(blindMerchant), shown: [wide] },
    { name: 'page-app-missing', path: `${await made()}?app=missing`, shown: [] },
    { name: 'page-unknown', path: '/pay/nope', shown: [light] },
    { name: 'widget-amount', path: widget, before: showForm, shown: [] },
    { name: 'widget-qr', path: widget, before: showQr, shown: [light] },
    { name: 'widget-paid', path: widget, before: showPaid, shown: [dark] },
    { name: 'widget-review', path: widget, before: showReview, shown: [] },
    { name: 'widget-expired', path: widget, before: showExpired, shown: [] },
    { name: 'widget-problem', path: widget, before: showProblem, shown: [] },
  ];
}

async function comeBack(page: Page): Promise<void> {
  await turnTab(page, 'hidden');
  await turnTab(page, 'visible');
  await page.locator('#looking').waitFor();
}

async function showForm(page: Page): Promise<void> {
  await page.getByRole('textbox').fill('1,249');
}

async function showQr(page: Page): Promise<void> {
  stage.world.clock.set(systemClock.now());
  await pay(page, '1249');
  await page.locator('svg.qr').waitFor();
}

async function sendUnclear(page: Page): Promise<void> {
  await page.getByRole('textbox').fill('paid by Google Pay');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByRole('alert').waitFor();
}

async function showReview(page: Page): Promise<void> {
  await showQr(page);
  await stage.world.sql`
    update orders set status = 'manual_review', received_paise = 124900 where amount_paise = 124900 and status = 'pending'`;
  await page.clock.runFor(3 * second);
  await page.locator('.outcome').waitFor();
}

async function showExpired(page: Page): Promise<void> {
  await showQr(page);
  stage.world.clock.advance(6 * minute);
  await page.clock.runFor(3 * second);
  await page.getByRole('link', { name: 'I have paid' }).waitFor();
}

async function showProblem(page: Page): Promise<void> {
  await pay(page, 'abc');
  await page.getByRole('alert').waitFor();
}

async function showPaid(page: Page): Promise<void> {
  await showQr(page);
  await stage.world.sql`
    update orders set status = 'paid', paid_at = created_at, alert_id = order_id, received_paise = payable_paise where amount_paise = 124900 and status = 'pending'`;
  await page.clock.runFor(3 * second);
  await page.locator('.outcome.paid').waitFor();
}
