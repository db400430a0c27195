export type Customer = { email?: string; name?: string };

export type ModelOrder = {
  merchant: number;
  orderId: string;
  merchantOrderId: string;
  amount: number;
  payable: number;
  account: number;
  customer: Customer | null;
  createdAt: number;
  /** R14: orders and mails in one line, as they came. */
  place: number;
  paidAt: number | null;
  reference: string | null;
  /** The received amount, and the credit that waits for a decision. */
  received: number | null;
  beside: ModelMail | null;
  failed: boolean;
  /** Whether the credit that paid it was counted before as a payment without an order. */
  byOrderless: boolean;
  /** The references that its customer typed. */
  claims: string[];
  /** Whether its customer showed that they mean to pay. */
  intent: boolean;
  /** Only the service can choose this; once given, it must stay. */
  paymentUrl: string;
  upiUri: string;
};

export type Verdict =
  | 'paid'
  | 'extra_payment'
  | 'too_late'
  | 'duplicate'
  | 'wrong_account'
  | 'no_order'
  | 'forged'
  | 'retrying'
  | 'wrong_recipient'
  | 'unjudged';

/** A mail in one mailbox. Copies of it have the same signature. */
export type ModelMail = {
  alertId: string;
  merchant: number;
  signature: string;
  amount: number;
  alertTime: number;
  arrivedAt: number;
  place: number;
  reference: string | null;
  /** The day since 1970 that its reference names, if it names one. */
  statedDay?: number | undefined;
  digits: string;
  /** Whether nobody has confirmed yet how the bank writes it. */
  onTrial: boolean;
  /** Whether the bank that signed it is the businesses' own. */
  ownBank: boolean;
  verdict: Verdict;
  orderId: string | null;
  /** Whether matching has looked at it. */
  met: boolean;
  /** Its outcome, once somebody or a near miss gave it to an order or ended it. */
  handled: Handled | null;
  /** The order that it was last attached to. */
  givenTo: ModelOrder | null;
  /** The actor that gave it to that order: a person, whose choice settles it, or the service, whose choice does not. */
  foundBy: FoundBy | null;
  /** Somebody looked for it in the account and did not find it. */
  notArrived: boolean;
  /** A second payment of an order in its time, which no claim moves. */
  isSecond: boolean;
  /** When it was counted as a payment without an order. */
  takenAt: number | null;
};

/** The exact amount, a customer's reference, a near miss, or a person of the business. */
export type FoundBy = 'exact' | 'reference' | 'slip' | 'person';
type Handled = 'open' | 'attached' | 'accepted' | 'to_give_back' | 'given_back' | 'kept';
