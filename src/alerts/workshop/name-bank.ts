import type { Bank } from '../banks/bank.ts';

const longestId = 40;

/** A short key for a new bank: from its name or, where that has no Latin letters, from the domain it writes from. */
export function nameBank(banks: readonly Pick<Bank, 'id'>[], name: string, sender: string): string {
  const [host = ''] = sender.split('@').slice(1);
  const id = idOf(name) || idOf(host.split('.').at(-3) ?? host.split('.')[0] ?? '') || 'bank';
  const isTaken = (one: string) => banks.some(bank => bank.id === one);
  for (let at = 1; ; at++) {
    const one = at === 1 ? id : `${id.slice(0, longestId - 4)}-${at}`;
    if (!isTaken(one)) return one;
  }
}

function idOf(words: string): string {
  const id = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '')
    .slice(0, longestId)
    .replace(/-$/, '');
  return id.length < 2 ? '' : id;
}
