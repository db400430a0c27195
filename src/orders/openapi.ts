import { type RefusalCode, refusalStatus } from '../http/api-error.ts';
import { orderStatuses } from './order.ts';
import { createRequestSchema } from './read-create-request.ts';
import { createdOrderSchema, errorSchema, orderPageSchema, orderSchema } from './schemas.ts';

const everywhere: RefusalCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'merchant_disabled',
  'rate_limited',
  'request_timeout',
  'headers_too_large',
  'service_unavailable',
];

/** The OpenAPI 3.1 document, made of the schemas that validate requests and type the answers. */
export function openapiDocument(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Milaan',
      version: '1',
      description:
        'Payment links for UPI collections, confirmed by the bank. The older prefix /api/public/v1 is an alias.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    paths: {
      '/api/v1/orders': {
        post: {
          operationId: 'createOrder',
          summary: 'Create an order, or replay the one that has this merchant_order_id',
          requestBody: { required: true, content: json({ $ref: '#/components/schemas/CreateOrder' }) },
          responses: {
            201: { description: 'Created', content: json({ $ref: '#/components/schemas/CreatedOrder' }) },
            200: { description: 'Replayed', content: json({ $ref: '#/components/schemas/CreatedOrder' }) },
            ...refusals([
              'invalid_request',
              'invalid_payment_account',
              'payment_account_paused',
              'plan_limit_reached',
              'upi_not_configured',
              'request_too_large',
              'all_payment_slots_busy',
            ]),
          },
        },
        get: {
          operationId: 'listOrders',
          summary: 'List orders, newest first',
          parameters: [
            parameter('status', { type: 'string', enum: orderStatuses }),
            parameter('merchant_order_id', { type: 'string', maxLength: 120 }),
            parameter('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
            parameter('cursor', { type: 'string' }),
          ],
          responses: {
            200: {
              description: 'A page of orders',
              content: json({ $ref: '#/components/schemas/OrderPage' }),
            },
            ...refusals(['invalid_request']),
          },
        },
      },
      '/api/v1/orders/{order_id}': {
        get: {
          operationId: 'getOrder',
          summary: 'Get an order',
          parameters: [{ ...parameter('order_id', { type: 'string' }), in: 'path', required: true }],
          responses: {
            200: { description: 'The order', content: json({ $ref: '#/components/schemas/Order' }) },
            ...refusals(['order_not_found']),
          },
        },
      },
    },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: {
        CreateOrder: createRequestSchema,
        CreatedOrder: createdOrderSchema,
        Order: orderSchema,
        OrderPage: { ...orderPageSchema, properties: { ...orderPageSchema.properties, data: orderList } },
        Error: errorSchema,
      },
    },
  };
}

const orderList = { type: 'array', items: { $ref: '#/components/schemas/Order' } };

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function parameter(name: string, schema: object): object {
  return { name, in: 'query', required: false, schema };
}

/** One entry a status, naming its codes. */
function refusals(codes: RefusalCode[]): Record<number, object> {
  const byStatus = Map.groupBy([...codes, ...everywhere], refusalStatus);
  const entries = [...byStatus].map(([status, grouped]) => [
    status,
    { description: grouped.join(', '), content: json({ $ref: '#/components/schemas/Error' }) },
  ]);
  return Object.fromEntries(entries);
}
