/**
 * Types of the widget at /embed/milaan.js. Copy this file into your project, or fetch it from /embed/milaan.d.ts,
 * and `Milaan.mount` is known to TypeScript.
 */

/** The order as the last server's answer had it. It may have further fields. */
export interface MilaanOrder {
  order_id: string;
  payable_amount: number;
  status: 'pending' | 'paid' | 'expired' | 'failed' | 'manual_review';
  expires_at: string;
  [field: string]: unknown;
}

export interface MilaanOptions {
  /** Recommended. Your own server: takes POST { amount }, creates the order, and returns the create response. */
  createOrderUrl?: string;
  /** Your own server: GET statusUrl + order_id returns the order. */
  statusUrl?: string;
  /** For testing only: a key in a page is a key in everybody's hands. */
  apiKey?: string;
  /** The service's address, when the script was not loaded from it. */
  origin?: string;
  /** Older name of `origin`. */
  gateway?: string;
  /** Heading above the amount field. Default: "Pay with UPI". */
  title?: string;
  /** Rupees of a cart that is known already: a button "Pay ₹998 by UPI" instead of the field. Your server decides. */
  amount?: number;
  /** With `amount`: the order is created as soon as the widget shows, without the button. Default: false. */
  autoStart?: boolean;
  /** A language's tag such as 'ta', for everybody. Default: the browser's, if it is 'en', 'hi' or of `languages`. */
  language?: string;
  /** Languages that a browser may choose in addition to English and Hindi, such as ['ta', 'te']. */
  languages?: readonly string[];
  /** Your colour on the buttons, #rrggbb. */
  accent?: string;
  /** The following are used only with apiKey and without createOrderUrl. Default: order_<timestamp>. */
  merchantOrderId?: string;
  /** Default: the current page. */
  successUrl?: string;
  /** Default: the current page. */
  failureUrl?: string;
  /** Default: the page's origin + /webhooks/upi; set your own. */
  webhookUrl?: string;
  customer?: { email?: string; name?: string };
  /** Default: the business's default account. */
  paymentAccountId?: string;
  /** Called once, when the order is paid. For screen updates only: mark an order paid by the webhook. */
  onSuccess?: (order: MilaanOrder) => void;
}

export interface MilaanWidget {
  mount(selector: string, options: MilaanOptions): void;
}

declare global {
  interface Window {
    Milaan: MilaanWidget;
    /** Older name of the same object. */
    UpiWidget: MilaanWidget;
  }
  var Milaan: MilaanWidget;
  var UpiWidget: MilaanWidget;
}
