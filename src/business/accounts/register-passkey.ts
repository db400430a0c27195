import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import type { World } from '../../base/world.ts';
import { productName } from '../../texts/name-platform.ts';
import { passkeySite } from './passkey-site.ts';
import { insertChallenge, insertPasskey, listPasskeys, takeChallenge } from './queries/passkeys.ts';
import { lockUser, type Person } from './queries/users.ts';
import { challengeTime, passkeyLibrary } from './verify-passkey.ts';

const mostPasskeys = 20;
/** Ed25519, P-256 and RSA with SHA-256, by their numbers in COSE: what every device has. */
const algorithms = [-8, -7, -257];

type Registrant = Person & { email: string };

/** What the browser's `navigator.credentials.create` is asked with; null where there can be no passkeys. */
export async function offerRegistration(
  { sql, clock, baseUrl }: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  who: Registrant,
): Promise<object | null> {
  const { merchantId, userId, email } = who;
  const site = passkeySite(baseUrl);
  const known = await listPasskeys(sql, who);
  if (!site || known.length >= mostPasskeys) return null;
  const { generateRegistrationOptions } = await passkeyLibrary();
  const options = await generateRegistrationOptions({
    rpName: productName.en,
    rpID: site.rpId,
    supportedAlgorithmIDs: algorithms,
    userName: email,
    userID: new Uint8Array(Buffer.from(passkeyHandle(merchantId, userId))),
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // Found without a mail address, and never without finger, face or PIN: it stands for both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const now = clock.now();
  await insertChallenge(
    sql,
    {
      challenge: options.challenge,
      purpose: 'register',
      merchant_id: merchantId,
      user_id: userId,
      expires_at: later(now, challengeTime),
    },
    now,
  );
  return options;
}

/** Keeps the new passkey; false when the answer is not right or the person has as many as anybody may. */
export async function registerPasskey(
  tx: Transaction,
  { clock, baseUrl }: Pick<World, 'clock' | 'baseUrl'>,
  who: Person,
  { response, name }: { response: unknown; name: string },
): Promise<boolean> {
  const { merchantId, userId } = who;
  const site = passkeySite(baseUrl);
  if (!site) return false;
  const now = clock.now();
  const { verifyRegistrationResponse } = await passkeyLibrary();
  let verified: VerifiedRegistrationResponse;
  try {
    verified = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge =>
        takeChallenge(tx, { challenge, purpose: 'register', merchant_id: merchantId, user_id: userId }, now),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: true,
    });
  } catch (error) {
    // The library throws for every kind of wrong answer; only a fault of the database is none.
    if (isDatabaseAway(error)) throw error;
    return false;
  }
  if (!verified.verified) return false;
  // Several questions may have been open at once; the answers are counted one after the other.
  await lockUser(tx, who);
  if ((await listPasskeys(tx, who)).length >= mostPasskeys) return false;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return await insertPasskey(tx, {
    merchant_id: merchantId,
    user_id: userId,
    credential_id: id,
    name,
    public_key: Buffer.from(publicKey),
    counter,
    // The browser's words, which the signature does not cover.
    transports: transports.map(String).filter(one => /^[a-z-]{1,20}$/.test(one)),
    created_at: now,
  });
}

/** Comes back with every use of the passkey, and leads to its row. */
function passkeyHandle(merchantId: number, userId: string): string {
  return `${merchantId}.${userId}`;
}
