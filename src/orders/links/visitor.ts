import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hour, second } from '../../base/clock.ts';
import { networkOf, wideNetworkOf } from '../../base/http/network-of.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import type { World } from '../../base/world.ts';

/** A hashed visitor, only for comparing them with others. The hashes cannot be reversed. */
export type Visitor = { browser: Buffer | null; network: Buffer; wideNetwork: Buffer | null };

const cookieName = 'milaan-visitor';
/** Longer than any order of a link is open, and no longer than needed for that. */
const cookieSeconds = (1 * hour) / second;
const cookieForm = /^[A-Za-z0-9_-]{22}$/;

/** Gives a browser a cookie for links only, so that the customer gets back to the order they opened. */
export function meetVisitor(
  { secrets, baseUrl }: Pick<World, 'secrets' | 'baseUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Visitor {
  const sent = readCookie(request.headers.cookie, cookieName);
  const known = sent !== null && cookieForm.test(sent) ? sent : null;
  if (known === null) {
    const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
    const value = randomBytes(16).toString('base64url');
    void reply.header(
      'set-cookie',
      `${cookieName}=${value}; Path=/l; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
  const hashed = (network: string) => secrets.sign('link network', network);
  const wide = wideNetworkOf(request.ip);
  return {
    browser: known === null ? null : createHash('sha256').update(known).digest(),
    network: hashed(networkOf(request.ip)),
    wideNetwork: wide === null ? null : hashed(wide),
  };
}
