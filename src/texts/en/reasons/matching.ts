/** What became of a genuine credit. */
export const matching = {
  paid: 'paid order {order}',
  accepted: 'paid order {order}: {by} took this money for it',
  paid_already: 'order {order} was paid already; this mail tells of the same amount once more',
  paid_before: 'order {order} had this amount and was paid; its time was over when this money came',
  contested:
    'It is exactly what order {order} asks for, but the customer of another order gave this reference: a person decides.',
  maybe_counted:
    'It is exactly what order {order} asks for, but another mail that somebody took for an order may tell of the same payment: a person decides.',
  claimed: 'The customer of order {order} gave this reference.',
  claimed_by_several: 'The customers of several orders gave this reference: a person decides.',
  earlier_day:
    'It is exactly what order {order} asks for, but its reference tells of a day before that order: a person decides.',
  not_fresh:
    'It is exactly what order {order} asks for, but an earlier customer may still pay this amount, and nothing showed that this one just did: a person decides.',
  declined: 'It is exactly what order {order} asked for, which was declined.',
  too_late: 'the money came more than ten minutes after order {order} expired',
  waits_trial:
    'It is exactly what order {order} asked for. Your bank’s mail is of a kind that is new here, so the first three payments by it wait until you have found them in your account.',
  waits_review_only:
    'It is exactly what order {order} asked for. Mails of this bank are reported to tell of money that never came, so each payment waits until you have found it in your account.',
  waits_ceiling:
    'It is exactly what order {order} asked for, and more than the sum up to which this UPI account is confirmed without you.',
  not_arrived: 'exactly what order {order} asked for, but {by} did not find it in the account',
  other_account: 'the alert is about an account that is not the one recorded for this UPI ID',
  counted_before: 'this payment was counted already from an earlier mail',
  counted_elsewhere:
    'this payment was counted already for another business here, which has the same account or got the same mail',
  taking: 'came without an order, and is counted so',
  near_amounts: 'no order has exactly this amount; some come close',
  no_such_amount: 'no order has this amount at that time',
  other_bank: 'the alert is of {alert}, but your UPI account is at {account}',
  no_bank:
    'your UPI account does not name its bank yet; name it under UPI accounts, so that alerts can count',
  no_digits: 'the alert is about account …{digits}, and no digits are recorded for your UPI account',
  unknown_payer: 'somebody whom the bank does not name',
} as const;
