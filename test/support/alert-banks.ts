import type { Bank } from '../../src/alerts/bank.ts';

/** Banks as small as a test needs them. The real ones are data under src/alerts/banks. */
export function testBank(changes: Partial<Bank> = {}): Bank {
  return {
    id: 'test',
    name: 'Test Bank',
    senders: ['alerts@test.bank.in'],
    signingDomains: ['test.bank.in'],
    unsignedMime: null,
    dateMayBeUnsigned: false,
    part: 'text',
    templates: [
      {
        id: 'upi-credit',
        unconfirmed: false,
        channel: 'upi',
        subject: /^Account update$/,
        body: /Rs\.(?<amount>[0-9,]+\.[0-9]{2}) is credited to your account XX(?<account>[0-9]{4}) by (?<payer_vpa>[A-Za-z0-9@.]{1,60})\. UPI reference (?<reference>[0-9]{12})\./dgu,
      },
    ],
    negatives: [{ subject: null, body: /is debited from/, reason: 'This is a debit alert.' }],
    ...changes,
  };
}

/** The genuine alert that the attacks start from. */
export const sentence =
  'Dear Customer, Rs.500.37 is credited to your account XX4321 by ravi@okbank. UPI reference 612345678901. Thank you.';
