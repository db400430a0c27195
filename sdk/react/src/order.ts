/** Only `paid` is paid. `manual_review`: money came that a person of the shop must check. */
export type OrderStatus = 'pending' | 'paid' | 'expired' | 'failed' | 'manual_review';

/** The order in the last answer. More fields may be present. Amounts are rupees. */
export interface MilaanOrder {
  order_id: string;
  /** The exact amount for the customer to pay, paise included. */
  payable_amount: number;
  status: OrderStatus;
  expires_at: string;
  /** The hosted payment page. */
  payment_url?: string;
  /** A upi://pay link for your own button or QR code. */
  upi_uri?: string;
  /** The same link as an SVG QR code in a data: URI; null when it could not be drawn. */
  qr_base64?: string | null;
  [field: string]: unknown;
}

/** A call without an order in its answer. */
export type OrderProblem = {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** Such as `plan_limit_reached`, if the server sends it. */
  code: string | null;
  message: string;
};
