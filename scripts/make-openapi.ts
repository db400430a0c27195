import { noNewOrders, noUpiId } from '../src/orders/create-order.ts';
import { defaultPerPage, mostPerPage } from '../src/orders/list-orders.ts';
import { createRequestSchema, longestMerchantOrderId } from '../src/orders/read-create-body.ts';
import {
  createdOrderSchema,
  errorSchema,
  orderPageSchema,
  orderSchema,
  orderStatuses,
} from '../src/orders/schemas.ts';
import { answer, parameter, ref, refusals } from './api-answers.ts';
import { createBodies, exampleCreated, exampleOrder, exampleUrl, shown } from './api-examples.ts';
import { eventSchemas, webhooks } from './api-webhooks.ts';

/** The OpenAPI 3.1 document, from the schemas that validate requests and type the answers. */
export function makeOpenapi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Milaan',
      version: '1',
      summary: 'Payment links for UPI collections, confirmed by the bank.',
      description: `Payment links for UPI collections, confirmed by the bank. Amounts are rupees, times are ISO 8601 in UTC. The older prefix /api/public/v1 is an alias.`,
      license: { name: 'Not licensed for others', url: `${exampleUrl}/docs/licences` },
    },
    servers: [{ url: exampleUrl, description: 'The address of your installation.' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Orders', description: 'Payment links.' },
      { name: 'Webhooks', description: "What the service sends to your server: docs, 'Webhooks'." },
    ],
    externalDocs: { url: `${exampleUrl}/docs/integration`, description: 'Integration guide' },
    paths: {
      '/api/v1/orders': { post: createOrder, get: listOrders },
      '/api/v1/orders/{order_id}': { get: getOrder },
    },
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'From the Integrations screen. Keep it on your server: never in a browser or an app.',
        },
      },
      headers: {
        RequestId: {
          description: 'Names this call. Quote it when you ask the operator.',
          schema: { type: 'string', format: 'uuid' },
          example: '3f0c0f0e-6a37-4b57-9d6c-1f2b8a4e7c11',
        },
        RetryAfter: {
          description: 'Seconds to wait before the next attempt.',
          schema: { type: 'integer', minimum: 1 },
          example: 4,
        },
        ReplayDiffers: {
          description: '`amount` if the new body has another amount than the order. The body was ignored.',
          schema: { type: 'string', const: 'amount' },
          example: 'amount',
        },
      },
      schemas: {
        CreateOrder: createRequestSchema,
        CreatedOrder: plainNulls(createdOrderSchema),
        Order: plainNulls(orderSchema),
        OrderPage: plainNulls({
          ...orderPageSchema,
          properties: {
            ...orderPageSchema.properties,
            data: { type: 'array', items: ref('Order'), description: 'Newest first.' },
          },
        }),
        Error: errorSchema,
        ...eventSchemas,
      },
    },
  };
}

const createOrder = {
  tags: ['Orders'],
  operationId: 'createOrder',
  summary: 'Create an order, or replay the one that has this merchant_order_id',
  description:
    'Safe to repeat: a merchant_order_id that was used before answers 200 with its order, and the new body is ignored.',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: ref('CreateOrder'), examples: createBodies } },
  },
  responses: {
    201: answer('The order was created.', 'CreatedOrder', {
      created: { summary: 'A new order', value: exampleCreated },
    }),
    200: answer(
      'A replay: the order that this merchant_order_id already has, with its state of this moment.',
      'CreatedOrder',
      { replayed: { summary: 'The same id again', value: { ...exampleCreated, idempotent_replay: true } } },
      { 'X-Replay-Differs': { $ref: '#/components/headers/ReplayDiffers' } },
    ),
    ...refusals({
      invalid_request: { details: 'amount must be a number, not a string: 499, not "499"' },
      invalid_payment_account: {},
      payment_account_paused: { upgrade_url: `${exampleUrl}/dashboard/plan` },
      plan_limit_reached: {
        limit_paise: 5000000,
        collected_paise: 5012300,
        upgrade_url: `${exampleUrl}/dashboard/plan`,
      },
      upi_not_configured: { message: noUpiId(exampleUrl) },
      request_too_large: {},
      all_payment_slots_busy: {},
      merchant_disabled: { message: noNewOrders },
    }),
  },
};

const listOrders = {
  tags: ['Orders'],
  operationId: 'listOrders',
  summary: 'List orders, newest first',
  description: 'Pass next_cursor as cursor until has_more is false.',
  parameters: [
    parameter('status', { type: 'string', enum: orderStatuses }, 'Only orders in this state.', 'paid'),
    parameter(
      'merchant_order_id',
      { type: 'string', maxLength: longestMerchantOrderId },
      'Only the order with this id of your own.',
      'order-1042',
    ),
    parameter(
      'limit',
      { type: 'integer', minimum: 1, maximum: mostPerPage, default: defaultPerPage },
      'Orders per page.',
      20,
    ),
    parameter('cursor', { type: 'string' }, 'The next_cursor of the previous page; left out at the first.'),
  ],
  responses: {
    200: answer('A page of orders.', 'OrderPage', {
      page: {
        summary: 'The last page',
        value: { data: [shown('paid')], has_more: false, next_cursor: null },
      },
    }),
    ...refusals({ invalid_request: { details: 'limit must be a whole number from 1 to 100' } }),
  },
};

const getOrder = {
  tags: ['Orders'],
  operationId: 'getOrder',
  summary: 'Get an order',
  description: 'Ask when the customer returns, and for orders that are still pending after 15 minutes.',
  parameters: [
    {
      ...parameter('order_id', { type: 'string' }, 'The order_id from create, such as ML-0123456789.'),
      in: 'path',
      required: true,
      example: exampleOrder.order_id,
    },
  ],
  responses: {
    200: answer(
      'The order.',
      'Order',
      Object.fromEntries(
        orderStatuses.map(status => [
          status,
          { summary: `An order that is ${status}`, value: shown(status) },
        ]),
      ),
    ),
    ...refusals({ order_not_found: {} }),
  },
};

/** Writes "X or null" as one type with null, which generators of clients read better than a choice of two schemas. */
function plainNulls(schema: { properties: Record<string, object> }): object {
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const [value, none] = (field as { anyOf?: { type: string }[] }).anyOf ?? [];
    return [name, none?.type === 'null' && value ? { ...value, type: [value.type, 'null'] } : field];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
