import { createHash, randomBytes } from 'node:crypto';
import { type ConnectOptions, connectMailbox } from '../../alerts/mailboxes/connect-mailbox.ts';
import { MailFailure } from '../../alerts/mailboxes/explain-failure.ts';
import { redeemCode } from '../../alerts/mailboxes/oauth/ask-for-token.ts';
import { type OauthProvider, oauthClient, signInUrl } from '../../alerts/mailboxes/oauth/sign-in-url.ts';
import { trustedRoots } from '../../alerts/mailboxes/open-connection.ts';
import { readMailbox } from '../../alerts/mailboxes/queries/settings.ts';
import { later, minute } from '../../base/clock.ts';
import { html } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import {
  type ChallengeRow,
  insertChallenge,
  takeChallenge,
} from '../../business/accounts/queries/passkeys.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { linkButton } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { stillAllowed } from '../frame/still-allowed.ts';

const home = '/dashboard/mailbox';
const stateLives = 10 * minute;
const names = { gmail: 'Google', outlook: 'Microsoft' } as const;

/** The state that travels to the provider and back. It is sealed, so nobody on the way can read or make it. */
type State = { provider: OauthProvider; address: string; verifier: string; until: number; once: string };

const returnUrl = ({ baseUrl }: World) => `${baseUrl}${home}/signed-in`;
/** Only the session that started the sign-in may return with it, and only once. */
const boundTo = ({ merchantId, session }: Visit) => `mailbox-sign-in:${merchantId}:${session.sessionId}`;

/** A link and not a redirect, because our pages may send forms only to us. */
export async function startSignIn(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const { provider } = visit.params;
  if ((provider !== 'gmail' && provider !== 'outlook') || !oauthClient(world.config, provider))
    return notFound();
  const address = parseMailAddress(visit.form.text('address'));
  if (!address) return redirect(home, words.signInFailed);
  const verifier = randomBytes(32).toString('base64url');
  const once = randomBytes(32).toString('base64url');
  await insertChallenge(
    world.sql,
    { ...ticket(visit, once), expires_at: later(visit.now, stateLives) },
    visit.now,
  );
  const state: State = { provider, address, verifier, until: visit.now.getTime() + stateLives, once };
  const href = signInUrl(world.config, {
    provider,
    address,
    redirectUrl: returnUrl(world),
    state: Buffer.from(world.secrets.seal(JSON.stringify(state), boundTo(visit))).toString('base64url'),
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    authorizeUrl: world.mailServices?.[provider]?.authorizeUrl,
  });
  return screen(words.signInTitle, {
    back: { href: home, text: visit.texts.shop.bank.how },
  })`${card(
    html`<p>${words.signInText({ provider: names[provider] })}</p><div class="actions">${linkButton(href, words.goOn({ provider: names[provider] }))}</div>`,
  )}`;
}

export async function finishSignIn(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const state = openState(world, visit);
  const code = visit.query.text('code');
  if (!state || code === '') return redirect(home, words.signInFailed);
  const { provider, address, verifier, once } = state;
  // Taken before the provider is asked, so that a second request with this state gets no further.
  if (!(await takeChallenge(world.sql, ticket(visit, once), visit.now)))
    return redirect(home, words.signInFailed);
  try {
    const refreshToken = await redeemCode(
      world.config,
      { provider, code, codeVerifier: verifier, redirectUrl: returnUrl(world) },
      { signal: AbortSignal.timeout(stateLives), tokenUrl: world.mailServices?.[provider]?.tokenUrl },
    );
    const credential = { kind: 'oauth' as const, provider, refreshToken };
    // The same mailbox, connected in another way: the folders that somebody named are kept.
    const stored = await readMailbox(world.sql, visit.merchantId);
    const extraFolders = stored?.address === address ? stored.extra_folders : [];
    const roots = trustedRoots(world.config.imapCa);
    const connected = await connectMailbox(
      world,
      visit.merchantId,
      { provider, address, credential, extraFolders },
      { roots, record: recordConnection(visit) },
    );
    if (!connected.ok) return redirect(home, sayReason(visit.texts.tag, connected.reason));
  } catch (error) {
    if (error instanceof MailFailure) return redirect(home, sayReason(visit.texts.tag, error.reason));
    throw error;
  }
  return redirect(home, words.connected);
}

/** One row per person and sign-in; deleted when they return. */
function ticket({ merchantId, user }: Visit, once: string): Omit<ChallengeRow, 'expires_at'> {
  return { challenge: once, purpose: 'mailbox_sign_in', merchant_id: merchantId, user_id: user.userId };
}

function openState({ secrets }: World, visit: Visit): State | null {
  try {
    const sealed = Buffer.from(visit.query.text('state'), 'base64url').toString();
    const state = JSON.parse(secrets.open(sealed, boundTo(visit))) as State;
    return state.until > visit.now.getTime() ? state : null;
  } catch {
    return null;
  }
}

export function recordConnection(visit: Visit): NonNullable<ConnectOptions['record']> {
  return async (tx, { address }) => {
    await stillAllowed(tx, visit, 'mailbox.change');
    await recordChange(tx, visit, {
      action: 'mailbox.connect',
      subject: address,
      notice: because('mailbox_connected', { address }),
    });
  };
}
