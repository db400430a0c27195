import type { World } from '../../base/world.ts';
import { refreshAccess } from './oauth/ask-for-token.ts';
import type { Login } from './open-connection.ts';
import { type MailboxRow, replaceCredential } from './queries/settings.ts';
import type { Tools } from './watch-job.ts';

/** A mailbox's credential; stored sealed, never in clear. */
export type Credential =
  | { kind: 'password'; password: string }
  | { kind: 'oauth'; provider: 'gmail' | 'outlook'; refreshToken: string };

/** A sealed credential opens only in the row it was made for. */
export function credentialPlace(merchantId: number): string {
  return `mailbox:${merchantId}:credential`;
}

/** Opens the stored credential: returns a password directly, and exchanges a refresh token for an access token. */
export async function openLogin(
  world: Pick<World, 'sql' | 'secrets' | 'config'>,
  mailbox: MailboxRow,
  tools: Pick<Tools, 'tokenUrls'>,
  signal: AbortSignal,
): Promise<Login> {
  const place = credentialPlace(mailbox.merchant_id);
  const credential = JSON.parse(world.secrets.open(mailbox.credential, place)) as Credential;
  if (credential.kind === 'password') return { user: mailbox.username, password: credential.password };
  const { accessToken, refreshToken } = await refreshAccess(world.config, credential, {
    signal,
    tokenUrl: tools.tokenUrls?.[credential.provider],
  });
  if (refreshToken !== null && refreshToken !== credential.refreshToken) {
    const sealed = world.secrets.seal(JSON.stringify({ ...credential, refreshToken }), place);
    if (await replaceCredential(world.sql, mailbox.merchant_id, mailbox.revision, sealed)) {
      mailbox.credential = sealed;
    }
  }
  return { user: mailbox.username, accessToken };
}
