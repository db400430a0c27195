import { type Html, html } from '../../base/http/html.ts';

export type Phone = 'android' | 'ios' | null;

/** Which phone is asking. An iPad that calls itself a Mac gets only the QR, which is right for a large screen. */
export function phoneOf(userAgent: string | undefined): Phone {
  if (/\bAndroid\b/.test(userAgent ?? '')) return 'android';
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent ?? '') ? 'ios' : null;
}

/** Instagram, Facebook and Messenger show a page inside themselves, where most of them open no other app. */
export function isInsideApp(userAgent: string | undefined): boolean {
  return /\b(?:Instagram|FBA[NV]|FB_IAB)\b/.test(userAgent ?? '');
}

/** Android opens it in the person's own browser. A browser that cannot stays on the page. */
export function browserLink(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const fallback = encodeURIComponent(url);
  return `intent://${host}${pathname}${search}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;S.browser_fallback_url=${fallback};end`;
}

export type AppLink = { name: string; letters: string; href: string };

/**
 * The usual apps first: the package for Android and, for iOS, the app's own scheme with what follows before `pay?`.
 * Names are the same in every language. The signs are our own letters, because the logos belong to the apps.
 */
const apps = [
  { name: 'PhonePe', letters: 'Pe', android: 'com.phonepe.app', ios: 'phonepe://', path: '' },
  {
    name: 'Google Pay',
    letters: 'G',
    android: 'com.google.android.apps.nbu.paisa.user',
    ios: 'gpay://',
    path: 'upi/',
  },
  { name: 'Paytm', letters: 'Pt', android: 'net.one97.paytm', ios: 'paytmmp://', path: '' },
  { name: 'BHIM', letters: 'B', android: 'in.org.npci.upiapp', ios: 'bhim://', path: '' },
  { name: 'CRED', letters: 'C', android: 'com.dreamplug.androidapp', ios: 'credpay://', path: 'upi/' },
] as const;

/**
 * One link per app, opened by a tap. Android names the package, and its browser goes to `fallback` if the app is not
 * installed. iOS knows an app only by its own scheme.
 */
export function appLinks(upiLink: string, phone: 'android' | 'ios', fallback: string): AppLink[] {
  const request = upiLink.slice('upi://'.length);
  return apps.map(({ name, letters, ...app }) => ({
    name,
    letters,
    href:
      phone === 'ios'
        ? `${app.ios}${app.path}${request}`
        : `intent://${request}#Intent;scheme=upi;package=${app.android};` +
          `S.browser_fallback_url=${encodeURIComponent(fallback)};end`,
  }));
}

/** How many fit next to each other under the third step. */
const mostOpeners = 4;

/**
 * Links that open an app and ask it for nothing, since a personal UPI ID may only be paid by hand. On iOS a scheme
 * alone does so. On Android there are none: browsers only open apps with a request that the app answers.
 */
export function appOpeners(phone: Phone): AppLink[] {
  if (phone !== 'ios') return [];
  return apps.slice(0, mostOpeners).map(({ name, letters, ios }) => ({ name, letters, href: ios }));
}

export function appItem({ name, letters, href }: AppLink): Html {
  return html`<li><a class="app" href="${href}"><i aria-hidden="true">${letters}</i> ${name}</a></li>`;
}
