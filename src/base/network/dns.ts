import { Resolver } from 'node:dns/promises';
import { second } from '../clock.ts';

/** Names to addresses and TXT records. An argument everywhere, so that tests and the sandbox own the answers. */
export type Dns = {
  lookupAddresses(name: string): Promise<string[]>;
  /** Every TXT record of a name, each with its strings joined. */
  lookupText(name: string): Promise<string[]>;
};

/** `not_found` is an answer; `temporary` is the lack of one and never means no. */
export class DnsError extends Error {
  readonly kind: 'not_found' | 'temporary';

  constructor(kind: 'not_found' | 'temporary', message: string) {
    super(message);
    this.kind = kind;
  }
}

const queryTimeout = 3 * second;
const queryTries = 2;

/** Asks the servers the operator named (`address` or `address:port`), or the machine's own. */
export function openDns(servers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: queryTimeout, tries: queryTries });
  if (servers.length > 0) resolver.setServers(servers);
  async function ask(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    // One family may truly be missing; one that could not be asked might hide a private address.
    for (const answer of answers) {
      if (answer.status === 'rejected' && !isMissing(answer.reason)) throw dnsError(answer.reason, name);
    }
    if (found.length === 0) throw new DnsError('not_found', `no address for ${name}`);
    return found;
  }

  /** Those under way: a thousand mailboxes that begin at once are at few providers. An answer is shared, never kept. */
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
