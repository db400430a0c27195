import type { Verdict } from '../verdicts.ts';

/** A verdict in a few words, and what it means for the merchant in a sentence. */
export const verdicts = {
  paid: ['Paid an order', 'The alert confirmed an order.'],
  no_order: [
    'No order for it',
    'Real money arrived, but no open order asked for exactly this amount. Often the customer left the paise out.',
  ],
  extra_payment: [
    'Paid twice',
    'The order was paid already; this is a second payment of the same amount. You may want to give it back.',
  ],
  too_late: [
    'Too late',
    'The money came more than ten minutes after its order expired. Deliver or give it back, as you agree with the customer.',
  ],
  wrong_account: [
    'Other bank account',
    'The alert names another bank account or UPI ID than the one you recorded, so it confirms nothing.',
  ],
  wrong_recipient: [
    'Sent to somebody else',
    'The bank addressed this mail to an address that is not one of yours. It may be a stranger’s alert that was forwarded.',
  ],
  unreadable: [
    'Not understood',
    'The mail could not be read with certainty. Compare it with your bank statement; the operator can add the wording.',
  ],
  retrying: [
    'Being retried',
    'The bank’s key could not be fetched, or does not fit the mail. It confirms no payment; we keep looking by ourselves, for a day at most.',
  ],
  duplicate: ['Seen before', 'A copy of a mail, or of a payment, that was counted already. Nothing to do.'],
  not_a_credit: [
    'No incoming money',
    'A debit, reversal, request, statement or the like. It never pays an order.',
  ],
  forged: [
    'Not from the bank',
    'The mail claims to be from a bank, but its signature does not prove it. Do not deliver anything because of it.',
  ],
  unjudged: ['Being judged', 'It has just arrived.'],
} as const satisfies Record<Verdict, readonly [name: string, meaning: string]>;
