import { startDnsServer } from '../../test/support/dns-server.ts';
import { mailKey } from '../../test/support/signed-mail.ts';

type NamesState = 'up' | 'mute' | 'servfail';
export type Names = {
  address: string;
  /** Questions that were not answered, or with a failure. */
  struck: number;
  set(state: NamesState): void;
  stop(): Promise<void>;
};

export const imapHost = 'imap.test.example';
export const shopHost = 'shop.test.example';
export const bankDomain = 'test.bank.in';
/** A real bank's, whose file comes with the service. */
export const otherBankDomain = 'equitas.bank.in';

/** The name server of the drill: its hosts are on loopback, and every selector of the bank publishes its key. */
export async function startNames(): Promise<Names> {
  let state: NamesState = 'up';
  const { address, stop } = await startDnsServer(({ name, type }) => {
    if (state !== 'up') {
      names.struck++;
      return state === 'mute' ? 'silence' : 'servfail';
    }
    if (name === imapHost || name === shopHost)
      return type === 'A' ? [{ name, type: 'A', ttl: 0, data: '127.0.0.1' }] : [];
    const isKey = [bankDomain, otherBankDomain].some(domain => name.endsWith(`._domainkey.${domain}`));
    if (isKey && type === 'TXT') return [{ name, type: 'TXT', ttl: 0, data: [...halves(mailKey().record)] }];
    return 'nxdomain';
  });
  const names: Names = {
    address,
    struck: 0,
    stop,
    set(next) {
      state = next;
    },
  };
  return names;
}

/** A string of a TXT record holds 255 bytes; a key of 2048 bits needs two. */
function halves(text: string): string[] {
  return [text.slice(0, 200), text.slice(200)];
}
