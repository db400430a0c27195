import { signWith } from '../src/outbox/webhooks/sign-webhook.ts';
import { parameter, ref } from './api-answers.ts';
import { exampleCredit, paidAt, shown } from './api-examples.ts';

/** The secret of the documentation's own example. */
const exampleSecret = 'whsec_TWlsYWFuIHNhbXBsZSBzZWNyZXQgMDAx';
const eventId = 'evt_5f0c6d1e2a3b4c5d6e7f8091a2b3c4d5';

/** The service's webhooks to the shop's server, by type. */
export const webhooks = {
  'payment.paid': webhook(
    'paymentPaid',
    'An order became paid',
    'Mark it paid in your shop now, and at no other time.',
    'PaidEvent',
    eventOf('payment.paid', shown('paid')),
  ),
  'payment.review': webhook(
    'paymentReview',
    'Money waits for a person',
    'It does not fit exactly, so the order is not paid yet. Sent if the owner switched it on.',
    'ReviewEvent',
    eventOf('payment.review', shown('manual_review')),
  ),
  'payment.unmatched': webhook(
    'paymentUnmatched',
    'Money found no order',
    "Sent to the business's own address if the owner switched it on.",
    'UnmatchedEvent',
    eventOf('payment.unmatched', exampleCredit),
  ),
  'webhook.test': webhook(
    'webhookTest',
    'A test event',
    'Somebody pressed "Send a test event" on the Webhooks screen. It has no order.',
    'TestEvent',
    eventOf('webhook.test', { message: 'This is a test. No payment was made.' }),
  ),
};

const unmatchedCredit = {
  type: 'object',
  required: Object.keys(exampleCredit),
  properties: {
    credit_id: { type: 'string', description: 'The credit, the same if it is sent again.' },
    amount: { type: 'number', description: 'Rupees that came.' },
    bank_reference: { type: ['string', 'null'], description: "The bank's RRN or UTR, if it printed one." },
    payer: { type: ['string', 'null'], description: 'As the bank printed it.' },
    paid_at: { type: 'string', format: 'date-time', description: "The bank's time." },
    reason: { type: 'string', enum: ['no_order', 'too_late', 'extra_payment'], description: 'Why it waits.' },
    order_id: { type: ['string', 'null'], description: 'The order that it came too late for or paid again.' },
  },
};

export const eventSchemas = {
  PaidEvent: eventSchema('payment.paid', ref('Order')),
  ReviewEvent: eventSchema('payment.review', ref('Order')),
  UnmatchedEvent: eventSchema('payment.unmatched', ref('UnmatchedCredit')),
  TestEvent: eventSchema('webhook.test', {
    type: 'object',
    properties: { message: { type: 'string', description: 'Says that it is a test.' } },
  }),
  UnmatchedCredit: unmatchedCredit,
};

function eventSchema(type: string, data: object): object {
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type, description: 'Ignore types that you do not know.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data,
    },
  };
}

function eventOf(type: string, data: object): object {
  return { type, timestamp: paidAt, data };
}

function webhook(
  operationId: string,
  summary: string,
  meaning: string,
  schema: string,
  example: object,
): object {
  const signed = signWith([exampleSecret], { eventId, body: JSON.stringify(example), now: new Date(paidAt) });
  const header = (name: string, description: string) => ({
    ...parameter(name, { type: 'string' }, description, (signed as Record<string, string>)[name]),
    in: 'header',
    required: true,
  });
  return {
    post: {
      tags: ['Webhooks'],
      operationId,
      summary,
      description: `${meaning} Verify the signature over the raw body before you act: HMAC-SHA256 of id.timestamp.body, as Standard Webhooks has it. The example is signed with ${exampleSecret}.`,
      security: [],
      parameters: [
        header('webhook-id', "The event's id, the same in every attempt."),
        header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
        header(
          'webhook-signature',
          'One or more of v1,<base64>, separated by spaces. One that fits is enough.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref(schema), examples: { event: { value: example } } } },
      },
      responses: {
        '2XX': { description: 'Received. Any other answer is tried again, for a little over three days.' },
        410: { description: 'Gone: the event is given up at once.' },
      },
    },
  };
}
