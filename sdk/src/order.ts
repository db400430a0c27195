/** The shapes that travel over the wire, named as they are there. Amounts are rupees, times are ISO 8601 in UTC. */

/** Only `paid` is paid. `manual_review`: money came that a person of your business has to look at; not paid yet. */
export type OrderStatus = 'pending' | 'paid' | 'expired' | 'failed' | 'manual_review';

export type Customer = { email?: string; name?: string };

/** What you send to create an order. */
export type NewOrder = {
  /** Rupees: more than 0, at most 1,000,000. */
  amount: number;
  /** Your own order id, 1 to 120 characters. The same id again gives the same order, never a second one. */
  merchant_order_id: string;
  /** Where the customer returns after payment. */
  success_url: string;
  /** Where the customer returns after an expired or failed payment. */
  failure_url: string;
  /** A public address of yours that receives the signed `payment.paid` webhook. */
  webhook_url: string;
  customer?: Customer;
  /** One of your UPI accounts; your default account when left out. */
  payment_account_id?: string;
};

/** The answer to a create. */
export type CreatedOrder = {
  order_id: string;
  /** What the customer must pay exactly, paise included. */
  payable_amount: number;
  status: OrderStatus;
  /** The link is payable until then: five minutes from creation. */
  expires_at: string;
  /** The hosted payment page. Send the customer there. */
  payment_url: string;
  /** A upi://pay link for a button or a QR code of your own. */
  upi_uri: string;
  /** The same link as an SVG QR code in a data: URI; null when it could not be drawn. */
  qr_base64: string | null;
  payment_account_id: string;
  /** True when this merchant_order_id was used before: this is that order, and nothing of the body counted. */
  idempotent_replay?: true;
};

/** An order as get and list return it, and as a webhook carries it. */
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
  /** The bank's RRN or UTR, where its alert prints one. */
  bank_reference: string | null;
  /**
   * Rupees that came in: `payable_amount` in the ordinary case, another sum where somebody of your business decides
   * (`manual_review`) or has decided about it. Null until something came.
   */
  received_amount: number | null;
};

export type OrderFilter = {
  status?: OrderStatus;
  merchant_order_id?: string;
  /** Orders a page, 1 to 100; 20 when left out. */
  limit?: number;
};

export type OrderPage = {
  data: Order[];
  has_more: boolean;
  /** Pass as `cursor` to get the next page; null on the last one. */
  next_cursor: string | null;
};
