import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../test/support/browser.ts';
import type { Stage } from '../play-drill.ts';
import type { Milaan } from '../woo/milaan.ts';

export type ReactShop = { url: string; said(): string };

type Order = { order_id: string; payment_url: string; payable_amount: number };

/** The shop server's answer to the page's next order. */
function nextOrder(page: Page): Promise<Order> {
  const wanted = page.waitForResponse(
    response => response.url().endsWith('/create-upi-order') && response.request().method() === 'POST',
  );
  const order = wanted.then(response => response.json() as Promise<Order>);
  // A waiting caller gets the error; if the page fails earlier, nobody waits.
  order.catch(() => {});
  return order;
}

const pays = (milaan: Milaan, { order_id }: Order, how = 'exact') =>
  milaan.post(`/sandbox/orders/${order_id}/pay`, { how });

async function bookedAs(shop: ReactShop, { order_id }: Order): Promise<string> {
  const answer = await fetch(`${shop.url}/upi-orders/${order_id}`);
  return ((await answer.json()) as { status: string }).status;
}

async function refusesForgery(stage: Stage, shop: ReactShop): Promise<void> {
  const { status } = await fetch(`${shop.url}/webhooks/upi`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'webhook-signature': 'v1,AAAA' },
    body: '{"type":"payment.paid","data":{}}',
  });
  stage.see('a forged webhook is refused', status === 400, String(status));
}

export async function buyInNext(
  stage: Stage,
  browser: TestBrowser,
  milaan: Milaan,
  shop: ReactShop,
): Promise<void> {
  const html = await (await fetch(shop.url)).text();
  stage.see(
    'the server renders the place with its fallback',
    html.includes('One moment…'),
    html.slice(0, 600),
  );
  const { page, troubles, close } = await browser.open();
  const complaints = listen(page);
  await page.goto(shop.url);
  const created = nextOrder(page);
  await page.getByRole('button', { name: /Pay ₹499/ }).click();
  const order = await created;
  await page.getByText('Pay exactly').first().waitFor();
  stage.see(
    'the page shows the order that its server made',
    order.payable_amount > 499,
    JSON.stringify(order),
  );
  await pays(milaan, order, 'wrong_paise');
  stage.see('another sum pays nothing', (await bookedAs(shop, order)) === 'pending');
  await pays(milaan, order);
  await page.getByRole('heading', { name: 'Thank you, your tea is paid for' }).waitFor();
  stage.see(
    'bought and paid in Next.js: the webhook is in the books, and the page says so',
    page.url().includes('/thanks/'),
  );
  await page.goto(`${shop.url}/thanks/ML-0000000000`);
  await page.getByRole('heading', { name: 'There is no such order' }).waitFor();
  stage.see('an order that does not exist is said so', true);
  await refusesForgery(stage, shop);
  const found = [...troubles, ...complaints.filter(line => !line.includes('404'))];
  stage.see('the browser complains about nothing', found.length === 0, found.join('\n'));
  await close();
}

export async function buyInVite(
  stage: Stage,
  browser: TestBrowser,
  milaan: Milaan,
  shop: ReactShop,
): Promise<void> {
  const { page, troubles, close } = await browser.open();
  const complaints = listen(page);
  await page.goto(shop.url);
  let created = nextOrder(page);
  await page.getByRole('button', { name: /Pay ₹240/ }).click();
  const first = await created;
  await page.getByText('Pay exactly').first().waitFor();
  await pays(milaan, first);
  await page.getByRole('heading', { name: 'Thank you, your cups are paid for' }).waitFor();
  stage.see('bought and paid with the component in Vite', (await bookedAs(shop, first)) === 'paid');

  let orders = 0;
  page.on('request', request => {
    if (request.url().endsWith('/create-upi-order')) orders++;
  });
  await page.goto(shop.url);
  created = nextOrder(page);
  await page.getByRole('button', { name: 'Show me the QR code' }).dblclick();
  const second = await created;
  await page.getByRole('img', { name: 'QR code for your UPI app' }).waitFor();
  await pays(milaan, second);
  await page.getByRole('heading', { name: 'Thank you, your cups are paid for' }).waitFor();
  stage.see('bought and paid with the hook; two presses made one order', orders === 1, String(orders));

  await page.route('**/embed/milaan.js', route => route.abort());
  await page.goto(shop.url);
  await page.getByRole('alert').waitFor();
  await page.unroute('**/embed/milaan.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: /Pay ₹240/ }).waitFor();
  stage.see('a script that did not load is told, and loaded when the customer tries again', true);
  await refusesForgery(stage, shop);
  const found = [...troubles, ...complaints.filter(line => !line.includes('net::ERR_FAILED'))];
  stage.see('the browser complains about nothing', found.length === 0, found.join('\n'));
  await close();
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
