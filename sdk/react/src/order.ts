/** Only `paid` is paid. `manual_review`: money came that a person of the shop has to look at. */
export type OrderStatus = 'pending' | 'paid' | 'expired' | 'failed' | 'manual_review';

/** The order as the server that was asked last told it. Fields beyond these may be there. Amounts are rupees. */
export interface MilaanOrder {
  order_id: string;
  /** What the customer must pay exactly, paise included. */
  payable_amount: number;
  status: OrderStatus;
  expires_at: string;
  /** The hosted payment page. */
  payment_url?: string;
  /** A upi://pay link, for a button or a QR code of your own. */
  upi_uri?: string;
  /** The same link as an SVG QR code in a data: URI; null when it could not be drawn. */
  qr_base64?: string | null;
  [field: string]: unknown;
}

/** A call that brought no order. */
export type OrderProblem = {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** Such as `plan_limit_reached`, where the server that was asked says it. */
  code: string | null;
  message: string;
};
