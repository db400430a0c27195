import type { ProviderId } from './providers.ts';

/**
 * A mail service's use for bank mails, as far as is known. `forwarding`: its mailbox is of no use, but the bank can write
 * to the forwarding address. First steps, the mailbox screen, the doctor and docs/mailboxes.md read this.
 */
export type MailService = {
  readonly name: string;
  readonly provider: ProviderId;
  readonly mailbox: 'works' | 'forwarding' | 'no';
  readonly source: string;
  readonly checked: string;
  /** Addresses under these domains are surely there. */
  readonly domains: readonly string[];
};

const service = (
  name: string,
  provider: ProviderId,
  mailbox: MailService['mailbox'],
  source: string,
  domains: readonly string[] = [],
): MailService => ({ name, provider, mailbox, source, checked: '2026-11-19', domains });

const microsoft = 'lieser/dkim_verifier issues 70, 126, 175, 300 and 502 (2016 to 2025); not tried by us';
const google = 'Google’s help pages; not tried by us';
const zoho = 'Zoho’s help pages; not tried by us';

/** For each provider the usual service first. */
export const mailServices: readonly MailService[] = [
  service('Gmail, Google Workspace', 'gmail', 'works', google, ['gmail.com', 'googlemail.com']),
  service('Gmail that fetches from another account', 'gmail', 'no', 'press: fetching by POP ends in 2026'),
  service('Outlook.com, Hotmail, Microsoft 365', 'outlook', 'forwarding', microsoft, [
    ...['outlook.com', 'outlook.in', 'hotmail.com', 'hotmail.co.in', 'live.com', 'live.in', 'msn.com'],
  ]),
  service('Zoho Mail', 'zoho', 'works', zoho, ['zoho.com', 'zoho.in', 'zohomail.com', 'zohomail.in']),
  service('Zoho Mail, free plan', 'zoho', 'forwarding', zoho),
  service('Yahoo Mail', 'yahoo', 'works', 'Yahoo’s help pages; not tried by us', [
    ...['yahoo.com', 'yahoo.in', 'yahoo.co.in', 'ymail.com', 'rocketmail.com'],
  ]),
  service('IMAP', 'other', 'works', 'our tests with Dovecot'),
];

/** The service of an address, by its domain; a domain of one's own may be at any of them. */
export function serviceOf(address: string): MailService {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return mailServices.find(({ domains }) => domains.includes(domain)) ?? serviceAt('other');
}

export function serviceAt(provider: ProviderId): MailService {
  return mailServices.find(one => one.provider === provider)!;
}
