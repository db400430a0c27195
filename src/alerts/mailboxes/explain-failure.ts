import { DnsError } from '../../base/network/dns.ts';
import { NoConnection, RefusedAddress } from '../../base/network/guarded-connect.ts';
import { sayReason } from '../../texts/say.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
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
 * Turns any error of a mail server session into a reason for the merchant. A refused, a silent and a TLS-less port
 * share one reason, so that a stranger cannot learn which ports of which hosts are open.
 */
export function explainFailure(
  error: unknown,
  provider: Provider,
  secrets: readonly string[] = [],
): MailFailure {
  if (error instanceof MailFailure) return error;
  const fail = (kind: FailureKind, reason: Reason) => new MailFailure(kind, reason, error);
  const unreachable = () => fail('unreachable', because('not_imap'));
  if (error instanceof DnsError) {
    return error.kind === 'not_found'
      ? fail('host_not_found', because('server_not_found'))
      : fail('unreachable', because('server_not_resolved'));
  }
  if (error instanceof RefusedAddress) return fail('refused_address', because('server_not_public'));
  if (error instanceof NoConnection) return unreachable();
  const raw = error as RawError;
  const said = serverWords(raw, secrets);
  if (raw.authenticationFailed) return explainLogin(raw, provider, said);
  const code = raw.code ?? '';
  if (certificateCodes.test(code)) return fail('certificate', because('certificate_untrusted', { code }));
  if (code.startsWith('ERR_SSL') || unreachableCodes.has(code)) return unreachable();
  if (tooLargeCodes.has(code)) return fail('protocol', because('server_sent_too_much'));
  if (patienceWords.test(said)) return fail('busy', because('server_busy', { words: said }));
  return fail('protocol', said ? because('server_said', { words: said }) : because('server_broke_off'));
}

/** Only a wrong password needs the merchant. Anything else is tried again automatically. */
function explainLogin(error: RawError, provider: Provider, said: string): MailFailure {
  const fail = (kind: FailureKind, reason: Reason) => new MailFailure(kind, reason, error);
  const code = (error.serverResponseCode ?? '').toUpperCase();
  if (/imap/i.test(said) && /not enabled|disabled|yet to enable|enable imap|switched off/i.test(said)) {
    return fail('imap_off', because('imap_off', { words: said }));
  }
  const hint = provider.loginHint;
  const isRefused = refusalCodes.includes(code) || refusalWords.some(words => words.test(said));
  if (patienceWords.test(`${code} ${said}`))
    return fail('busy', because('logins_closed', { words: said || code }));
  if (!isRefused) return fail('busy', because('login_unclear', { hint, words: said || code || '…' }));
  const reason = said
    ? because('login_refused_saying', { hint, words: said })
    : because('login_refused', { hint });
  return fail('login', reason);
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
 * The server's words, bounded and printable: they are stored and shown to the merchant. Secrets are removed before
 * cutting, because a part of one is a secret too, and are searched in their printable form.
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

/**
 * Codes that mean a wrong user name or password (RFC 5530). After any other answer the same login may work a minute
 * later. A throttling server also answers NO, and its owner must not be asked to change a correct password.
 */
const refusalCodes = ['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED'];

/** The wording of servers that send no such code. */
const refusalWords: readonly RegExp[] = [
  // Gmail, Zoho and Yahoo (mscdex/node-imap issue 826, Enough-Software/enough_mail issue 245): "Invalid credentials
  // (Failure)", also after [ALERT].
  /\binvalid credentials\b/i,
  // Gmail and Zoho with two-step sign-in: "Application-specific password required".
  /\b(application|app)[- ]specific password\b/i,
  // Gmail: "Web login required", "Please log in via your web browser".
  /\bweb login required\b|\blog in via your web browser\b/i,
  // Microsoft Exchange, alone in the line (jstedfast/MailKit issue 483): "LOGIN failed.", "AUTHENTICATE failed."
  /^(login|authenticate) failed\.?$/i,
  // Courier and Cyrus: "Login failed.", "Login failed: authentication failure". Dovecot before 2.0: "Authentication failed."
  /\bauthentication fail(ed|ure)\.?$/i,
  // Mailu's proxy (Mailu/Mailu issue 2283): "Authentication credentials invalid".
  /\bcredentials (are )?invalid\b/i,
  // hMailServer, MDaemon and others in plain words.
  /\b(invalid|incorrect|wrong|bad) (user ?name|login|user|password)\b/i,
];

/** Asks for patience, after any code ("Temporary authentication failure": Mailu/Mailu issue 2283). */
const patienceWords =
  /too many|simultaneous|try (again|later)|temporar|throttl|rate[- ]?limit|limit exceeded|\bunavailable\b|\b(server|system|service) (is )?busy\b/i;

/** The kind of a mailbox's failure. `login` and `imap_off` need the merchant; everything else is tried again. */
export type FailureKind =
  | 'host_not_found'
  | 'refused_address'
  | 'unreachable'
  | 'certificate'
  | 'login'
  | 'imap_off'
  | 'busy'
  | 'protocol'
  | 'ours';

export class MailFailure extends Error {
  readonly kind: FailureKind;
  readonly reason: Reason;

  constructor(kind: FailureKind, reason: Reason, cause?: unknown) {
    super(sayReason('en', reason), { cause });
    this.kind = kind;
    this.reason = reason;
  }
}

/** This watcher no longer owns the mailbox; the new owner continues. */
export class LostLease extends Error {}
