import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitFor } from '../../test/support/wait-for.ts';
import { acceptInMilaan } from '../woo/accept-in-milaan.ts';
import type { Milaan } from '../woo/milaan.ts';
import type { MedusaOrder, MedusaShop } from './open-medusa.ts';
import { type Cart, newCart, newSession } from './storefront.ts';
import type { WebhookProxy } from './webhook-proxy.ts';

type Stage = { shop: MedusaShop; milaan: Milaan; proxy: WebhookProxy; page: Page };

const pay = ({ milaan }: Stage, orderId: string, how: string) =>
  milaan.post(`/sandbox/orders/${orderId}/pay`, { how });

/** The cart became one order, paid and captured in full with the session's own sum. */
async function becomesOrder({ shop }: Stage, cart: Cart, limit = 90_000): Promise<MedusaOrder> {
  const order = await waitFor(`the cart ${cart.id} became an order`, () => shop.orderOf(cart.id), limit);
  assert.deepEqual([order.status, order.amount, order.captured], ['completed', 640, [640]]);
  return order;
}

export const scenes: Record<string, (stage: Stage) => Promise<void>> = {
  async 'paid, and the webhook makes the order'(stage) {
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    const there = await stage.milaan.order(session.data.order_id);
    assert.equal(there['merchant_order_id'], session.id);
    assert.equal(there['amount'], 640);
    await pay(stage, session.data.order_id, 'exact');
    const order = await becomesOrder(stage, cart);
    const paid = await stage.milaan.order(session.data.order_id);
    assert.equal(order.data['bank_reference'], paid['bank_reference']);
  },
  async 'completed by the customer who returns; the webhook changes nothing more'(stage) {
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    assert.equal(await cart.complete(), 'refused', 'nothing is ordered before the money is there');
    stage.proxy.closed = true;
    try {
      await pay(stage, session.data.order_id, 'exact');
      assert.equal(await cart.complete(), 'order');
    } finally {
      stage.proxy.closed = false;
    }
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 60 });
    await waitFor(
      'the webhook came',
      () => stage.proxy.bodies.filter(body => body.includes(session.id)).length > 1,
    );
    await becomesOrder(stage, cart);
  },
  async 'paid late, after the link ran out'(stage) {
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    await pay(stage, session.data.order_id, 'late');
    await becomesOrder(stage, cart);
  },
  async 'ran out, tried again with a new session, paid'(stage) {
    const cart = await newCart(stage.shop);
    const first = await newSession(stage.shop, cart);
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 301 });
    assert.equal(await cart.complete(), 'refused');
    const second = await newSession(stage.shop, cart);
    assert.notEqual(second.data.order_id, first.data.order_id);
    await pay(stage, second.data.order_id, 'exact');
    await becomesOrder(stage, cart);
  },
  async 'forged, misdirected and inexact payments order nothing'(stage) {
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    for (const how of ['forged', 'wrong_recipient', 'wrong_paise'])
      await pay(stage, session.data.order_id, how);
    assert.equal(await cart.complete(), 'refused');
  },
  async 'a rounded sum, held and accepted by the owner'(stage) {
    await stage.milaan.put('/sandbox/settings', { hold_near_misses: true });
    // Other carts of the same price are out of time: it is held only where one order alone fits.
    await stage.milaan.post('/sandbox/clock', { advance_seconds: 1200 });
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    await pay(stage, session.data.order_id, 'rounded');
    assert.equal((await stage.milaan.order(session.data.order_id))['status'], 'manual_review');
    assert.equal(await cart.complete(), 'refused');
    await acceptInMilaan(stage.page, stage.milaan, session.data.order_id);
    const order = await becomesOrder(stage, cart);
    assert.equal(order.data['received_amount'], Math.floor(session.data.payable_amount));
    await stage.milaan.put('/sandbox/settings', { hold_near_misses: false });
  },
  async 'webhook lost, found by the job'(stage) {
    const cart = await newCart(stage.shop);
    const session = await newSession(stage.shop, cart);
    stage.proxy.closed = true;
    try {
      await pay(stage, session.data.order_id, 'exact');
      // The job runs at every full minute.
      await becomesOrder(stage, cart, 180_000);
    } finally {
      stage.proxy.closed = false;
    }
  },
};
