export type Phone = 'android' | 'ios' | null;

/** Which phone is asking. An iPad that calls itself a Mac gets the QR alone, which is right for a large screen. */
export function phoneOf(userAgent: string | undefined): Phone {
  if (/\bAndroid\b/.test(userAgent ?? '')) return 'android';
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent ?? '') ? 'ios' : null;
}

export type AppLink = { name: string; href: string };

/** The package on Android, and on iOS what stands before `pay?`. Brand names are the same in every language. */
const apps = [
  { name: 'Google Pay', android: 'com.google.android.apps.nbu.paisa.user', ios: 'gpay://upi/' },
  { name: 'PhonePe', android: 'com.phonepe.app', ios: 'phonepe://' },
  { name: 'Paytm', android: 'net.one97.paytm', ios: 'paytmmp://' },
  { name: 'BHIM', android: 'in.org.npci.upiapp', ios: 'bhim://' },
  { name: 'CRED', android: 'com.dreamplug.androidapp', ios: 'credpay://upi/' },
] as const;

/**
 * One link an app, opened by a tap. Android names the package, and its browser comes back to `fallback` when the app
 * is not installed; iOS knows an app by its own scheme only.
 */
export function appLinks(upiLink: string, phone: 'android' | 'ios', fallback: string): AppLink[] {
  const request = upiLink.slice('upi://'.length);
  return apps.map(app => ({
    name: app.name,
    href:
      phone === 'ios'
        ? `${app.ios}${request}`
        : `intent://${request}#Intent;scheme=upi;package=${app.android};` +
          `S.browser_fallback_url=${encodeURIComponent(fallback)};end`,
  }));
}
