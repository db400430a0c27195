import PostalMime from 'postal-mime';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-fields.ts';
import { headerValue, splitHeaders } from '../mail/split-headers.ts';
import { askKeys } from '../origin/ask-keys.ts';
import type { KeySource } from '../origin/key-source.ts';
import { verifyOrigin } from '../origin/verify-origin.ts';
import type { Signer, VerifiedOrigin } from '../origin/weigh-signature.ts';
import type { ForwardRequest } from './queries/forwarding.ts';

/** A question has a few lines. A larger mail is not parsed. */
const mostBytes = 128 * 1024;
const mostLinks = 50;
const longestLink = 2_000;

export function mayBeConfirmation(raw: Buffer, senders: readonly string[]): boolean {
  return raw.length <= mostBytes && senders.length === 1 && senderOf(senders[0]!) !== undefined;
}

/**
 * Reads a provider's question whether mail may be forwarded to `forwardTo`. It must be signed by the provider,
 * addressed to exactly that address, and name who asked. The owner reads it and answers the provider. It proves
 * nothing to us, because anybody can make a provider ask. `unclear`: the signature cannot be checked now, and the
 * sender must try again.
 */
export async function readConfirmation(world: Pick<World, 'dns' | 'clock'>, raw: Buffer, forwardTo: string) {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return null;
  const from = parseAddresses(headerValue(mail, 'from') ?? '');
  const sender = from?.length === 1 ? senderOf(from[0]!) : undefined;
  if (!from || !sender) return null;

  const now = world.clock.now();
  const origin = await verifyOrigin(mail, sender.signer, keysOf(world), { arrivedAt: now, now });
  if (origin.outcome === 'retrying') return 'unclear';
  if (origin.outcome !== 'verified') return null;
  if (parseAddresses(origin.headers.from)?.[0] !== from[0]) return null;
  const to = origin.headers.to === null ? null : parseAddresses(origin.headers.to);
  if (to?.length !== 1 || to[0] !== forwardTo) return null;

  const subject = decodeSubject(origin.headers.subject) ?? '';
  const text = await textOf(origin);
  const link = linkIn(text, sender);
  const code = sender.code.exec(subject)?.[1] ?? null;
  const askedBy = addressIn(subject, [forwardTo, from[0]!]) ?? addressIn(text, [forwardTo, from[0]!]);
  if (askedBy === null || (link === null && code === null)) return null;
  const request: ForwardRequest = { asked_by: askedBy, provider: sender.id, code, link, arrived_at: now };
  return { request };
}

function senderOf(address: string): ConfirmationSender | undefined {
  return confirmationSenders.find(one => one.isSender(address));
}

/** Skips the DNS query for a domain that only looks like the provider's. */
function keysOf({ dns }: Pick<World, 'dns'>): KeySource {
  const ask = askKeys(dns);
  return async (name, purpose) => (purpose === 'unlisted' ? { kind: 'not_found' } : await ask(name, purpose));
}

/** All text and links, including HTML tags. It is only searched for addresses and links, and never shown. */
async function textOf({ contentType, transferEncoding, body }: VerifiedOrigin): Promise<string> {
  const head = [
    contentType !== null && `Content-Type: ${contentType}`,
    transferEncoding !== null && `Content-Transfer-Encoding: ${transferEncoding}`,
  ].filter(Boolean);
  const mail = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  try {
    const { text, html } = await PostalMime.parse(mail, { forceRfc822Attachments: true });
    return `${text ?? ''}\n${(html ?? '').replaceAll('&amp;', '&')}`;
  } catch {
    return '';
  }
}

function linkIn(text: string, { isLink }: ConfirmationSender): string | null {
  const found = text.match(/https:\/\/[^\s"'<>]{1,2000}/g)?.slice(0, mostLinks) ?? [];
  for (const one of found) {
    const url = URL.parse(one);
    if (url && url.username === '' && url.port === '' && isLink(url) && url.href.length <= longestLink)
      return url.href;
  }
  return null;
}

function addressIn(text: string, others: readonly string[]): string | null {
  for (const one of text.match(/[^\s<>()[\]"',;:\\@]{1,64}@[a-z0-9.-]{1,190}[a-z0-9]/gi) ?? []) {
    const address = parseMailAddress(one);
    if (address !== null && !others.includes(address)) return address;
  }
  return null;
}

/** A provider that asks an address's reader whether mail may be forwarded to it. */
type ConfirmationSender = {
  readonly id: 'gmail' | 'zoho' | 'yahoo' | 'fastmail' | 'rediffmail';
  readonly isSender: (address: string) => boolean;
  readonly signer: Signer;
  readonly isLink: (url: URL) => boolean;
  /** The code in the subject, if the provider sends one: in brackets or alone, in any language. */
  readonly code: RegExp;
};

/** A link that does something contains a long random part; links to help pages do not. */
const secretPart = /[A-Za-z0-9_-]{16,}/;

/**
 * Recognised by sender, signature and form, never by words, because the language varies. For Gmail we know the sender,
 * the subject and both links: `vf-` accepts, `uf-` refuses. For the others we know only their domains.
 */
const confirmationSenders: readonly ConfirmationSender[] = [
  {
    id: 'gmail',
    isSender: address => address === 'forwarding-noreply@google.com',
    signer: signer('Google', ['google.com']),
    isLink: ({ hostname, pathname }) =>
      ['mail-settings.google.com', 'mail.google.com'].includes(hostname) && pathname.startsWith('/mail/vf-'),
    code: /\(#(\d{4,12})\)/,
  },
  provider('zoho', 'Zoho', ['zoho.com', 'zoho.in', 'zohomail.com', 'zohomail.in'], ['zohocorp.com']),
  provider('yahoo', 'Yahoo', ['yahoo.com'], ['yahoo-inc.com', 'cc.yahoo-inc.com', 'yahooinc.com']),
  provider('fastmail', 'Fastmail', ['fastmail.com'], ['fastmailteam.com']),
  provider('rediffmail', 'Rediffmail', ['rediffmail.com', 'rediff.com']),
];

/**
 * Providers give these names to no customer. At `shared` domains anybody can have an address, and the provider signs
 * their mail. Without this check anybody could write a question in the provider's name.
 */
const roleName = /^(?:no[_-]?reply|do[_-]?not[_-]?reply|mailer-daemon|postmaster|support)$/;

function provider(
  id: ConfirmationSender['id'],
  name: string,
  shared: readonly string[],
  own: readonly string[] = [],
): ConfirmationSender {
  const domains = [...shared, ...own];
  return {
    id,
    isSender(address) {
      const at = address.lastIndexOf('@');
      const domain = address.slice(at + 1);
      return own.includes(domain) || (shared.includes(domain) && roleName.test(address.slice(0, at)));
    },
    signer: signer(name, domains),
    isLink: ({ hostname, pathname, search }) =>
      domains.some(domain => hostname === domain || hostname.endsWith(`.${domain}`)) &&
      secretPart.test(pathname + search),
    code: /(?<![\w-])(\d{4,10})(?![\w-])/,
  };
}

/** Providers leave their MIME headers unsigned. Changed ones still get no other link past `isLink`. */
function signer(name: string, signingDomains: readonly string[]): Signer {
  return { name, senders: [], signingDomains, unsignedMime: [], dateMayBeUnsigned: true };
}
