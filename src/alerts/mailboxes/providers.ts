import { because, type Reason } from '../../texts/verdicts.ts';
/** Mail providers with known servers, so that a merchant types only an address. */
export type ProviderId = 'gmail' | 'outlook' | 'zoho' | 'yahoo' | 'other';

export type Provider = {
  readonly id: ProviderId;
  readonly name: string;
  /** Null if the merchant must name the server. */
  readonly host: string | null;
  /** The provider no longer takes passwords over IMAP. */
  readonly oauthOnly?: true;
  /** The usual meaning of a refused password there. */
  readonly loginHint: Reason;
};

/** TLS from the first byte. STARTTLS is not offered, because a man in the middle can strip it. */
export const imaps = 993;

export const providers: readonly Provider[] = [
  { id: 'gmail', name: 'Gmail', host: 'imap.gmail.com', loginHint: because('hint_gmail') },
  {
    id: 'outlook',
    name: 'Outlook',
    host: 'outlook.office365.com',
    oauthOnly: true,
    loginHint: because('hint_outlook'),
  },
  { id: 'zoho', name: 'Zoho Mail', host: 'imap.zoho.in', loginHint: because('hint_zoho') },
  { id: 'yahoo', name: 'Yahoo Mail', host: 'imap.mail.yahoo.com', loginHint: because('hint_yahoo') },
  { id: 'other', name: 'IMAP', host: null, loginHint: because('hint_other') },
];

/** Zoho's server for addresses under a domain of one's own. */
export const zohoOwnDomains = 'imappro.zoho.in';

export function providerOf(id: ProviderId): Provider {
  return providers.find(provider => provider.id === id)!;
}

declare module '../../base/world.ts' {
  interface World {
    /** Other addresses of the mail providers; tests use their own servers. */
    mailServices?: Partial<
      Record<ProviderId, { host: string; port: number; authorizeUrl: string; tokenUrl: string }>
    >;
  }
}
