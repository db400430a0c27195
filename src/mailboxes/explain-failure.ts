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
export function explainFailure(
  error: unknown,
  provider: Provider,
  secrets: readonly string[] = [],
): MailFailure {
  if (error instanceof MailFailure) return error;
  const { kind, words } = explain(error as RawError, provider, secrets);
  return new MailFailure(kind, words, error);
}

type Explained = { kind: FailureKind; words: string };

function explain(error: RawError, provider: Provider, secrets: readonly string[]): Explained {
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? { kind: 'host_not_found', words: 'The mail server was not found: check its name.' }
      : { kind: 'unreachable', words: 'The name of the mail server could not be looked up for now.' };
  }
  if (error instanceof RefusedAddress) {
    return { kind: 'refused_address', words: 'The mail server must have a public address.' };
  }
  if (error instanceof NoConnection) return unreachable;
  const said = serverWords(error, secrets);
  if (error.authenticationFailed) return explainLogin(error, provider, said);
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
  if (isThrottle(said)) return { kind: 'busy', words: `The mail server asks for patience: ${said}` };
  return { kind: 'protocol', words: said ? `The mail server said: ${said}` : 'The mail server broke off.' };
}

const unreachable = {
  kind: 'unreachable' as const,
  words: 'The mail server does not answer as an IMAP server with TLS: check its name and port.',
};

/** A refused login is the merchant's to mend, unless the server only asks for patience. */
function explainLogin(error: RawError, provider: Provider, said: string): Explained {
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
