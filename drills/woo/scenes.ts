import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitFor } from '../../test/support/wait-for.ts';
import { acceptInMilaan } from './accept-in-milaan.ts';
import { type Checkout, orderIn, placeOrder } from './customer.ts';
import type { Milaan } from './milaan.ts';
import type { WooShop } from './open-shop.ts';

type Stage = { page: Page; shop: WooShop; milaan: Milaan; checkout: Checkout };
export type Scene = (stage: Stage) => Promise<void>;

type Attempt = { order_id: string; payment_url: string; told: string; amount: number };
type WooOrder = {
  id: number;
  status: string;
  total: number;
  transaction_id: string;
  attempts: Record<string, Attempt>;
  notes: string[];
};

let products = 0;

/** Each scene sells its own product, so that sums and stocks are distinguishable. */
function newProduct(shop: WooShop, stock = 5): number {
  const price = String(100 + ++products);
  return shop.run('product', { name: `Tea ${products}`, price, stock });
}

/** Places an order, from the product to Milaan's payment page, where the customer then is. */
async function placed(stage: Stage, stock?: number): Promise<{ order: WooOrder; product: number }> {
  const product = newProduct(stage.shop, stock);
  await orderIn(stage.page, stage.shop, stage.checkout, product);
  await stage.page.waitForURL(/\/pay\//, { timeout: 60_000 });
  const [order] = stage.shop.run<WooOrder[]>('orders');
  assert.ok(order, 'the shop has the order');
  return { order, product };
}

const read = ({ shop }: Stage, order: WooOrder) => shop.run<WooOrder>('order', { id: order.id });
const latest = (order: WooOrder) => Object.values(order.attempts).at(-1)!;

function pay({ milaan }: Stage, order: WooOrder, how: string): Promise<Record<string, unknown>> {
  return milaan.post(`/sandbox/orders/${latest(order).order_id}/pay`, { how });
}

async function becomes(stage: Stage, order: WooOrder, status: string): Promise<WooOrder> {
  return await waitFor(`order ${order.id} is ${status}; now ${read(stage, order).status}`, () => {
    const now = read(stage, order);
    return now.status === status ? now : null;
  });
}

const noted = (order: WooOrder, words: RegExp) =>
  assert.ok(
    order.notes.some(note => words.test(note)),
    `no note like ${words} among: ${order.notes.join(' | ')}`,
  );

/** Everything that must hold for an order that was paid in the ordinary way. */
async function paidOnce(stage: Stage, order: WooOrder): Promise<WooOrder> {
  const now = await becomes(stage, order, 'processing');
  const there = await stage.milaan.order(latest(now).order_id);
  assert.equal(now.transaction_id, there['bank_reference']);
  assert.equal(there['amount'], now.total);
  noted(now, /received by UPI, bank reference \d{12}/);
  assert.equal(
    now.notes.filter(note => /received by UPI/.test(note)).length,
    1,
    'one note, however often it was told',
  );
  return now;
}

export const scenes: Record<string, Scene> = {
  async 'paid exactly, on the payment page'(stage) {
    const { order, product } = await placed(stage);
    await stage.page.click('[data-how="exact"]');
    await stage.page.waitForURL(/order-received/, { timeout: 30_000 });
    await paidOnce(stage, order);
    assert.equal(stage.shop.run('stock', { product }), 4);
  },

  async 'paid exactly, by the widget in the shop'(stage) {
    stage.shop.run('settings', { display: 'widget' });
    try {
      const product = newProduct(stage.shop);
      await orderIn(stage.page, stage.shop, stage.checkout, product);
      await stage.page.waitForURL(/order-pay/, { timeout: 60_000 });
      await stage.page
        .getByText(/Pay exactly/)
        .first()
        .waitFor({ timeout: 30_000 });
      const [order] = stage.shop.run<WooOrder[]>('orders');
      await pay(stage, order!, 'exact');
      await stage.page.waitForURL(/order-received/, { timeout: 30_000 });
      await paidOnce(stage, order!);
    } finally {
      stage.shop.run('settings', { display: 'page' });
    }
  },

  async 'paid late, after the link ran out'(stage) {
    const { order } = await placed(stage);
    await pay(stage, order, 'late');
    noted(await paidOnce(stage, order), /confirmed late/);
  },

  async 'ran out, tried again with a new link, paid'(stage) {
    const { order } = await placed(stage);
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 301 });
    await stage.page.waitForURL(/order-pay/, { timeout: 60_000 });
    await stage.page.getByText('The time to pay ran out').first().waitFor();
    await stage.page.click('#place_order');
    await stage.page.waitForURL(/\/pay\//, { timeout: 60_000 });
    const again = read(stage, order);
    assert.equal(Object.keys(again.attempts).length, 2, 'a second try has an id of its own');
    noted(again, /time to pay by UPI ran out/);
    await stage.page.click('[data-how="exact"]');
    await stage.page.waitForURL(/order-received/, { timeout: 30_000 });
    await paidOnce(stage, again);
  },

  async 'paid twice over two links: the second is to be given back'(stage) {
    const { order } = await placed(stage);
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 301 });
    await stage.page.waitForURL(/order-pay/, { timeout: 60_000 });
    await stage.page.click('#place_order');
    await stage.page.waitForURL(/\/pay\//, { timeout: 60_000 });
    const again = read(stage, order);
    await pay(stage, again, 'exact');
    await becomes(stage, again, 'processing');
    await stage.milaan.post(`/sandbox/orders/${latest(order).order_id}/pay`, { how: 'exact' });
    const twice = await waitFor('the second payment is noted', () => {
      const now = read(stage, order);
      return now.notes.some(note => /paid twice/.test(note)) ? now : null;
    });
    assert.equal(twice.status, 'processing');
    assert.match(stage.shop.mails(), /paid twice/);
  },

  async 'webhook lost, found by the reconciliation'(stage) {
    const { order, product } = await placed(stage);
    // The customer pays from the phone and never comes back to the shop.
    await stage.page.goto('about:blank');
    stage.shop.flag('lose-webhooks', true);
    try {
      await pay(stage, order, 'exact');
      await waitFor('the shop lost a webhook', () => stage.shop.recorded().includes(latest(order).order_id));
      assert.equal(read(stage, order).status, 'pending');
      // A busy machine may leave the first question unanswered; the next one is planned then.
      await waitFor(
        'a planned check asked',
        () => stage.shop.run<number>('run-planned') > 0 && read(stage, order).status !== 'pending',
        120_000,
      );
      await paidOnce(stage, order);
    } finally {
      stage.shop.flag('lose-webhooks', false);
    }
    // The lost webhook comes again, and changes nothing.
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 60 });
    await waitFor(
      'the webhook came again',
      () => stage.shop.recorded().split(latest(order).order_id).length > 3,
    );
    await paidOnce(stage, order);
    assert.equal(stage.shop.run('stock', { product }), 4);
  },

  async 'paid after WooCommerce cancelled it: opened again'(stage) {
    const { order, product } = await placed(stage);
    assert.equal(stage.shop.run('cancel-unpaid', order), 'cancelled');
    await pay(stage, order, 'late');
    noted(await paidOnce(stage, order), /had been cancelled; everything is in stock/);
    assert.equal(stage.shop.run('stock', { product }), 4);
  },

  async 'paid after it was cancelled and sold out: held for the owner'(stage) {
    const { order, product } = await placed(stage, 1);
    assert.equal(stage.shop.run('cancel-unpaid', order), 'cancelled');
    stage.shop.run('stock', { product, set: 0 });
    await pay(stage, order, 'late');
    const held = await becomes(stage, order, 'on-hold');
    await waitFor('the owner was told', () => /Not enough in stock/.test(stage.shop.mails()));
    noted(
      held.notes.length ? read(stage, order) : held,
      /received by UPI.*Not enough in stock any more: Tea/,
    );
    assert.equal(stage.shop.run('stock', { product }), 0, 'nothing is taken that is not there');
  },

  async 'Milaan cannot be reached: said in words, and the same try goes on later'(stage) {
    const product = newProduct(stage.shop);
    const before = stage.shop.run<string>('milaan-at', { url: 'http://127.0.0.1:9' });
    try {
      await orderIn(stage.page, stage.shop, stage.checkout, product);
      await stage.page
        .getByText('The payment could not be started. Please try again in a moment.')
        .first()
        .waitFor();
    } finally {
      stage.shop.run('milaan-at', { url: before });
    }
    await placeOrder(stage.page, stage.checkout);
    await stage.page.waitForURL(/\/pay\//, { timeout: 60_000 });
    const [order] = stage.shop.run<WooOrder[]>('orders');
    assert.equal(
      Object.keys(order!.attempts).length,
      1,
      'the id is used again, so that nothing is paid twice',
    );
    await pay(stage, order!, 'exact');
    await paidOnce(stage, order!);
  },

  async 'a rounded sum, held and accepted by the owner'(stage) {
    await stage.milaan.put('/sandbox/settings', { hold_near_misses: true });
    try {
      const { order } = await placed(stage);
      await pay(stage, order, 'rounded');
      const id = latest(order).order_id;
      const { payable_amount, received_amount, status } = await stage.milaan.order(id);
      assert.equal(status, 'manual_review');
      await waitFor(
        'the shop heard of it',
        () => stage.shop.run<number>('run-planned') >= 0 && read(stage, order).status === 'on-hold',
        120_000,
      );
      noted(read(stage, order), /came by UPI, but .* was to be paid\. Open Payments › To decide in Milaan/);
      await acceptInMilaan(stage.page, stage.milaan, id);
      const accepted = await paidOnce(stage, order);
      const sums = [payable_amount, received_amount].map(sum => `₹${Number(sum).toFixed(2)}`);
      noted(accepted, new RegExp(`${sums[0]} was to be paid; a person accepted ${sums[1]} in Milaan`));
    } finally {
      await stage.milaan.put('/sandbox/settings', { hold_near_misses: false });
    }
  },

  async 'forged and misdirected mails pay nothing; a refund says what to send back'(stage) {
    const { order } = await placed(stage);
    await pay(stage, order, 'forged');
    await pay(stage, order, 'wrong_recipient');
    await pay(stage, order, 'wrong_paise');
    assert.equal(read(stage, order).status, 'pending');
    await pay(stage, order, 'exact');
    const paid = await paidOnce(stage, order);
    stage.shop.run('refund', { id: order.id, amount: 50 });
    noted(read(stage, order), new RegExp(`Send ₹50.00 back .* ${paid.transaction_id}`));
  },
};
