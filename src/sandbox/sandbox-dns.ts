import { type Dns, DnsError } from '../base/network/dns.ts';

/** A resolver whose TXT answers a test can set. It knows its own names first, and asks the real DNS for all others. */
export type SandboxDns = Dns & {
  /** False when it knows too many names already. */
  put(name: string, value: string): boolean;
  forgetAll(): void;
};

/** Values that stand for the lack of an answer. */
const failing = 'SERVFAIL';
const missing = 'NXDOMAIN';

export const mostNames = 1000;

type Options = {
  /** The simulated bank's own record: always there, unless a test puts another in its place. */
  always: Readonly<Record<string, string>>;
  dns: Readonly<Record<string, string>>;
  keep(dns: Record<string, string>): void;
};

export function sandboxDns(outside: Dns, { always, dns, keep }: Options): SandboxDns {
  const told = new Map(Object.entries(dns));
  return {
    lookupAddresses: name => outside.lookupAddresses(name),
    async lookupText(name) {
      const known = name.toLowerCase().replace(/\.$/, '');
      const value = told.get(known) ?? always[known];
      if (value === undefined) return await outside.lookupText(name);
      if (value === failing) throw new DnsError('temporary', `the sandbox lets ${known} fail`);
      if (value === missing) throw new DnsError('not_found', `the sandbox has no ${known}`);
      return [value];
    },
    put(name, value) {
      if (!told.has(name) && told.size >= mostNames) return false;
      told.set(name, value);
      keep(Object.fromEntries(told));
      return true;
    },
    forgetAll() {
      told.clear();
      keep({});
    },
  };
}
