import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { type Paise, paiseFromRupees } from '../../src/base/money.ts';
import type { Dice } from './dice.ts';
import type { Merchant, Stage } from './stage.ts';

/** An order whose creation was acknowledged to the shop. The times are true ones, not those of any process. */
export type KnownOrder = {
  merchant: Merchant;
  merchantOrderId: string;
  orderId: string;
  amount: number;
  payable: Paise;
  askedAt: number;
  acknowledgedAt: number;
  /** The path of its payment page, on any web process. */
  payPath: string;
  wasSeenPaid: boolean;
};

export type Checkout = {
  orders: KnownOrder[];
  created: number;
  replays: number;
  /** Refusals by their code, and requests that got no answer at all. */
  refused: Map<string, number>;
  lookedAt: number;
  /** Answers that no client should ever get. */
  oddities: string[];
  /** Asks for one order as a shop does: with the same id until there is an answer, or it has had enough. */
  create(): Promise<KnownOrder | null>;
  /** Asks again for an order that exists: the answer must be the same order. */
  replay(order: KnownOrder): Promise<void>;
  /** Asks the API for the order: paid must stay paid. */
  look(order: KnownOrder): Promise<void>;
};

/** Rupees that many customers ask for at once. 499 and 500 share payable amounts. */
const busyAmounts = [499, 500, 499, 99, 1, 1499.5, 50_000];
const quietAmounts = [777, 1250];
const tries = 12;
const answerWithin = 10 * second;

/** `price`: what somebody asks for, in rupees. */
export function openCheckout(
  { merchants, processes }: Pick<Stage, 'merchants' | 'processes'>,
  dice: Dice,
  price = () => dice.pick(dice.isLucky(0.08) ? quietAmounts : busyAmounts),
): Checkout {
  const webs = processes.of('web');
  let count = 0;

  const ask = async (merchant: Merchant, path: string, body?: object): Promise<Answer> => {
    try {
      const response = await fetch(`${dice.pick(webs).url}/api/v1/orders${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': merchant.apiKey, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerWithin),
      });
      return { status: response.status, body: (await response.json()) as OrderAnswer };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return { status: 0, body: { error: `no answer: ${cause?.code ?? name}` } };
    }
  };
  const refuse = (answer: Answer) => {
    const code = answer.status === 0 ? answer.body.error! : `${answer.status} ${answer.body.error}`;
    checkout.refused.set(code, (checkout.refused.get(code) ?? 0) + 1);
    if (answer.status !== 0 && answer.status !== 503)
      checkout.oddities.push(`a sound request was answered ${code}: ${JSON.stringify(answer.body)}`);
  };
  const bodyOf = (merchant: Merchant, merchantOrderId: string, amount: number) => ({
    amount,
    merchant_order_id: merchantOrderId,
    success_url: 'https://shop.example.com/thanks',
    failure_url: 'https://shop.example.com/sorry',
    webhook_url: merchant.webhookUrl,
  });

  const checkout: Checkout = {
    orders: [],
    created: 0,
    replays: 0,
    refused: new Map(),
    lookedAt: 0,
    oddities: [],
    async create() {
      // The first business has the most customers: its amounts run out, and come back.
      const merchant = dice.isLucky(0.4) ? merchants[0]! : dice.pick(merchants);
      const amount = price();
      const merchantOrderId = `${merchant.name}-${++count}`;
      const askedAt = Date.now();
      for (let attempt = 0; attempt < tries; attempt++) {
        const answer = await ask(merchant, '', bodyOf(merchant, merchantOrderId, amount));
        const { status, body } = answer;
        if (status !== 201 && status !== 200) {
          refuse(answer);
          if (body.error === 'all_payment_slots_busy') return null;
          await sleep(dice.between(0.2, 1.5) * second);
          continue;
        }
        const { order_id: orderId, payable_amount: payable } = body;
        if (!orderId || !payable) throw new Error(`no order in ${JSON.stringify(body)}`);
        if (status === 201) checkout.created++;
        // An earlier request had done its work before its answer was lost.
        else if (attempt > 0) checkout.replays++;
        else checkout.oddities.push(`${merchantOrderId} is new, but was answered as a replay of ${orderId}`);
        const order: KnownOrder = {
          merchant,
          merchantOrderId,
          orderId,
          amount,
          payable: paiseFromRupees(payable),
          askedAt,
          acknowledgedAt: Date.now(),
          payPath: new URL(body.payment_url!).pathname,
          wasSeenPaid: false,
        };
        checkout.orders.push(order);
        return order;
      }
      return null;
    },
    async replay(order) {
      const { merchant, merchantOrderId, amount } = order;
      const answer = await ask(merchant, '', bodyOf(merchant, merchantOrderId, amount));
      if (answer.status !== 200) {
        if (answer.status === 201) checkout.oddities.push(`${merchantOrderId} was created a second time`);
        return refuse(answer);
      }
      checkout.replays++;
      const { order_id: orderId, payable_amount: payable } = answer.body;
      if (orderId !== order.orderId || paiseFromRupees(payable ?? 0) !== order.payable)
        checkout.oddities.push(`${order.orderId} was replayed as ${orderId} of ${payable}`);
    },
    async look(order) {
      const before = Date.now();
      const answer = await ask(order.merchant, `/${order.orderId}`);
      if (answer.status !== 200) return refuse(answer);
      checkout.lookedAt++;
      const { status } = answer.body;
      if (order.wasSeenPaid && status !== 'paid')
        checkout.oddities.push(`${order.orderId} was paid, then ${status}`);
      if (status === 'paid') order.wasSeenPaid = true;
      if (status === 'pending' && before > order.acknowledgedAt + 7 * minute)
        checkout.oddities.push(`${order.orderId} is pending two minutes after its end`);
    },
  };
  return checkout;
}

type OrderAnswer = {
  order_id?: string;
  payable_amount?: number;
  payment_url?: string;
  status?: string;
  error?: string;
};
type Answer = { status: number; body: OrderAnswer };
