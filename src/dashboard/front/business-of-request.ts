import type { IncomingMessage } from 'node:http';
import { merchantOfAccountToken } from '../../business/accounts/tokens.ts';
import { merchantOfKey } from '../../business/merchants/api-key.ts';
import { merchantOfToken } from '../../orders/order.ts';
import { readSessionCookie } from '../frame/session-cookie.ts';

/** Whose request it is, by what it carries; null: nobody's, or nobody who could be. `next` is what follows in the path. */
type Carried = (
  request: Pick<IncomingMessage, 'headers'>,
  next: string,
  after: string,
  baseUrl: string,
) => number | null;

const inKey: Carried = ({ headers }) => merchantOfKey(String(headers['x-api-key'] ?? '').trim());
const inOrderOrLink: Carried = (_request, token) => merchantOfToken(token);
const inNumber: Carried = (_request, id) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : null);
const nobody: Carried = () => null;

/** Screens that a link of a mail opens; it comes before whoever is signed in in this browser. */
export const linkScreens = ['join', 'open-business', 'recover'];

/**
 * Where an address, by its first part, has the id of the business that it is about: every request has its cell by this,
 * before anything else is asked. An address that is not listed is of nobody, and a test fails for it. The code of
 * `/connect/token` is in its body, and its route looks there.
 */
export const carried: Readonly<Record<string, Carried>> = {
  api: inKey,
  listen: inKey,
  pay: inOrderOrLink,
  l: inOrderOrLink,
  'shop-logos': inNumber,
  // Whoever is signed in. Operators are business 0; a sign-in begins with nobody, or with who was here before.
  dashboard: ({ headers }, next, after, baseUrl) =>
    merchantOfAccountToken(
      linkScreens.includes(next) && after !== '' ? after : (readSessionCookie(headers.cookie, baseUrl) ?? ''),
    ),
  '': nobody,
  checkout: nobody,
  connect: nobody,
  'dashboard-files': nobody,
  'dashboard-worker.js': nobody,
  docs: nobody,
  'docs.md': nobody,
  embed: nobody,
  'favicon.ico': nobody,
  'first-steps': nobody,
  'llms.txt': nobody,
  sdk: nobody,
  'shop-colours': nobody,
  'widget.js': nobody,
};

/** What is about the process, and about no cell alone. */
export const ofTheProcess: readonly string[] = ['healthz', 'readyz', 'metrics'];

/** Whose request it is: a business, 0 for what is the installation's or nobody's, null for what is about the process. */
export function businessOfRequest(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  baseUrl: string,
): number | null {
  const [first = '', next = '', after = ''] = partsOf(request.url ?? '/');
  if (ofTheProcess.includes(first)) return null;
  return (Object.hasOwn(carried, first) && carried[first]!(request, next, after, baseUrl)) || 0;
}

/** As the router reads it: a whole address by its path alone, and escaped letters as what they are. */
function partsOf(url: string): string[] {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  const parts = (path.startsWith('/') ? path.slice(1) : path).split('/', 4);
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return [];
  }
}
