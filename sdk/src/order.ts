/** The API's types, with the same names as on the wire. Amounts are rupees, times are ISO 8601 in UTC. */

/** Only `paid` is paid. `manual_review`: money came that a person of your business must check; not paid yet. */
export type OrderStatus = 'pending' | 'paid' | 'expired' | 'failed' | 'manual_review';

export type Customer = { email?: string; name?: string };

/** The body for creating an order. */
export type NewOrder = {
  /** Rupees: more than 0, at most 1,000,000. */
  amount: number;
  /** Your own order id, 1 to 120 characters. The same id again gives the same order, never a second one. */
  merchant_order_id: string;
  /** The customer's page after payment. */
  success_url: string;
  /** The customer's page after an expired or failed payment. */
  failure_url: string;
  /** Your public address for the signed `payment.paid` webhook. */
  webhook_url: string;
  customer?: Customer;
  /** One of your UPI accounts; your default account when left out. */
  payment_account_id?: string;
};

/** The response to a create. */
export type CreatedOrder = {
  order_id: string;
  /** The exact amount for the customer to pay, paise included. */
  payable_amount: number;
  status: OrderStatus;
  /** The end of the link's time: five minutes from creation. */
  expires_at: string;
  /** The hosted payment page. Send the customer there. */
  payment_url: string;
  /** A upi://pay link for your own button or QR code. */
  upi_uri: string;
  /** The same link as an SVG QR code in a data: URI; null when it could not be drawn. */
  qr_base64: string | null;
  payment_account_id: string;
  /** True if this merchant_order_id was used before: this is that order, and the body was ignored. */
  idempotent_replay?: true;
};

/** An order in the answers of get and list, and in a webhook. */
export type Order = {
  order_id: string;
  merchant_order_id: string;
  amount: number;
  payable_amount: number;
  status: OrderStatus;
  created_at: string;
  expires_at: string;
  paid_at: string | null;
  payment_url: string;
  upi_uri: string;
  payment_account_id: string;
  success_url: string;
  failure_url: string;
  customer: Customer | null;
  /** The bank's RRN or UTR, if its alert prints one. */
  bank_reference: string | null;
  /**
   * Received rupees, usually `payable_amount`. It differs if a person of your business must decide (`manual_review`) or
   * has decided about another amount. Null until money came.
   */
  received_amount: number | null;
};

export type OrderFilter = {
  status?: OrderStatus;
  merchant_order_id?: string;
  /** Orders per page, 1 to 100; 20 when left out. */
  limit?: number;
};

export type OrderPage = {
  data: Order[];
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last one. */
  next_cursor: string | null;
};
