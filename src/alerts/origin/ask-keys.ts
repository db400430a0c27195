import { type Dns, DnsError } from '../../base/network/dns.ts';
import type { KeySource } from './key-source.ts';
import { chooseRecord } from './read-zone.ts';

/** Keys straight from DNS, nothing remembered. */
export function askKeys(dns: Pick<Dns, 'lookupText'>): KeySource {
  return async name => {
    try {
      return chooseRecord(await dns.lookupText(name));
    } catch (error) {
      if (error instanceof DnsError) return { kind: error.kind };
      throw error;
    }
  };
}
