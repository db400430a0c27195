import type { IncomingMessage } from 'node:http';
import { merchantOfAccountToken } from '../../business/accounts/tokens.ts';
import { merchantOfKey } from '../../business/merchants/api-key.ts';
import { merchantOfToken } from '../../orders/order.ts';
import { readSessionCookie } from '../frame/session-cookie.ts';

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

/** Screens opened by a link in a mail. The link's business counts, whoever is signed in in this browser. */
export const linkScreens = ['join', 'open-business', 'recover'];

/**
 * How each address, by its first part, names its business. The cell of every request is chosen by this before anything
 * else. An address that is missing here belongs to no business, and a test fails for it. The code of `/connect/token`
 * is in its body, so its route reads it.
 */
export const carried: Readonly<Record<string, Carried>> = {
  api: inKey,
  listen: inKey,
  pay: inOrderOrLink,
  l: inOrderOrLink,
  'shop-logos': inNumber,
  // The signed-in person's business. Operators are business 0; a sign-in starts with none, or with the previous one.
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
  'openapi.json': nobody,
  sdk: nobody,
  'shop-colours': nobody,
  'widget.js': nobody,
};

/** Addresses about the process, and not about one cell. */
export const ofTheProcess: readonly string[] = ['healthz', 'readyz', 'metrics'];

/** A business's id, 0 for the installation or nobody, null for the process. */
export function merchantOfRequest(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  baseUrl: string,
): number | null {
  const [first = '', next = '', after = ''] = partsOf(request.url ?? '/');
  if (ofTheProcess.includes(first)) return null;
  return (Object.hasOwn(carried, first) && carried[first]!(request, next, after, baseUrl)) || 0;
}

/** Reads the path as the router does: a full URL by its path alone, and percent-encoded letters decoded. */
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
