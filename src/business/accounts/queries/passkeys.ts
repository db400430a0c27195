import type { Queryable } from '../../../base/database/connect.ts';
import type { Person } from './users.ts';

export type PasskeyRow = {
  merchant_id: number;
  user_id: string;
  credential_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  created_at: Date;
  last_used_at: Date | null;
};

export async function insertPasskey(sql: Queryable, row: Omit<PasskeyRow, 'last_used_at'>): Promise<boolean> {
  return await sql`
    insert into passkeys ${sql({ ...row })} on conflict do nothing returning credential_id`.some();
}

export async function listPasskeys(sql: Queryable, who: Person): Promise<PasskeyRow[]> {
  return await sql<PasskeyRow[]>`
    select * from passkeys where merchant_id = ${who.merchantId} and user_id = ${who.userId} order by created_at, credential_id`;
}

/** The counter must grow: a second answer with the same counter may come from a cloned passkey. */
export async function markPasskeyUsed(
  sql: Queryable,
  { merchant_id, credential_id, counter }: PasskeyRow,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  return await sql`
    update passkeys set counter = ${newCounter}, last_used_at = ${now}
    where merchant_id = ${merchant_id} and credential_id = ${credential_id} and counter = ${counter}
    returning credential_id`.some();
}

export async function deletePasskey(sql: Queryable, who: Person, credentialId: string) {
  return await sql<{ name: string }[]>`
    delete from passkeys
    where merchant_id = ${who.merchantId} and user_id = ${who.userId} and credential_id = ${credentialId}
    returning name`.value();
}

export type ChallengeRow = {
  challenge: string;
  purpose: string;
  merchant_id: number | null;
  user_id: string | null;
  expires_at: Date;
};

export async function insertChallenge(sql: Queryable, row: ChallengeRow, now: Date): Promise<void> {
  await sql`
    delete from passkey_challenges where challenge in (
      select challenge from passkey_challenges where expires_at <= ${now} limit 100 for update skip locked)`;
  await sql`insert into passkey_challenges ${sql({ ...row })}`;
}

export async function takeChallenge(sql: Queryable, row: Omit<ChallengeRow, 'expires_at'>, now: Date) {
  return await sql`
    delete from passkey_challenges
    where challenge = ${row.challenge} and purpose = ${row.purpose} and expires_at > ${now}
      and merchant_id is not distinct from ${row.merchant_id}::bigint
      and user_id is not distinct from ${row.user_id}::text
    returning challenge`.some();
}
