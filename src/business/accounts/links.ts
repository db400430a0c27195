import { day, hour, later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { insertLink, type LinkPurpose, type LinkRow, selectLink } from './queries/links.ts';
import { newToken, readToken } from './tokens.ts';

/** The lifetime of a link and of the mail with it. */
export const validFor: Record<LinkPurpose, number> = {
  join: 7 * day,
  open_business: 7 * day,
  recover: 1 * hour,
};
/** A link that lets in whoever holds it is for a phone that is there now. */
export const phoneLinkValidFor = 15 * minute;
const paths: Record<LinkPurpose, string> = {
  join: '/dashboard/join/',
  open_business: '/dashboard/open-business/',
  recover: '/dashboard/recover/',
};

type NewLink = Pick<LinkRow, 'merchant_id' | 'purpose' | 'email' | 'made_by'> &
  Partial<Pick<LinkRow, 'role' | 'business_name' | 'user_id' | 'person'>>;

/** Creates a link and returns its address, which is stored only as a hash. */
export async function makeLink(
  tx: Transaction,
  { clock, baseUrl }: Pick<World, 'clock' | 'baseUrl'>,
  link: NewLink,
): Promise<string> {
  const now = clock.now();
  const { token, hash } = newToken(link.merchant_id);
  await insertLink(tx, {
    role: null,
    business_name: null,
    user_id: null,
    person: null,
    ...link,
    link_id: randomId('lnk'),
    token_hash: hash,
    created_at: now,
    expires_at: later(now, link.person ? phoneLinkValidFor : validFor[link.purpose]),
  });
  return `${baseUrl}${paths[link.purpose]}${token}`;
}

export async function findLink(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  text: string,
  purpose: LinkPurpose,
): Promise<LinkRow | null> {
  const token = readToken(text);
  return token && (await selectLink(sql, token, purpose, clock.now()));
}
