import type { Signer } from '../origin/signer.ts';

/** Who asks the reader of an address whether mail may be sent on to it. */
export type ConfirmationSender = {
  readonly id: 'gmail' | 'zoho' | 'yahoo' | 'fastmail' | 'rediffmail';
  readonly isSender: (address: string) => boolean;
  readonly signer: Signer;
  readonly isLink: (url: URL) => boolean;
  /** The code in the subject, where the provider gives one. In its brackets or standing alone, whatever the language. */
  readonly code: RegExp;
};

/** A link that does something carries a long word that nobody can guess; links to help pages do not. */
const secretPart = /[A-Za-z0-9_-]{16,}/;

/**
 * By the sender's address, the signature and the shape; never by words, for the mail comes in the language of whoever
 * asked. Of Gmail the sender, the subject and both links are known: `vf-` says yes, `uf-` says no. Of the others only
 * their domains are.
 */
export const confirmationSenders: readonly ConfirmationSender[] = [
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
 * Names that no provider gives to a customer. At `shared` domains everybody can have an address, and the provider signs
 * what they write: without this anybody could word a question in its name.
 */
const houseName = /^(?:no[_-]?reply|do[_-]?not[_-]?reply|mailer-daemon|postmaster|support)$/;

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
      return own.includes(domain) || (shared.includes(domain) && houseName.test(address.slice(0, at)));
    },
    signer: signer(name, domains),
    isLink: ({ hostname, pathname, search }) =>
      domains.some(domain => hostname === domain || hostname.endsWith(`.${domain}`)) &&
      secretPart.test(pathname + search),
    code: /(?<![\w-])(\d{4,10})(?![\w-])/,
  };
}

/** Providers leave their MIME headers unsigned; whoever changes those gets no other link past `isLink`. */
function signer(name: string, signingDomains: readonly string[]): Signer {
  return { name, senders: [], signingDomains, unsignedMime: [], dateMayBeUnsigned: true };
}
