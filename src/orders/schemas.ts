import { type Static, type TProperties, Type } from 'typebox';
import { refusalCodes } from '../base/http/api-error.ts';
import { orderStatuses } from './order.ts';

/** An object with these fields and no others. */
const closed = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
const time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const status = Type.Enum([...orderStatuses]);
const orderId = Type.String({ pattern: '^[A-Za-z0-9]{1,12}-[0-9]{10}$' });
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
  idempotent_replay: Type.Optional(Type.Literal(true)),
});
export type CreatedOrderJson = Static<typeof createdOrderSchema>;

/** The order as get and list return it, and as a webhook carries it (docs/internals/open-points.md). */
export const orderSchema = closed({
  order_id: orderId,
  merchant_order_id: Type.String(),
  amount: Type.Number({ description: 'Rupees, as requested.' }),
  payable_amount: payableAmount,
  status,
  created_at: time('When the order was created.'),
  expires_at: time('When the link stops being payable.'),
  paid_at: nullable(time('When the payment was confirmed.')),
  payment_url: paymentUrl,
  upi_uri: upiUri,
  payment_account_id: accountId,
  success_url: Type.String(),
  failure_url: Type.String(),
  customer: nullable(closed({ email: Type.Optional(Type.String()), name: Type.Optional(Type.String()) })),
  bank_reference: nullable(
    Type.String({ description: "The bank's RRN or UTR, where its alert prints one." }),
  ),
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
  has_more: Type.Boolean(),
  next_cursor: nullable(
    Type.String({ description: 'Pass as cursor to get the next page; null on the last one.' }),
  ),
});

/** The body of every refusal. */
export const errorSchema = closed({
  error: Type.Enum([...refusalCodes]),
  message: Type.String({ description: 'The same in a sentence, for people.' }),
  details: Type.Optional(Type.String({ description: 'What exactly is wrong with the request.' })),
  upgrade_url: Type.Optional(Type.String()),
  limit_paise: Type.Optional(Type.Integer()),
  collected_paise: Type.Optional(Type.Integer()),
});
