import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { later } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import type { World } from '../../base/world.ts';
import { productName } from '../../texts/name-platform.ts';
import { passkeySite } from './passkey-site.ts';
import {
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  takeChallenge,
} from './queries/passkeys.ts';
import type { Person } from './queries/users.ts';
import { challengeTime, passkeyLibrary } from './verify-passkey.ts';

const mostPasskeys = 20;
/** COSE numbers of Ed25519, P-256 and RSA with SHA-256, which cover all devices. */
const algorithms = [-8, -7, -257];

type Registrant = Person & { email: string };

/** Options for the browser's `navigator.credentials.create`; null if passkeys are not possible here. */
export async function offerRegistration(
  { sql, clock, baseUrl }: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  { merchantId, userId, email }: Registrant,
  /** A device that has one of these makes no second one. */
  known: readonly PasskeyRow[],
): Promise<object | null> {
  const site = passkeySite(baseUrl);
  if (!site || known.length >= mostPasskeys) return null;
  const { generateRegistrationOptions } = await passkeyLibrary();
  const options = await generateRegistrationOptions({
    rpName: productName.en,
    rpID: site.rpId,
    supportedAlgorithmIDs: algorithms,
    userName: email,
    // The browser sends this with every use; it leads to the user's row.
    userID: new Uint8Array(Buffer.from(`${merchantId}.${userId}`)),
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // Usable without a mail address, and only with finger, face or PIN, because it replaces both factors.
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

/** Stores a new passkey. Returns false if the answer is wrong or the person has too many. */
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
    // The library throws for every wrong answer; only rethrow a database failure.
    if (isDatabaseDown(error)) throw error;
    return false;
  }
  if (!verified.verified) return false;
  // Lock the user: several registrations may be open, and together they must not exceed the limit.
  await tx`select from users where merchant_id = ${who.merchantId} and user_id = ${who.userId} for no key update`;
  if ((await listPasskeys(tx, who)).length >= mostPasskeys) return false;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return await insertPasskey(tx, {
    merchant_id: merchantId,
    user_id: userId,
    credential_id: id,
    name,
    public_key: Buffer.from(publicKey),
    counter,
    // The signature does not cover this text from the browser.
    transports: transports.map(String).filter(one => /^[a-z-]{1,20}$/.test(one)),
    created_at: now,
  });
}
