import type { RefusalCode } from '../base/http/api-error.ts';
import { errorAnswers, jsonContent, type OpenapiSection } from '../orders/openapi.ts';
import * as schemas from './schemas.ts';

/** The sandbox's own section of the OpenAPI document. A live installation has neither it nor the paths. */
export const sandboxSection: OpenapiSection = {
  tag: {
    name: 'Sandbox',
    description:
      'For trying out and for your own tests; a live installation answers 404. No API key. See docs/sandbox.md.',
  },
  paths: {
    '/sandbox/orders/{order_id}/pay': {
      post: operation({
        operationId: 'sandboxPay',
        summary: 'Play the customer and the bank: a signed alert mail, judged by the real pipeline',
        parameters: [inPath('order_id')],
        takes: jsonContent(schemas.paySchema),
        answers: ['The verdict on each mail', schemas.paidSchema],
        refusals: [
          'invalid_request',
          'order_not_found',
          'request_too_large',
          'all_payment_slots_busy',
          'service_unavailable',
        ],
      }),
    },
    '/sandbox/scenarios': {
      get: operation({
        operationId: 'sandboxScenarios',
        summary: 'List the ways in which an order can be paid here',
        answers: ['The scenarios', schemas.scenariosSchema],
        refusals: [],
      }),
    },
    '/sandbox/mail': {
      post: operation({
        operationId: 'sandboxMail',
        summary: 'Judge a raw mail as if it had been found in the demo mailbox just now',
        takes: {
          'message/rfc822': { schema: { type: 'string', format: 'binary', maxLength: 1024 * 1024 } },
        },
        answers: ['The verdict', schemas.verdictSchema],
        refusals: ['invalid_request', 'request_too_large', 'service_unavailable'],
      }),
    },
    '/sandbox/statement.csv': {
      get: operation({
        operationId: 'sandboxStatement',
        summary: 'The simulated bank’s statement: every payment once, and no false credit',
        answers: ['Comma-separated', { type: 'string' }, 'text/csv'],
        refusals: ['service_unavailable'],
      }),
    },
    '/sandbox/dns/{name}': {
      put: operation({
        operationId: 'sandboxDns',
        summary: 'Set a TXT record of the sandbox’s resolver, so that a test can sign as any bank',
        description: 'The value SERVFAIL makes the name fail, NXDOMAIN makes it missing.',
        parameters: [inPath('name')],
        takes: { 'text/plain': { schema: { type: 'string' } } },
        answers: ['The record as it is answered from now on', schemas.dnsSchema],
        refusals: ['invalid_request', 'request_too_large'],
      }),
    },
    '/sandbox/account': {
      put: operation({
        operationId: 'sandboxAccount',
        summary: 'Make the default UPI account one of any listed bank, so that a test can play that bank',
        description:
          'Alerts of no other bank pay orders on it, so the simulated bank pays them only after a reset.',
        takes: jsonContent(schemas.accountSchema),
        answers: ['The account as it is from now on', schemas.accountAnswerSchema],
        refusals: ['invalid_request', 'request_too_large', 'service_unavailable'],
      }),
    },
    '/sandbox/settings': {
      get: operation({
        operationId: 'sandboxReadSettings',
        summary: 'What the owner of the demo business has switched on',
        answers: ['The settings', schemas.settingsSchema],
        refusals: ['service_unavailable'],
      }),
      put: operation({
        operationId: 'sandboxSettings',
        summary: 'Hold near misses or not: whether a plain slip moves its order to manual_review by itself',
        takes: jsonContent(schemas.settingsSchema),
        answers: ['The settings from now on', schemas.settingsSchema],
        refusals: ['invalid_request', 'request_too_large', 'service_unavailable'],
      }),
    },
    '/sandbox/clock': {
      post: operation({
        operationId: 'sandboxClock',
        summary: 'Move the sandbox’s clock forward',
        takes: jsonContent(schemas.advanceSchema),
        answers: ['The time from now on', schemas.clockSchema],
        refusals: ['invalid_request', 'request_too_large', 'service_unavailable'],
      }),
    },
    '/sandbox/reset': {
      post: operation({
        operationId: 'sandboxReset',
        summary: 'Put the demo business, the clock and the DNS back to the start; key and secret stay',
        answers: ['The time from now on', schemas.clockSchema],
        refusals: ['request_too_large', 'service_unavailable'],
      }),
    },
  },
};

type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: object[];
  takes?: object;
  answers: [description: string, schema: object, type?: string];
  refusals: RefusalCode[];
};

/** No key: there is nothing in the sandbox but the demo business. */
function operation({ takes, answers, refusals, ...named }: Operation): object {
  const [description, schema, type = 'application/json'] = answers;
  return {
    tags: ['Sandbox'],
    security: [],
    ...named,
    ...(takes && { requestBody: { required: true, content: takes } }),
    responses: {
      200: { description, content: { [type]: { schema } } },
      ...errorAnswers([...refusals, 'foreign_origin']),
    },
  };
}

function inPath(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
