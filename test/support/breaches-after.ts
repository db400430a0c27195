import { alertRules } from '../../src/alerts/alert-rules.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { modelBanks } from './model/letter.ts';

class Undone extends Error {}

/** The breaches that verify finds after these statements. They are rolled back, so that the next ones start from the same state. */
export async function breachesAfter(sql: Sql, statements: string): Promise<string[]> {
  const found: string[] = [];
  const undone = sql.begin(async tx => {
    // verify needs this isolation level, which cannot be changed later in a transaction.
    await tx`set transaction isolation level repeatable read`;
    await tx.unsafe(`${statements}; set constraints all immediate`);
    const inside: Sql = Object.assign(tx as unknown as Sql, {
      begin: (work: Parameters<Sql['begin']>[0]) => work(tx),
    });
    found.push(...(await findBreaches({ sql: inside })));
    for (const { rule, breaches } of alertRules(modelBanks()))
      found.push(...(await breaches(inside)).map(line => `${rule}: ${line}`));
    throw new Undone();
  });
  await undone.catch(error => {
    if (!(error instanceof Undone)) throw error;
  });
  return found;
}
