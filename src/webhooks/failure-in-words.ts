import { errors } from 'undici';
import { RefusedAddress } from '../network/checked-addresses.ts';
import { DnsError } from '../network/dns.ts';
import { NoConnection, TlsFailed } from '../network/guarded-connect.ts';

/** What became of an attempt: a word for the metrics. */
export type Outcome =
  | 'delivered'
  | 'answered'
  | 'redirected'
  | 'gone'
  | 'name_not_found'
  | 'dns_failed'
  | 'refused_address'
  | 'no_connection'
  | 'tls_failed'
  | 'timed_out'
  | 'broken_answer'
  | 'not_signed'
  | 'interrupted';

export type Failure = { outcome: Exclude<Outcome, 'delivered'>; words: string };

/** The reasons with which an attempt is ended from our side. */
export class TimedOut extends Error {}
export class Stopping extends Error {}

export const interruptedWords = 'our sender stopped during the attempt, so it is repeated';

/** An answer that is not a success, in words. Null for 2xx. */
export function failedStatus(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return { outcome: 'gone', words: 'answered 410, which asks for no further attempts' };
  if (status >= 300 && status < 400) {
    return { outcome: 'redirected', words: `redirected with ${status}; redirects are not followed` };
  }
  return { outcome: 'answered', words: `answered ${status}` };
}

/** No answer, in words that tell the merchant what to mend and nobody what lies inside our network. */
export function failureInWords(error: unknown): Failure {
  if (error instanceof Stopping) return { outcome: 'interrupted', words: interruptedWords };
  if (error instanceof TimedOut) return { outcome: 'timed_out', words: 'timed out after 15 seconds' };
  if (error instanceof RefusedAddress) return { outcome: 'refused_address', words: error.message };
  if (error instanceof NoConnection) return { outcome: 'no_connection', words: error.message };
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? { outcome: 'name_not_found', words: 'the host name was not found' }
      : { outcome: 'dns_failed', words: 'the name servers of the host did not answer' };
  }
  if (error instanceof TlsFailed) {
    return { outcome: 'tls_failed', words: `the TLS handshake failed (${error.message.slice(0, 80)})` };
  }
  if (error instanceof errors.HeadersOverflowError) {
    return { outcome: 'broken_answer', words: 'the headers of the answer were too large' };
  }
  return { outcome: 'broken_answer', words: 'the connection ended without a valid HTTP answer' };
}
