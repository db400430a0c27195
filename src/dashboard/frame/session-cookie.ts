import { day, second } from '../../base/clock.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import { longestTime } from '../../business/accounts/session.ts';
import type { Language } from '../../texts/languages.ts';

/** `__Host-` ties the cookie to this exact host over TLS. A sandbox on plain http can use neither. */
function cookieName(baseUrl: string): string {
  return isSecure(baseUrl) ? '__Host-milaan' : 'milaan';
}

export function readSessionCookie(header: string | undefined, baseUrl: string): string | null {
  return readCookie(header, cookieName(baseUrl));
}

const languageCookie = 'milaan-language';
const keptSeconds = (365 * day) / second;

/** The visitor's language; a sign-in page does not know the person yet. Any value only selects a text. */
export function readLanguageCookie(header: string | undefined): string {
  return readCookie(header, languageCookie) ?? '';
}

export function writeLanguageCookie(language: Language, baseUrl: string): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${languageCookie}=${language}; Path=/dashboard; Max-Age=${keptSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Null ends the session in the browser. */
export function writeSessionCookie(token: string | null, baseUrl: string): string {
  const seconds = token === null ? 0 : longestTime / second;
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  // Lax lets links in mails open a signed-in page. Changes from other sites are refused anyway.
  return `${cookieName(baseUrl)}=${token ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
