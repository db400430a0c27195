import { type Dns, DnsError } from '../base/network/dns.ts';

/** A resolver whose TXT answers a test can set. It asks the real DNS for all names that it does not know. */
export type SandboxDns = Dns & {
  /** False if it already knows too many names. */
  put(name: string, value: string): boolean;
  forgetAll(): void;
};

/** Values that make a lookup fail. */
const failing = 'SERVFAIL';
const missing = 'NXDOMAIN';

export const mostNames = 1000;

type Options = {
  /** The simulated bank's own record. It is always there, unless a test replaces it. */
  always: Readonly<Record<string, string>>;
  dns: Readonly<Record<string, string>>;
  keep(dns: Record<string, string>): void;
};

export function sandboxDns(outside: Dns, { always, dns, keep }: Options): SandboxDns {
  const records = new Map(Object.entries(dns));
  return {
    lookupAddresses: name => outside.lookupAddresses(name),
    async lookupText(name) {
      const known = name.toLowerCase().replace(/\.$/, '');
      const value = records.get(known) ?? always[known];
      if (value === undefined) return await outside.lookupText(name);
      if (value === failing) throw new DnsError('temporary', `the sandbox lets ${known} fail`);
      if (value === missing) throw new DnsError('not_found', `the sandbox has no ${known}`);
      return [value];
    },
    put(name, value) {
      if (!records.has(name) && records.size >= mostNames) return false;
      records.set(name, value);
      keep(Object.fromEntries(records));
      return true;
    },
    forgetAll() {
      records.clear();
      keep({});
    },
  };
}
