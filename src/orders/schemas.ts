import { type Static, type TProperties, Type } from 'typebox';
import { refusalCodes } from '../base/http/api-error.ts';
import { optionalSchemas } from './optional-fields.ts';

export const orderStatuses = ['pending', 'paid', 'expired', 'failed', 'manual_review'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const closed = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
const time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const status = Type.Enum([...orderStatuses], {
  type: 'string',
  description:
    'pending: not paid yet. paid: confirmed, and final. expired: the 5 minutes are over; a late alert may still pay it for 10 more. manual_review: money came that a person of the business must check; not paid. failed: that person declined the money; not paid.',
});
const orderId = Type.String({
  pattern: '^[A-Za-z0-9]{1,12}-[0-9]{10}$',
  description: "The service's own id of the order.",
});
const payableAmount = Type.Number({
  description: 'Rupees. The exact amount the customer must pay, paise included.',
});
const paymentUrl = Type.String({ description: 'Hosted payment page.' });
const upiUri = Type.String({ description: 'upi://pay deep link.' });
const accountId = Type.String({ description: 'The UPI account the order was created on.' });

/** §2: the create response and its replay. */
export const createdOrderSchema = closed({
  order_id: orderId,
  payable_amount: payableAmount,
  status,
  expires_at: time('When the link stops being payable.'),
  payment_url: paymentUrl,
  upi_uri: upiUri,
  qr_base64: nullable(Type.String({ description: 'The link as an SVG QR code in a data: URI.' })),
  payment_account_id: accountId,
  idempotent_replay: Type.Optional(
    Type.Literal(true, {
      description: 'Only on a replay: this order was made earlier, the body was ignored.',
    }),
  ),
});
export type CreatedOrderJson = Static<typeof createdOrderSchema>;

/** The order as get and list return it, and as a webhook carries it (docs/internals/open-points.md). */
export const orderSchema = closed({
  order_id: orderId,
  merchant_order_id: Type.String({ description: 'Your own order id.' }),
  amount: Type.Number({ description: 'Rupees, as requested.' }),
  payable_amount: payableAmount,
  status,
  created_at: time('When the order was created.'),
  expires_at: time('When the link stops being payable.'),
  paid_at: nullable(time('When the payment was confirmed.')),
  payment_url: paymentUrl,
  upi_uri: upiUri,
  payment_account_id: accountId,
  success_url: Type.String({ description: 'Where the customer returns after payment.' }),
  failure_url: Type.String({ description: 'Where the customer returns otherwise.' }),
  customer: nullable(
    closed({
      email: Type.Optional(Type.String({ description: 'As you sent it.' })),
      name: Type.Optional(Type.String({ description: 'As you sent it.' })),
    }),
  ),
  ...optionalSchemas,
  received_amount: nullable(
    Type.Number({
      description:
        'Rupees. What came in for the order: payable_amount in the ordinary case, another sum where somebody of the business decides or has decided about it. Null until something came.',
    }),
  ),
});
export type OrderJson = Static<typeof orderSchema>;

/** §2: a page of orders. */
export const orderPageSchema = closed({
  data: Type.Array(Type.Ref('Order')),
  has_more: Type.Boolean({ description: 'True when more pages follow.' }),
  next_cursor: nullable(
    Type.String({ description: 'Pass as cursor to get the next page; null on the last one.' }),
  ),
});

export const errorSchema = closed({
  error: Type.Enum([...refusalCodes], { type: 'string', description: 'The code. Decide by it.' }),
  message: Type.String({
    description: 'The same in a sentence with the cause, for people. Its wording may change.',
  }),
  details: Type.Optional(Type.String({ description: 'What exactly is wrong with the request.' })),
  doc_url: Type.String({ description: 'The documentation of this code.' }),
  upgrade_url: Type.Optional(Type.String({ description: 'Where the plan can be changed (402).' })),
  limit_paise: Type.Optional(Type.Integer({ description: "The plan's limit for a month, in paise." })),
  collected_paise: Type.Optional(Type.Integer({ description: "This month's collections, in paise." })),
});
