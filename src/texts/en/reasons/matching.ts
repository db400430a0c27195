/** What became of a genuine credit. */
export const matching = {
  paid: 'paid order {order}',
  accepted: 'paid order {order}: {by} took this money for it',
  paid_already: 'order {order} was paid already; this mail tells of the same amount once more',
  declined: 'It is exactly what order {order} asked for, which was declined.',
  too_late: 'the money came more than ten minutes after order {order} expired',
  other_account: 'the alert is about an account that is not the one recorded for this UPI ID',
  counted_before: 'this payment was counted already from an earlier mail',
  counted_elsewhere:
    'this payment was counted already for another business here, which has the same account or got the same mail',
  near_amounts: 'no order has exactly this amount; some come close',
  no_such_amount: 'no order has this amount at that time',
  other_bank: 'the alert is of {alert}, but your UPI account is at {account}',
  no_bank:
    'your UPI account does not name its bank yet; name it under UPI accounts, so that alerts can count',
  no_digits: 'the alert is about account …{digits}, and no digits are recorded for your UPI account',
  unknown_payer: 'somebody whom the bank does not name',
} as const;
