import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type CreatedOrder, MilaanError, type Order } from '../../sdk/src/milaan.ts';
import type { Html } from './page.ts';
import { backPage, frontPage, ordersPage, problemPage, widgetPage } from './pages.ts';
import { placeOrder } from './place-order.ts';
import { findProduct, type Product } from './products.ts';
import { readBody } from './read-body.ts';
import { receiveWebhook } from './receive-webhook.ts';
import { reconcileOrders } from './reconcile-orders.ts';
import type { ShopWorld } from './shop-world.ts';

export type Answer =
  | { status: number; page: Html }
  | { status: number; json: unknown }
  | { status: 303; location: string }
  | { status: number };

const notFound: Answer = { status: 404, page: problemPage('Nothing here', 'This page does not exist.') };
/** Long enough that nobody guesses the number of another customer's order. */
const newNumber = () => `tea-${randomBytes(8).toString('hex')}`;
const numberShape = /^tea-[0-9a-f]{16}$/;

/** Answers one request to the shop, by its method and path. */
export async function answerRequest(world: ShopWorld, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', world.shopUrl);
  const [, first = '', second = '', third = ''] = url.pathname.split('/');
  switch (`${request.method} /${first}`) {
    case 'GET /':
      return { status: 200, page: frontPage(newNumber) };
    case 'GET /widget': {
      const product = findProduct(second);
      return product ? { status: 200, page: widgetPage(product, newNumber(), world.baseUrl) } : notFound;
    }
    case 'POST /buy': {
      const form = new URLSearchParams((await readBody(request)).toString());
      return await buy(world, form.get('product'), form.get('number'));
    }
    case 'POST /create-order':
      return await createForWidget(world, url.searchParams.get('product'), url.searchParams.get('number'));
    case 'GET /order-status':
      return await statusForWidget(world, second, third);
    case 'GET /back':
      return await comeBack(world, second);
    case 'POST /webhooks':
      return { status: await receiveWebhook(world, request.headers, await readBody(request)) };
    case 'GET /orders':
      return { status: 200, page: ordersPage(world.book.all(), world.clock.now()) };
    case 'POST /reconcile':
      await reconcileOrders(world);
      return { status: 303, location: '/orders' };
    default:
      return notFound;
  }
}

/** The hosted page: create the order, then send the customer there. */
async function buy(world: ShopWorld, productId: string | null, number: string | null): Promise<Answer> {
  const product = findProduct(productId);
  if (!product || !numberShape.test(number ?? '')) return notFound;
  try {
    const created = await placeOrder(world, product, number!);
    // A replayed order may be over already; the return page shows its state.
    return created.status === 'pending'
      ? { status: 303, location: created.payment_url }
      : { status: 303, location: `/back/${number}` };
  } catch (error) {
    if (!(error instanceof MilaanError)) throw error;
    console.error(`shop: no order could be created: ${error.code}, ${error.message}`);
    const text = 'UPI payments do not work right now. Nothing was charged; please try again in a moment.';
    return { status: 503, page: problemPage('Please try again', text) };
  }
}

/** The widget: the same, but the answer is Milaan's own JSON. The browser's amount is not even read. */
async function createForWidget(
  world: ShopWorld,
  productId: string | null,
  number: string | null,
): Promise<Answer> {
  const product = findProduct(productId);
  if (!product || !numberShape.test(number ?? '')) return { status: 404, json: { error: 'not_found' } };
  try {
    return { status: 201, json: await placeOrRenew(world, product, number!) };
  } catch (error) {
    if (!(error instanceof MilaanError)) throw error;
    return { status: error.status ?? 503, json: { error: error.code } };
  }
}

/**
 * A repeated request gets the order that it made before. An order that is over stays over: a new try on the same page
 * gets the next order.
 */
async function placeOrRenew(world: ShopWorld, product: Product, number: string): Promise<CreatedOrder> {
  const earlier = world.book.all().filter(order => order.number.startsWith(number));
  const created = await placeOrder(world, product, earlier[0]?.number ?? number);
  if (created.status === 'pending') return created;
  return await placeOrder(world, product, `${number}-${earlier.length + 1}`);
}

/** The widget asks the shop, and the shop asks Milaan with its key, but only about this page's orders. */
async function statusForWidget(world: ShopWorld, number: string, orderId: string): Promise<Answer> {
  const order = world.book.all().find(one => one.orderId === orderId);
  if (!numberShape.test(number) || !order?.number.startsWith(number)) {
    return { status: 404, json: { error: 'order_not_found' } };
  }
  try {
    const { order_id, merchant_order_id, status, payable_amount, received_amount, expires_at } =
      await world.milaan.getOrder(orderId);
    const json = { order_id, merchant_order_id, status, payable_amount, received_amount, expires_at };
    return { status: 200, json };
  } catch (error) {
    if (!(error instanceof MilaanError)) throw error;
    return { status: error.status ?? 503, json: { error: error.code } };
  }
}

async function comeBack(world: ShopWorld, number: string): Promise<Answer> {
  const order = world.book.find(number);
  if (!order) return notFound;
  let found: Order | null = null;
  try {
    if (order.orderId !== null) found = await world.milaan.getOrder(order.orderId);
  } catch (error) {
    // Milaan cannot be reached: the page says that it waits, and asks again.
    if (!(error instanceof MilaanError)) throw error;
  }
  return { status: 200, page: backPage(order, found) };
}
