/** Mail providers whose servers we know, so that a merchant types an address and nothing else. */
export type ProviderId = 'gmail' | 'outlook' | 'zoho' | 'yahoo' | 'other';

export type Provider = {
  readonly id: ProviderId;
  readonly name: string;
  /** Null where the merchant must name the server. */
  readonly host: string | null;
  readonly port: number;
  /** The provider no longer takes passwords over IMAP. */
  readonly oauthOnly: boolean;
  /** What a refused password usually means there. */
  readonly loginHint: string;
};

/** Other addresses for a provider's servers. */
export type MailServices = Partial<
  Record<ProviderId, { host: string; port: number; authorizeUrl: string; tokenUrl: string }>
>;

/** TLS from the first byte; STARTTLS is not offered, because a man in the middle can strip it. */
const imaps = 993;

export const providers: readonly Provider[] = [
  {
    id: 'gmail',
    name: 'Gmail',
    host: 'imap.gmail.com',
    port: imaps,
    oauthOnly: false,
    loginHint:
      'Gmail takes an app password (Google account, Security, App passwords), not the usual password.',
  },
  {
    id: 'outlook',
    name: 'Outlook',
    host: 'outlook.office365.com',
    port: imaps,
    oauthOnly: true,
    loginHint: 'Outlook takes no passwords over IMAP: sign in with Microsoft instead.',
  },
  {
    id: 'zoho',
    name: 'Zoho Mail',
    host: 'imap.zoho.in',
    port: imaps,
    oauthOnly: false,
    loginHint: 'Zoho takes an application-specific password when two-factor sign-in is on.',
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    host: 'imap.mail.yahoo.com',
    port: imaps,
    oauthOnly: false,
    loginHint:
      'Yahoo takes an app password (Account security, Generate app password), not the usual password.',
  },
  {
    id: 'other',
    name: 'Another mail server',
    host: null,
    port: imaps,
    oauthOnly: false,
    loginHint: 'Check the user name and the password, and whether the server wants an app password.',
  },
];

export function providerOf(id: ProviderId): Provider {
  return providers.find(provider => provider.id === id)!;
}
