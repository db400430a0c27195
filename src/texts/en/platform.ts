/** What owners read about the platform's operator: limits, support, terms. */
export const platform = {
  awaitsWord:
    'The operator has not agreed to this business yet: until then it takes a small sum a month. You need not do anything.',
  looking: 'You look at the screens of {business}. Nothing can be changed.',
  lookEndsAt: 'It ends at',
  endLook: 'End the look',
  letLook: 'Let the operator look',
  letLookText:
    'The operator of this service can see your screens for one hour, to help you: orders, money and settings, but no secrets. They can change nothing. It is in your audit log, and you can end it at any time.',
  letLookUntil: 'The operator may look at your screens until',
  takeLook: 'End it now',
  lookGiven: 'The operator may look for one hour.',
  lookTaken: 'The operator may not look any more.',
  noNewOrdersNote: 'The operator of this service lets this business take no new orders. All else goes on.',
  reason: 'Reason:',
  runBy: 'Run by',
  termsLink: 'Terms',
  privacyLink: 'Privacy',
  agree: 'I agree to the terms',
  mustAgree:
    'A business is opened by those who agree to the terms. They may have changed meanwhile: read them.',
} as const;
