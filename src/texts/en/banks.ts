/** Which banks can be read, and what an owner does whose bank cannot. */
export const banks = {
  groups: {
    confirmed: 'Confirmed',
    unconfirmed: 'Not confirmed yet: try one rupee',
    unknown: 'Not known yet',
    cannot: 'Cannot be read',
    closed: 'Closed',
  },
  unconfirmed:
    'Not confirmed yet: no mail of {bank} about a UPI payment was checked by the makers of Milaan. Try one rupee: the proof below shows whether it is read. Until then the first three payments wait for you: one tap says that the money is in your account. The rupee of the proof counts for all three.',
  noConfirming: 'Payments to an account at {bank} cannot be confirmed.',
  cannot: {
    no_upi_mail:
      'No alert mail for UPI payments is known: its mails tell of interest and of money that left, and its help pages speak of SMS.',
    sms_only: 'As far as its own pages tell, it offers SMS for money received, and no mail.',
    no_sender: 'The address that its alerts come from is not known, so no mail can be taken for its own.',
    card: 'It is a credit card, not an account that customers pay to.',
    wallet: 'It is a prepaid wallet, not a bank account.',
  },
  closed: 'It no longer exists as a bank: no money arrives there. Let it arrive at another one.',
  unknown: 'Nobody has shown us a mail of it about a UPI payment, so none can be read yet.',
  whenCannot: [
    'Let the shop’s money arrive at a bank of the group “Confirmed”. A second account there is enough.',
    'Or ask your bank for an e-mail, not an SMS, for every credit.',
    'If a mail does come when another person pays you one rupee, try it below: then we are wrong, and the operator of this service can add it.',
  ],
  whenUnknown: [
    'Switch credit alerts by e-mail on, and let another person pay one rupee to your UPI ID.',
    'If a mail comes, try it below. The operator of this service can then add your bank within minutes, without a new version.',
    'If none comes, let the shop’s money arrive at a bank of the group “Confirmed”.',
  ],
  allBanks: 'Which banks are supported',
  howAdded: 'How your bank is added',
} as const;
