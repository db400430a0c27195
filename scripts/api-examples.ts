import { paise } from '../src/base/money.ts';
import { showOptional } from '../src/orders/optional-fields.ts';
import { type Order, presentCreated, presentOrder } from '../src/orders/order.ts';
import type { OrderStatus } from '../src/orders/schemas.ts';

/** The address in the file. A running service puts its own in its place. */
export const exampleUrl = 'https://pay.example.in';

const bodies = {
  smallest: {
    amount: 499,
    merchant_order_id: 'order-1042',
    success_url: 'https://shop.example.com/thanks',
    failure_url: 'https://shop.example.com/cart',
    webhook_url: 'https://shop.example.com/webhooks/upi',
  },
};
export const createBodies = {
  smallest: { summary: 'Only what is required', value: bodies.smallest },
  withCustomer: {
    summary: 'With a note about the customer',
    value: {
      ...bodies.smallest,
      merchant_order_id: 'order-1043',
      amount: 249.5,
      customer: { name: 'Asha Rao', email: 'asha@example.com' },
    },
  },
};

const createdAt = '2026-11-15T06:30:00.000Z';
export const paidAt = '2026-11-15T06:31:12.000Z';

export const exampleOrder: Order = {
  merchant_id: 1,
  order_id: 'ML-0123456789',
  merchant_order_id: bodies.smallest.merchant_order_id,
  amount_paise: paise(49900),
  payable_paise: paise(49937),
  status: 'pending',
  created_at: new Date(createdAt),
  expires_at: new Date('2026-11-15T06:35:00.000Z'),
  paid_at: null,
  pay_token: 'AAAAAAABqL3fPz2m0c5sXhY7kQ9dNw',
  account_id: 'acc_7Yk2Qm',
  success_url: bodies.smallest.success_url,
  failure_url: bodies.smallest.failure_url,
  webhook_url: bodies.smallest.webhook_url,
  customer: null,
  ...showOptional({}),
  received_paise: null,
  vpa: 'kettle.leaf@okbank',
  payee_name: 'Kettle & Leaf',
  account_kind: 'merchant',
  merchant_code: '5499',
};

/** The order as it looks in a state. */
export function shown(status: OrderStatus) {
  const received = { paid: paise(49937), manual_review: paise(50000), failed: paise(50000) }[
    status as string
  ];
  return presentOrder(
    { baseUrl: exampleUrl },
    {
      ...exampleOrder,
      status,
      received_paise: received ?? null,
      ...(received !== undefined && { bank_reference: '620132678599' }),
      ...(status === 'paid' && { paid_at: new Date(paidAt) }),
    },
  );
}

/** A whole QR code would hide the other fields. */
export const exampleCreated = {
  ...presentCreated({ baseUrl: exampleUrl }, exampleOrder),
  qr_base64: 'data:image/svg+xml;base64,PHN2Zy8+',
};

export const exampleCredit = {
  credit_id: 'alert_5f0c6d1e2a3b4c5d',
  amount: 500,
  bank_reference: '620132678599',
  payer: 'asha@okbank',
  paid_at: '2026-11-15T06:29:57.000Z',
  reason: 'no_order',
  order_id: null,
};
