import { Resolver } from 'node:dns/promises';
import { second } from '../clock.ts';

/** DNS is an argument everywhere, so that tests and the sandbox can choose the answers. */
export type Dns = {
  lookupAddresses(name: string): Promise<string[]>;
  /** All TXT records of a name, each with its strings joined. */
  lookupText(name: string): Promise<string[]>;
};

/** `not_found` is an answer. `temporary` is a missing answer and never means no. */
export class DnsError extends Error {
  readonly kind: 'not_found' | 'temporary';

  constructor(kind: 'not_found' | 'temporary', message: string) {
    super(message);
    this.kind = kind;
  }
}

const queryTimeout = 3 * second;
const queryTries = 2;

/** Uses the operator's servers (`address` or `address:port`), or else the machine's. */
export function openDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: queryTimeout, tries: queryTries });
  if (servers.length > 0) resolver.setServers(servers);
  async function ask(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    // One address family may be missing. If it could not be queried, it might hide a private address.
    for (const answer of answers) {
      if (answer.status === 'rejected' && !isMissing(answer.reason)) throw dnsError(answer.reason, name);
    }
    if (found.length === 0) throw new DnsError('not_found', `no address for ${name}`);
    return found;
  }

  /** Running queries, shared but never cached: a thousand mailboxes that start at once use few providers. */
  const asking = new Map<string, Promise<string[]>>();
  return {
    lookupAddresses(name) {
      const answer = asking.get(name) ?? ask(name).finally(() => asking.delete(name));
      asking.set(name, answer);
      return answer;
    },
    async lookupText(name) {
      try {
        return (await resolver.resolveTxt(name)).map(strings => strings.join(''));
      } catch (error) {
        throw dnsError(error, name);
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

function dnsError(error: unknown, name: string): DnsError {
  if (isMissing(error)) return new DnsError('not_found', `no answer for ${name}`);
  return new DnsError(
    'temporary',
    `DNS failed for ${name}: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
  );
}
