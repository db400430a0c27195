import type { Cells } from '../../base/cells.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { learnClaimKey, namesOf } from './claim-credit.ts';
import {
  insertClaims,
  type SettledName,
  selectMisclaimed,
  selectSettledNames,
} from './queries/settled-names.ts';

/**
 * Claims in cell 0 whatever a business has settled, before its rows go to another cell: what it settled before there were
 * cells stands in its own tables alone. Repeating it changes nothing. Answers how many names were claimed anew.
 */
export async function claimSettled(
  cells: Cells,
  merchantId: number,
  sql: Queryable = cells.of(merchantId).sql,
): Promise<number> {
  const key = await learnClaimKey(cells);
  const { sql: first, clock } = cells.worlds[0]!;
  let claimed = 0;
  for (let after = ''; ; ) {
    const some = await selectSettledNames(sql, merchantId, after);
    const last = some.at(-1);
    if (!last) return claimed;
    const names = some.flatMap(one => namesIn(key, one));
    const foreign = (await selectMisclaimed(first, merchantId, names)).find(one => one.holder !== null);
    if (foreign)
      throw new Error(`R2: what alert ${foreign.alert_id} settled is claimed for merchant ${foreign.holder}`);
    claimed += await insertClaims(first, merchantId, names, clock.now());
    after = last.alert_id;
  }
}

export function namesIn(key: Buffer, { alert_id, signatures, bank, bank_reference, digits }: SettledName) {
  const names = namesOf(key, { signatureIds: signatures, bank, reference: bank_reference });
  const one = { alert_id, digits: null };
  return [
    ...names.signatures.map(name => ({ ...one, name })),
    ...(names.reference ? [{ ...one, name: names.reference, digits }] : []),
  ];
}
