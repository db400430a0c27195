import type { FastifyReply, FastifyRequest } from 'fastify';
import { batchQueries } from '../base/database/batch-queries.ts';
import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { App } from '../base/http/app.ts';
import { type JsonBody, readJsonBody } from '../base/http/json-body.ts';
import { limitCallers } from '../base/http/limit-callers.ts';
import { rupees } from '../base/money.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { keyPresentedIn, presentedKey, refuseStranger } from '../business/merchants/find-caller.ts';
import { type KeyUses, openKeyUses, startFlushing } from '../business/merchants/key-uses.ts';
import {
  createOrder,
  findReplay,
  type InsertOrder,
  openInsertOrders,
  openWebhookProblem,
  type WebhookProblem,
} from './create-order.ts';
import { listOrders } from './list-orders.ts';
import { type Order, presentCreated, presentOrder } from './order.ts';
import { type OrderQuestion, selectOrders } from './queries.ts';
import { readCreateBody } from './read-create-body.ts';

/** §4 and §9: the three endpoints under the current prefix and the older one. */
const prefixes = ['/api/v1', '/api/public/v1'];

export async function orderRoutes(app: App, world: World): Promise<void> {
  const creating: Creating = {
    webhookProblem: openWebhookProblem(world),
    insert: openInsertOrders(world),
  };
  const getOrder = openGetOrder(world);
  const uses = openKeyUses(world);
  const flushing = startFlushing(world, uses);
  app.addHook('onClose', () => flushing.stop());
  await app.register(async scope => {
    // Set this before the rate limit, so that caches do not keep refusals either.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
    limitCallers(scope, world);
    noteUses(scope, uses);
    for (const prefix of prefixes) {
      scope.post(`${prefix}/orders`, (request, reply) => create(world, creating, request, reply));
      scope.get(`${prefix}/orders`, request => list(world, uses, request));
      scope.get(`${prefix}/orders/:order_id`, async request => {
        const { order_id: orderId } = request.params as { order_id: string };
        const key = presentedKey(request);
        const order = await getOrder(key, orderId);
        uses.noteReads(key, 1);
        return presentOrder(world, order);
      });
    }
  });
}

/** A key that got any answer but "unknown" was used. */
function noteUses(scope: App, uses: KeyUses): void {
  scope.addHook('onResponse', (request, reply, done) => {
    const key = keyPresentedIn(request);
    if (key && reply.statusCode !== 401) uses.note(key);
    done();
  });
}

type Creating = { webhookProblem: WebhookProblem; insert: InsertOrder };

async function create(
  world: World,
  { webhookProblem, insert }: Creating,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const key = presentedKey(request);
  const body = readJsonBody(request);
  const read = readCreateBody(body);
  const problem = 'problem' in read ? read.problem : await webhookProblem(key, read.request.webhookUrl);
  if ('request' in read && problem === null) {
    const { order, replayed } = await createOrder(world.sql, world, key, read.request, insert);
    if (replayed) noteDifference(world, reply, body, order);
    return answer(world, reply, order, replayed);
  }
  // The body is faulty. An unknown key is refused first, then a used id is replayed, and only then is the fault said.
  const earlier = await findReplay(world.sql, world, key, read.merchantOrderId ?? nobodysId);
  if (earlier) {
    noteDifference(world, reply, body, earlier);
    return answer(world, reply, earlier, true);
  }
  throw new ApiError('invalid_request', { fields: { details: problem } });
}

/** The replayed body stays as specified, but a shop that reuses an id for another cart should notice. */
function noteDifference({ config, log }: World, reply: FastifyReply, body: JsonBody, order: Order): void {
  const asked = 'object' in body ? body.object['amount'] : null;
  if (typeof asked !== 'number' || asked === rupees(order.amount_paise)) return;
  void reply.header('x-replay-differs', 'amount');
  if (config.mode === 'sandbox')
    log.warn(
      { order: order.order_id, amount: rupees(order.amount_paise), asked },
      'a create with a used merchant_order_id asked for another amount; it got the earlier order',
    );
}

function answer(world: World, reply: FastifyReply, order: Order, replayed: boolean): unknown {
  void reply.code(replayed ? 200 : 201);
  return { ...presentCreated(world, order), ...(replayed && { idempotent_replay: true as const }) };
}

async function list(world: World, uses: KeyUses, request: FastifyRequest): Promise<unknown> {
  const key = presentedKey(request);
  const query = request.query as Record<string, unknown>;
  const { orders, hasMore, nextCursor } = await listOrders(world, key, query);
  if (orders.length > 0) uses.noteReads(key, orders.length);
  return {
    data: orders.map(order => presentOrder(world, order)),
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}

/** Accepts any prefix, because ids of older installations stay valid (§9). */
const orderIdShape = /^[A-Za-z0-9]{1,12}-\d{10}$/;
/** No order has it. The query still runs, so a stranger's key is refused first. */
const nobodysId = '';

/** §4.2. Another merchant's id is answered like an unknown one (R12). Simultaneous callers share a query. */
function openGetOrder({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  const read = batchQueries(async (asked: readonly OrderQuestion[]) => {
    const rows = await withDeadline(selectOrders(sql, asked, clock.now()));
    const answers = new Array<(typeof rows)[number] | undefined>(asked.length);
    for (const row of rows) answers[row.place - 1] = row;
    return answers;
  });
  return async (key: PresentedKey, orderId: string): Promise<Order> => {
    const row = await read({ key, orderId: orderIdShape.test(orderId) ? orderId : nobodysId });
    refuseStranger(row);
    if (row.order_id === null) throw new ApiError('order_not_found');
    return row;
  };
}
