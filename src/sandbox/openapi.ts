import type { RefusalCode } from '../http/api-error.ts';
import type { OpenapiSection } from '../orders/openapi.ts';
import { errorAnswers as answersFor, jsonContent } from '../orders/openapi.ts';
import {
  accountAnswerSchema,
  accountSchema,
  advanceSchema,
  clockSchema,
  dnsSchema,
  paidSchema,
  paySchema,
  settingsSchema,
  verdictSchema,
} from './schemas.ts';

const tags = ['Sandbox'];
/** No key: there is nothing in the sandbox but the demo business. */
const security: object[] = [];
const open = { tags, security };
const errorAnswers = (codes: readonly RefusalCode[]) => answersFor([...codes, 'foreign_origin']);

/** The sandbox's own section of the OpenAPI document. A live installation has neither it nor the paths. */
export const sandboxSection: OpenapiSection = {
  tag: {
    name: 'Sandbox',
    description:
      'For trying out and for your own tests; a live installation answers 404. No API key. See docs/sandbox.md.',
  },
  paths: {
    '/sandbox/orders/{order_id}/pay': {
      post: {
        ...open,
        operationId: 'sandboxPay',
        summary: 'Play the customer and the bank: a signed alert mail, judged by the real pipeline',
        parameters: [inPath('order_id')],
        requestBody: { required: true, content: jsonContent(paySchema) },
        responses: {
          200: { description: 'The verdict on each mail', content: jsonContent(paidSchema) },
          ...errorAnswers([
            'invalid_request',
            'order_not_found',
            'request_too_large',
            'all_payment_slots_busy',
            'service_unavailable',
          ]),
        },
      },
    },
    '/sandbox/mail': {
      post: {
        ...open,
        operationId: 'sandboxMail',
        summary: 'Judge a raw mail as if it had been found in the demo mailbox just now',
        requestBody: {
          required: true,
          content: {
            'message/rfc822': { schema: { type: 'string', format: 'binary', maxLength: 1024 * 1024 } },
          },
        },
        responses: {
          200: { description: 'The verdict', content: jsonContent(verdictSchema) },
          ...errorAnswers(['invalid_request', 'request_too_large', 'service_unavailable']),
        },
      },
    },
    '/sandbox/dns/{name}': {
      put: {
        ...open,
        operationId: 'sandboxDns',
        summary: 'Set a TXT record of the sandbox’s resolver, so that a test can sign as any bank',
        description: 'The value SERVFAIL makes the name fail, NXDOMAIN makes it missing.',
        parameters: [inPath('name')],
        requestBody: { required: true, content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: {
          200: { description: 'The record as it is answered from now on', content: jsonContent(dnsSchema) },
          ...errorAnswers(['invalid_request', 'request_too_large']),
        },
      },
    },
    '/sandbox/account': {
      put: {
        ...open,
        operationId: 'sandboxAccount',
        summary: 'Make the default UPI account one of any listed bank, so that a test can play that bank',
        description:
          'Alerts of no other bank pay orders on it, so the simulated bank pays them only after a reset.',
        requestBody: { required: true, content: jsonContent(accountSchema) },
        responses: {
          200: { description: 'The account as it is from now on', content: jsonContent(accountAnswerSchema) },
          ...errorAnswers(['invalid_request', 'request_too_large', 'service_unavailable']),
        },
      },
    },
    '/sandbox/settings': {
      get: {
        ...open,
        operationId: 'sandboxReadSettings',
        summary: 'What the owner of the demo business has switched on',
        responses: {
          200: { description: 'The settings', content: jsonContent(settingsSchema) },
          ...errorAnswers(['service_unavailable']),
        },
      },
      put: {
        ...open,
        operationId: 'sandboxSettings',
        summary: 'Hold near misses or not: whether a plain slip moves its order to manual_review by itself',
        requestBody: { required: true, content: jsonContent(settingsSchema) },
        responses: {
          200: { description: 'The settings from now on', content: jsonContent(settingsSchema) },
          ...errorAnswers(['invalid_request', 'request_too_large', 'service_unavailable']),
        },
      },
    },
    '/sandbox/clock': {
      post: {
        ...open,
        operationId: 'sandboxClock',
        summary: 'Move the sandbox’s clock forward',
        requestBody: { required: true, content: jsonContent(advanceSchema) },
        responses: {
          200: { description: 'The time from now on', content: jsonContent(clockSchema) },
          ...errorAnswers(['invalid_request', 'request_too_large', 'service_unavailable']),
        },
      },
    },
    '/sandbox/reset': {
      post: {
        ...open,
        operationId: 'sandboxReset',
        summary: 'Put the demo business, the clock and the DNS back to the start; key and secret stay',
        responses: {
          200: { description: 'The time from now on', content: jsonContent(clockSchema) },
          ...errorAnswers(['request_too_large', 'service_unavailable']),
        },
      },
    },
  },
};

function inPath(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
