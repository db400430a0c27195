import type { Page } from 'playwright-core';
import { minute, second, systemClock } from '../../src/base/clock.ts';
import { turnTab } from './browser.ts';
import { addTestOrder, setPaid } from './checkout-site.ts';
import { addTestMerchant } from './test-world.ts';
import { json, mount, pay, type WidgetStage } from './widget-stage.ts';

/** One state of the payment page or the widget, and how a browser comes to it. */
export type PageState = { name: string; path: string; before?: (page: Page) => Promise<void> };

/** Every state of the payment page and the widget: for pictures and for axe. */
export async function everyPage(stage: WidgetStage): Promise<PageState[]> {
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
    { name: 'page-unpayable', path: unpayable },
    { name: 'page-unpayable-hindi', path: `${unpayable}?lang=hi` },
    {
      name: 'widget-unpayable',
      path: shop.page(mount(`{ createOrderUrl: '/create-unwatched' }`), {
        head: '<meta name="color-scheme" content="light dark">',
      }),
      before: async page => {
        await pay(page);
        await page.getByRole('heading', { name: 'confirm UPI payments' }).waitFor();
      },
    },
    { name: 'page-merchant', path: await made() },
    { name: 'page-personal', path: await made(personal) },
    { name: 'page-hindi', path: `${await made(personal)}?lang=hi` },
    { name: 'page-looking', path: await made(personal), before: comeBack },
    { name: 'page-almost-expired', path: await made(verified, 4 * minute + 23 * second) },
    { name: 'page-paid', path: paid.path },
    { name: 'page-paid-hindi', path: `${paid.path}?lang=hi&stay=1` },
    { name: 'page-expired', path: await made(verified, 6 * minute) },
    { name: 'page-late', path: `${await made(verified, 6 * minute)}?stay=1` },
    { name: 'page-over', path: await made(verified, 16 * minute) },
    { name: 'page-over-hindi', path: `${await made(verified, 16 * minute)}?lang=hi` },
    { name: 'page-have-paid', path: await made(verified, 2 * minute) },
    { name: 'page-claim', path: `${await made(verified, 2 * minute)}?claim=open` },
    { name: 'page-claim-late', path: `${await made(verified, 6 * minute)}?claim=open` },
    {
      name: 'page-claim-late-hindi',
      path: `${await made(verified, 6 * minute)}?claim=open&lang=hi`,
    },
    { name: 'page-claim-unclear', path: await made(verified, 16 * minute), before: sendUnclear },
    { name: 'page-claim-sent', path: `${await made(verified, 6 * minute)}?claim=sent` },
    {
      name: 'page-claim-sent-hindi',
      path: `${await made(verified, 6 * minute)}?claim=sent&lang=hi`,
    },
    { name: 'page-review', path: await received('manual_review') },
    { name: 'page-review-hindi', path: `${await received('manual_review')}?lang=hi` },
    { name: 'page-failed', path: await received('failed') },
    { name: 'page-failed-hindi', path: `${await received('failed')}?lang=hi` },
    { name: 'page-offline', path: await made(), before: offline },
    { name: 'page-blind', path: await made(blindMerchant) },
    { name: 'page-app-missing', path: `${await made()}?app=missing` },
    { name: 'page-privacy', path: `${paid.path}/privacy` },
    { name: 'page-unknown', path: '/pay/nope' },
    { name: 'widget-amount', path: widget, before: showForm },
    { name: 'widget-qr', path: widget, before: page => showQr(stage, page) },
    { name: 'widget-paid', path: widget, before: page => showPaid(stage, page) },
    { name: 'widget-review', path: widget, before: page => showReview(stage, page) },
    { name: 'widget-expired', path: widget, before: page => showExpired(stage, page) },
    { name: 'widget-problem', path: widget, before: showProblem },
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

async function showQr(stage: WidgetStage, page: Page): Promise<void> {
  stage.world.clock.set(systemClock.now());
  await pay(page, '1249');
  await page.locator('svg.qr').waitFor();
}

async function sendUnclear(page: Page): Promise<void> {
  await page.getByRole('textbox').fill('paid by Google Pay');
  await page.getByRole('button', { name: 'Send the number' }).click();
  await page.getByRole('alert').waitFor();
}

async function showReview(stage: WidgetStage, page: Page): Promise<void> {
  await showQr(stage, page);
  await stage.world.sql`
    update orders set status = 'manual_review', received_paise = 124900 where amount_paise = 124900 and status = 'pending'`;
  await page.clock.runFor(3 * second);
  await page.locator('.outcome').waitFor();
}

async function showExpired(stage: WidgetStage, page: Page): Promise<void> {
  await showQr(stage, page);
  stage.world.clock.advance(6 * minute);
  await page.clock.runFor(3 * second);
  await page.getByRole('link', { name: 'I have paid' }).waitFor();
}

async function showProblem(page: Page): Promise<void> {
  await pay(page, 'abc');
  await page.getByRole('alert').waitFor();
}

async function showPaid(stage: WidgetStage, page: Page): Promise<void> {
  await showQr(stage, page);
  await stage.world.sql`
    update orders set status = 'paid', paid_at = created_at, alert_id = order_id, received_paise = payable_paise where amount_paise = 124900 and status = 'pending'`;
  await page.clock.runFor(3 * second);
  await page.locator('.outcome.paid').waitFor();
}
