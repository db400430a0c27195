import { errors } from 'undici';
import { DnsError } from '../../base/network/dns.ts';
import { NoConnection, RefusedAddress, TlsFailed } from '../../base/network/guarded-connect.ts';
import { because, type Reason } from '../../texts/verdicts.ts';

/** The outcomes that metrics count. */
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

export type Failure = { outcome: Exclude<Outcome, 'delivered'>; reason: Reason };

export class TimedOut extends Error {}
export class Stopping extends Error {}

export const interrupted = because('sender_stopped');

/** Returns null for 2xx. */
export function failedStatus(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return { outcome: 'gone', reason: because('gone') };
  if (status >= 300 && status < 400) {
    return { outcome: 'redirected', reason: because('redirected', { status }) };
  }
  return { outcome: 'answered', reason: because('answered', { status }) };
}

/** The reason helps the merchant without revealing anything about our internal network (R11). */
export function reasonOfFailure(error: unknown): Failure {
  if (error instanceof Stopping) return { outcome: 'interrupted', reason: interrupted };
  if (error instanceof TimedOut) return { outcome: 'timed_out', reason: because('timed_out') };
  if (error instanceof RefusedAddress)
    return { outcome: 'refused_address', reason: because('address_not_public') };
  if (error instanceof NoConnection) return { outcome: 'no_connection', reason: because('no_connection') };
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? { outcome: 'name_not_found', reason: because('host_not_found') }
      : { outcome: 'dns_failed', reason: because('dns_silent') };
  }
  if (error instanceof TlsFailed) {
    return { outcome: 'tls_failed', reason: because('tls_failed', { code: error.message.slice(0, 80) }) };
  }
  if (error instanceof errors.HeadersOverflowError) {
    return { outcome: 'broken_answer', reason: because('answer_headers_too_large') };
  }
  return { outcome: 'broken_answer', reason: because('broken_answer') };
}
