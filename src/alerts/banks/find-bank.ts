import type { Bank } from './bank.ts';

/** The bank whose listed sender this is, exactly but for letter case; there is at most one. */
export function findBank(banks: readonly Bank[], fromAddress: string): Bank | null {
  const address = fromAddress.toLowerCase();
  return banks.find(bank => bank.senders.includes(address)) ?? null;
}

/** Whether this sender is one of the bank's for other things than payments, whoever listed it besides. */
export function neverPays(bank: Pick<Bank, 'neverPays'>, sender: string): boolean {
  const address = sender.toLowerCase();
  return bank.neverPays.some(one => (one.startsWith('@') ? address.endsWith(one) : address === one));
}
