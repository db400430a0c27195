import { type RefusalCode, refusalStatus } from '../base/http/api-error.ts';
import { defaultPerPage, mostPerPage } from './list-orders.ts';
import { orderStatuses } from './order.ts';
import { createRequestSchema, longestMerchantOrderId } from './read-create-body.ts';
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

/** The OpenAPI 3.1 document, built from the schemas that validate requests and type the answers. */
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
    tags: [{ name: 'Orders', description: 'Payment links.' }],
    paths: {
      '/api/v1/orders': {
        post: {
          tags: ['Orders'],
          operationId: 'createOrder',
          summary: 'Create an order, or replay the one that has this merchant_order_id',
          requestBody: { required: true, content: jsonContent({ $ref: '#/components/schemas/CreateOrder' }) },
          responses: {
            201: answer('Created', 'CreatedOrder'),
            200: answer('Replayed', 'CreatedOrder'),
            ...callerAnswers([
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
          tags: ['Orders'],
          operationId: 'listOrders',
          summary: 'List orders, newest first',
          parameters: [
            parameter('status', { type: 'string', enum: orderStatuses }),
            parameter('merchant_order_id', { type: 'string', maxLength: longestMerchantOrderId }),
            parameter('limit', {
              type: 'integer',
              minimum: 1,
              maximum: mostPerPage,
              default: defaultPerPage,
            }),
            parameter('cursor', { type: 'string' }),
          ],
          responses: {
            200: answer('A page of orders', 'OrderPage'),
            ...callerAnswers(['invalid_request']),
          },
        },
      },
      '/api/v1/orders/{order_id}': {
        get: {
          tags: ['Orders'],
          operationId: 'getOrder',
          summary: 'Get an order',
          parameters: [{ ...parameter('order_id', { type: 'string' }), in: 'path', required: true }],
          responses: {
            200: answer('The order', 'Order'),
            ...callerAnswers(['order_not_found']),
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

function answer(description: string, schema: string): object {
  return { description, content: jsonContent({ $ref: `#/components/schemas/${schema}` }) };
}

function jsonContent(schema: object): object {
  return { 'application/json': { schema } };
}

function parameter(name: string, schema: object): object {
  return { name, in: 'query', required: false, schema };
}

/** One entry per status, with its codes. */
function callerAnswers(codes: readonly RefusalCode[]): Record<number, object> {
  const byStatus = Map.groupBy([...codes, ...everywhere], refusalStatus);
  const entries = [...byStatus].map(([status, grouped]) => [status, answer(grouped.join(', '), 'Error')]);
  return Object.fromEntries(entries);
}
