import { RefusedAddress } from '../network/checked-addresses.ts';
import { DnsError } from '../network/dns.ts';
import { NoConnection } from '../network/guarded-connect.ts';
import { because, type Reason } from '../verdicts.ts';
import { type FailureKind, MailFailure } from './mail-failure.ts';
import type { Provider } from './providers.ts';

type RawError = Error & {
  code?: string;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  response?: unknown;
  responseText?: string;
  reason?: Reason;
};

const mostServerWords = 200;

/**
 * Any error of a session with a mail server, as a reason for the merchant. Refused, silent and TLS-less ports share one reason: a
 * stranger must not learn which ports of which hosts are open.
 */
export function explainFailure(
  error: unknown,
  provider: Provider,
  secrets: readonly string[] = [],
): MailFailure {
  if (error instanceof MailFailure) return error;
  const { kind, reason } = explain(error as RawError, provider, secrets);
  return new MailFailure(kind, reason, error);
}

type Explained = { kind: FailureKind; reason: Reason };

function explain(error: RawError, provider: Provider, secrets: readonly string[]): Explained {
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? { kind: 'host_not_found', reason: because('server_not_found') }
      : { kind: 'unreachable', reason: because('server_not_resolved') };
  }
  if (error instanceof RefusedAddress) {
    return { kind: 'refused_address', reason: because('server_not_public') };
  }
  if (error instanceof NoConnection) return unreachable;
  const said = serverWords(error, secrets);
  if (error.authenticationFailed) return explainLogin(error, provider, said);
  const code = error.code ?? '';
  if (certificateCodes.test(code)) {
    return {
      kind: 'certificate',
      reason: because('certificate_untrusted', { code }),
    };
  }
  if (code.startsWith('ERR_SSL') || unreachableCodes.has(code)) return unreachable;
  if (tooLargeCodes.has(code)) {
    return { kind: 'protocol', reason: because('server_sent_too_much') };
  }
  if (isThrottle(said)) return { kind: 'busy', reason: because('server_busy', { words: said }) };
  return {
    kind: 'protocol',
    reason: said ? because('server_said', { words: said }) : because('server_broke_off'),
  };
}

const unreachable = {
  kind: 'unreachable' as const,
  reason: because('not_imap'),
};

/** A refused login is the merchant's to mend, unless the server only asks for patience. */
function explainLogin(error: RawError, provider: Provider, said: string): Explained {
  const code = (error.serverResponseCode ?? '').toUpperCase();
  if (/imap/i.test(said) && /not enabled|disabled|yet to enable|enable imap|switched off/i.test(said)) {
    return { kind: 'imap_off', reason: because('imap_off', { words: said }) };
  }
  if (['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'OVERQUOTA'].includes(code) || isThrottle(said)) {
    return { kind: 'busy', reason: because('logins_closed', { words: said || code }) };
  }
  const hint = provider.loginHint;
  return {
    kind: 'login',
    reason: said
      ? because('login_refused_saying', { hint, words: said })
      : because('login_refused', { hint }),
  };
}

function isThrottle(said: string): boolean {
  return /too many|simultaneous|try again|temporar|throttl|rate limit/i.test(said);
}

const certificateCodes =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)/;

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ETIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
]);

const tooLargeCodes = new Set(['LiteralTooLarge', 'LineTooLarge', 'ResponseTooLarge', 'AnswerTooLarge']);

/**
 * What the server said, bounded and printable: it is stored and shown to the merchant. Secrets leave before it is cut,
 * for a part of one is a secret too; they are looked for as they appear once unprintable letters are gone.
 */
function serverWords(error: RawError, secrets: readonly string[]): string {
  const said = [error.responseText, error.response, error.reason].find(
    text => typeof text === 'string' && text,
  );
  const hidden = secrets
    .map(printable)
    .filter(secret => secret.trim() !== '')
    .sort((a, b) => b.length - a.length);
  const words = hidden.reduce(
    (text, secret) => text.replaceAll(secret, '…'),
    printable((said as string | undefined) ?? ''),
  );
  return words.trim().slice(0, mostServerWords);
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ');
}
