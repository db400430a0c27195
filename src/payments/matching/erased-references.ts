import { createHmac } from 'node:crypto';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { Credit } from './credit.ts';
import { countedForm } from './sql-fragments.ts';

/** `count_credit` raises this if references were erased here and this process has no key for them yet. */
export const keyIsNeeded = 'ML002';

export const erasureKeyBinding = () => 'installation:erasure_key';

/** The key for each secret box; a process has one. Most installations never erase anything and need no key. */
const known = new WeakMap<World['secrets'], Buffer>();

/** The key with which this installation hashes erased references. Null if it has erased nothing. */
export async function learnErasureKey(
  sql: Queryable,
  { secrets }: Pick<World, 'secrets'>,
): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: string }[]>`select sealed from erasure_keys`;
  if (!row) return null;
  const key = Buffer.from(secrets.open(row.sealed, erasureKeyBinding()), 'base64');
  known.set(secrets, key);
  return key;
}

/** The credit with the hash of its reference, if this process has the key. */
export function withErasureHash<C extends Pick<Credit, 'reference'>>(
  { secrets }: Pick<World, 'secrets'>,
  credit: C,
): C {
  const key = known.get(secrets);
  if (key === undefined || credit.reference === null) return credit;
  return { ...credit, erasureHash: hashReference(key, credit.reference) };
}

/** No bank's reference begins like this. */
export const erasedPrefix = 'erased ';

/** The hash of an erased reference, which still counts once. It is keyed, because twelve digits are easily guessed. */
export function hashReference(key: Buffer, reference: string): string {
  return `${erasedPrefix}${hashOf(key, `reference ${countedForm(reference)}`)}`;
}

export function hashOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Erases a copy of an erased mail, or another mail about the same payment, as soon as it is recognised. */
export async function eraseCopy(
  tx: Queryable,
  { merchantId, alertId, signatureIds, erasureHash }: Credit,
): Promise<void> {
  const rows = await tx<{ arrived_at: Date }[]>`
    update alerts a set payer = null, bank_reference = null, erasure_id = first.erasure_id
    from (
      select e.erasure_id from alerts e where e.merchant_id = ${merchantId} and e.erasure_id is not null and e.alert_id in (
        select c.alert_id from counted_signatures c where c.signature_id = any (${[...signatureIds]}::text[])
        union all select r.alert_id from counted_references r
        where r.merchant_id = ${merchantId} and r.bank_reference = ${erasureHash ?? null}) limit 1
    ) as first
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} and a.verdict = 'duplicate'
    returning a.arrived_at`;
  if (rows[0])
    await tx`
      delete from raw_mails where merchant_id = ${merchantId} and alert_id = ${alertId} and arrived_at = ${rows[0].arrived_at}`;
}
