import { join } from 'node:path';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';

let loaded: Bank | undefined;

/** A bank as small as a test needs it, read from a file of the operator's kind. */
export function testBank(changes: Partial<Bank> = {}): Bank {
  loaded ??= loadBanks(join(import.meta.dirname, 'test-bank.json')).find(bank => bank.id === 'test');
  if (loaded === undefined) throw new Error('test-bank.json has no bank "test"');
  return { ...loaded, ...changes };
}

/** The genuine alert that the attacks start from. */
export const sentence =
  'Dear Customer, Rs.500.37 is credited to your account XX4321 by ravi@okbank. UPI reference 612345678901. Thank you.';
