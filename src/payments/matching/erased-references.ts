import { createHmac } from 'node:crypto';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import type { Credit } from './credit.ts';
import { countedForm } from './sql-fragments.ts';

/** What `count_credit` raises: references were erased here, and this process has no key for them yet. */
export const keyIsNeeded = 'ML002';

export const erasureKeyBinding = () => 'installation:erasure_key';

/** By the box that opens it: one process has one. Most installations never erase anything, and nobody asks for a key. */
const known = new WeakMap<World['secrets'], Buffer>();

/** The key under which this installation marks what it erased; null where it has erased nothing. */
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

/** The credit with the mark of its reference, where this process knows the key. */
export function withErasureHash<C extends Pick<Credit, 'reference'>>(
  { secrets }: Pick<World, 'secrets'>,
  credit: C,
): C {
  const key = known.get(secrets);
  if (key === undefined || credit.reference === null) return credit;
  return { ...credit, mark: hashReference(key, credit.reference) };
}

/** No bank's reference begins so. */
export const erasedPrefix = 'erased ';

/** A reference that is gone, in the form in which it still counts once. Twelve digits are guessed from a plain hash. */
export function hashReference(key: Buffer, reference: string): string {
  return `${erasedPrefix}${hashOf(key, `reference ${countedForm(reference)}`)}`;
}

export function hashOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * A copy of a mail that was erased, or another mail about the same payment, keeps no more than that one: its bytes go
 * as soon as it is known for one.
 */
export async function eraseCopy(
  tx: Queryable,
  { merchantId, alertId, signatureIds, mark }: Credit,
): Promise<void> {
  const rows = await tx<{ arrived_at: Date }[]>`
    update alerts a set payer = null, bank_reference = null, erasure_id = first.erasure_id
    from (
      select e.erasure_id from alerts e where e.merchant_id = ${merchantId} and e.erasure_id is not null and e.alert_id in (
        select c.alert_id from counted_signatures c where c.signature_id = any (${[...signatureIds]}::text[])
        union all select r.alert_id from counted_references r
        where r.merchant_id = ${merchantId} and r.bank_reference = ${mark ?? null}) limit 1
    ) as first
    where a.merchant_id = ${merchantId} and a.alert_id = ${alertId} and a.verdict = 'duplicate'
    returning a.arrived_at`;
  if (rows[0])
    await tx`
      delete from raw_mails where merchant_id = ${merchantId} and alert_id = ${alertId} and arrived_at = ${rows[0].arrived_at}`;
}
