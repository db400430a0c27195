import type { ProviderId } from './providers.ts';

/** `forwarding`: the mailbox does not serve, but the bank can write to the forwarding address. */
export type MailboxUse = 'works' | 'forwarding' | 'no';

/**
 * What each mail service is good for, as far as is known. First steps, the mailbox screen, the doctor and
 * docs/mailboxes.md read this table.
 */
export type MailService = {
  readonly id: 'gmail' | 'fetched' | 'outlook' | 'zoho' | 'zoho_free' | 'yahoo' | 'other';
  readonly provider: ProviderId;
  /** Addresses under these domains are surely there. */
  readonly domains: readonly string[];
  readonly mailbox: MailboxUse;
  readonly source: string;
  readonly checked: string;
};

const checked = '2026-11-19';

export const mailServices: readonly MailService[] = [
  {
    id: 'gmail',
    provider: 'gmail',
    domains: ['gmail.com', 'googlemail.com'],
    mailbox: 'works',
    source: 'Google’s help pages',
    checked,
  },
  {
    id: 'fetched',
    provider: 'gmail',
    domains: [],
    mailbox: 'no',
    source: 'press: POP fetching and Gmailify end in 2026',
    checked,
  },
  {
    id: 'outlook',
    provider: 'outlook',
    domains: ['outlook.com', 'outlook.in', 'hotmail.com', 'hotmail.co.in', 'live.com', 'live.in', 'msn.com'],
    mailbox: 'forwarding',
    source: 'lieser/dkim_verifier issues 70, 126, 175, 300 and 502 (2016 to 2025); not tried by us',
    checked,
  },
  {
    id: 'zoho',
    provider: 'zoho',
    domains: ['zoho.com', 'zoho.in', 'zohomail.com', 'zohomail.in'],
    mailbox: 'works',
    source: 'Zoho’s help pages; not tried by us',
    checked,
  },
  {
    id: 'zoho_free',
    provider: 'zoho',
    domains: [],
    mailbox: 'forwarding',
    source: 'Zoho’s help pages; not tried by us',
    checked,
  },
  {
    id: 'yahoo',
    provider: 'yahoo',
    domains: ['yahoo.com', 'yahoo.in', 'yahoo.co.in', 'ymail.com', 'rocketmail.com'],
    mailbox: 'works',
    source: 'Yahoo’s help pages; not tried by us',
    checked,
  },
  {
    id: 'other',
    provider: 'other',
    domains: [],
    mailbox: 'works',
    source: 'our tests with Dovecot',
    checked,
  },
];

/** The service of an address, by its domain; a domain of one's own may be at any of them. */
export function serviceOf(address: string): MailService {
  const domain = domainOf(address);
  return mailServices.find(({ domains }) => domains.includes(domain)) ?? serviceAt('other');
}

/** The first service at this provider. */
export function serviceAt(provider: ProviderId): MailService {
  return mailServices.find(one => one.provider === provider)!;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
