import type { Bank } from './bank.ts';

/** The bank whose listed sender this is, exactly but for letter case; there is at most one. */
export function findBank(banks: readonly Bank[], fromAddress: string): Bank | null {
  const address = fromAddress.toLowerCase();
  return banks.find(bank => bank.senders.includes(address)) ?? null;
}
