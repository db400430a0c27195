import { RefusedAddress } from '../network/checked-addresses.ts';
import { DnsError } from '../network/dns.ts';
import { NoConnection } from '../network/guarded-connect.ts';
import { type FailureKind, MailFailure } from './mail-failure.ts';
import type { Provider } from './providers.ts';

type RawError = Error & {
  code?: string;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  response?: unknown;
  responseText?: string;
  reason?: string;
};

const mostServerWords = 200;

/**
 * Any error of a session with a mail server, in words for the merchant. Refused, silent and TLS-less ports share one sentence: a
 * stranger must not learn which ports of which hosts are open.
 */
export function explainFailure(error: unknown, provider: Provider): MailFailure {
  if (error instanceof MailFailure) return error;
  const { kind, words } = explain(error as RawError, provider);
  return new MailFailure(kind, words, error);
}

function explain(error: RawError, provider: Provider): { kind: FailureKind; words: string } {
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? { kind: 'host_not_found', words: 'The mail server was not found: check its name.' }
      : { kind: 'unreachable', words: 'The name of the mail server could not be looked up for now.' };
  }
  if (error instanceof RefusedAddress) {
    return { kind: 'refused_address', words: 'The mail server must have a public address.' };
  }
  if (error instanceof NoConnection) return unreachable;
  if (error.authenticationFailed) return explainLogin(error, provider);
  const code = error.code ?? '';
  if (isCertificateError(code)) {
    return {
      kind: 'certificate',
      words: `The mail server's certificate cannot be trusted (${code}): check the server's name.`,
    };
  }
  if (code.startsWith('ERR_SSL') || unreachableCodes.has(code)) return unreachable;
  if (tooLargeCodes.has(code)) {
    return { kind: 'protocol', words: 'The mail server sent more than it was asked for.' };
  }
  const said = serverWords(error);
  if (isThrottle(said)) return { kind: 'busy', words: `The mail server asks for patience: ${said}` };
  return { kind: 'protocol', words: said ? `The mail server said: ${said}` : 'The mail server broke off.' };
}

const unreachable = {
  kind: 'unreachable' as const,
  words: 'The mail server does not answer as an IMAP server with TLS: check its name and port.',
};

/** A refused login is the merchant's to mend, unless the server only asks for patience. */
function explainLogin(error: RawError, provider: Provider): { kind: FailureKind; words: string } {
  const said = serverWords(error);
  const code = (error.serverResponseCode ?? '').toUpperCase();
  if (/imap/i.test(said) && /not enabled|disabled|yet to enable|enable imap|switched off/i.test(said)) {
    return { kind: 'imap_off', words: `IMAP is switched off for this mailbox. The server said: ${said}` };
  }
  if (['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'OVERQUOTA'].includes(code) || isThrottle(said)) {
    return { kind: 'busy', words: `The mail server does not take logins for now: ${said || code}` };
  }
  const told = said ? ` The server said: ${said}` : '';
  return { kind: 'login', words: `The mail server refused the login. ${provider.loginHint}${told}` };
}

function isThrottle(said: string): boolean {
  return /too many|simultaneous|try again|temporar|throttl|rate limit/i.test(said);
}

function isCertificateError(code: string): boolean {
  return (
    /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)/.test(code) ||
    code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  );
}

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

/** What the server said, bounded and printable: it is shown to the merchant. */
function serverWords(error: RawError): string {
  const said = [error.responseText, error.response, error.reason].find(
    text => typeof text === 'string' && text,
  );
  return ((said as string | undefined) ?? '')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, mostServerWords);
}
