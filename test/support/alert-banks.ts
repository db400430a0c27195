import type { Bank } from '../../src/alerts/bank.ts';
import { addEntry } from '../../src/alerts/load-banks.ts';
import { parseBanks } from '../../src/alerts/parse-bank.ts';

const file = {
  id: 'test',
  name: 'Test Bank',
  part: 'text',
  senders: ['alerts@test.bank.in'],
  signing_domains: ['test.bank.in'],
  templates: [
    {
      id: 'upi-credit',
      channel: 'upi',
      subject: 'Account update',
      body: 'Rs.{amount} is credited to your account {account} by {payer_vpa}. UPI reference {reference}.',
    },
  ],
  negatives: [{ body: 'is debited from', reason: 'This is a debit alert.' }],
};

/** A bank as small as a test needs it, read as the real ones are. */
export function testBank(changes: Partial<Bank> = {}): Bank {
  const banks = new Map<string, Bank>();
  for (const entry of parseBanks(JSON.stringify(file))) addEntry(banks, entry);
  return { ...banks.get('test')!, ...changes };
}

/** The genuine alert that the attacks start from. */
export const sentence =
  'Dear Customer, Rs.500.37 is credited to your account XX4321 by ravi@okbank. UPI reference 612345678901. Thank you.';
