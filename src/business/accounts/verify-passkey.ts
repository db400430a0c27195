import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { later, minute } from '../../base/clock.ts';
import { isDatabaseDown } from '../../base/database/database-down.ts';
import { isStorable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { passkeySite } from './passkey-site.ts';
import {
  insertChallenge,
  listPasskeys,
  markPasskeyUsed,
  type PasskeyRow,
  takeChallenge,
} from './queries/passkeys.ts';
import type { Person } from './queries/users.ts';
import { firstOf } from './taken-names.ts';

type PasskeyWorld = Pick<World, 'sql' | 'clock' | 'baseUrl' | 'cells'>;

/** At sign-in any passkey may answer; a confirmation accepts only that person's. */
export type PasskeyPurpose = { purpose: 'sign_in' } | ({ purpose: 'confirm' } & Person);

/** Options for the browser's `navigator.credentials.get`; null if passkeys are not possible here. */
export async function offerPasskey(world: PasskeyWorld, purpose: PasskeyPurpose): Promise<object | null> {
  const { sql, clock, baseUrl } = askedIn(world, purpose);
  const site = passkeySite(baseUrl);
  if (!site) return null;
  const own = purpose.purpose === 'confirm' ? await listPasskeys(sql, purpose) : [];
  const { generateAuthenticationOptions } = await passkeyLibrary();
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    userVerification: 'required',
    allowCredentials: own.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  });
  const now = clock.now();
  const row = { ...whose(purpose), challenge: options.challenge, expires_at: later(now, challengeTime) };
  await insertChallenge(sql, row, now);
  return options;
}

export async function verifyPasskey(
  world: PasskeyWorld,
  purpose: PasskeyPurpose,
  answer: unknown,
): Promise<PasskeyRow | null> {
  const { clock, baseUrl } = world;
  const site = passkeySite(baseUrl);
  const said = readAnswer(answer);
  if (!site || !said) return null;
  const person = purpose.purpose === 'confirm' ? purpose : (said.person ?? nobody);
  const { sql } = isMerchant(person.merchantId) ? (world.cells?.of(person.merchantId) ?? world) : world;
  const passkey = await sql<PasskeyRow[]>`
    select * from passkeys
    where merchant_id = ${person.merchantId} and user_id = ${person.userId} and credential_id = ${said.credentialId}`.first();
  if (!passkey) return null;
  const now = clock.now();
  const { verifyAuthenticationResponse } = await passkeyLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge =>
        takeChallenge(askedIn(world, purpose).sql, { ...whose(purpose), challenge }, now),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    });
    if (!verified) return null;
    return (await markPasskeyUsed(sql, passkey, authenticationInfo.newCounter, now)) ? passkey : null;
  } catch (error) {
    // The library throws for every wrong answer; only rethrow a database failure.
    if (isDatabaseDown(error)) throw error;
    return null;
  }
}

/** The person is still unknown at sign-in, so the challenge is in cell 0. */
const askedIn = (world: PasskeyWorld, { purpose }: PasskeyPurpose) =>
  purpose === 'sign_in' ? firstOf(world) : world;

/** The claimed id comes from outside and may be any number. */
const isMerchant = (merchantId: number) => merchantId >= 0 && merchantId < 2 ** 48;

const nobody = { merchantId: -1, userId: '' };

function whose(purpose: PasskeyPurpose) {
  return purpose.purpose === 'confirm'
    ? { purpose: 'confirm', merchant_id: purpose.merchantId, user_id: purpose.userId }
    : { purpose: 'sign_in', merchant_id: null, user_id: null };
}

type Said = { credentialId: string; person: Person | null };

/** Reads only what finds the row; the library checks the rest. */
function readAnswer(answer: unknown): Said | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { id, response } = answer as { id?: unknown; response?: { userHandle?: unknown } };
  if (typeof id !== 'string' || id.length > 2000 || !isStorable(id)) return null;
  if (typeof response !== 'object' || response === null) return null;
  const handle = typeof response.userHandle === 'string' ? response.userHandle : '';
  const [, merchantId, userId = ''] =
    /^(\d{1,15})\.(\w{1,40})$/.exec(Buffer.from(handle.slice(0, 200), 'base64url').toString()) ?? [];
  return { credentialId: id, person: merchantId ? { merchantId: Number(merchantId), userId } : null };
}

/** Loaded at the first use of a passkey: its certificate code is a quarter of all files that a start reads. */
export const passkeyLibrary = () => import('@simplewebauthn/server');

export const challengeTime = 5 * minute;
