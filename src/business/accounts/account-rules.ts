import type { Queryable } from '../../base/database/connect.ts';
import type { RuleCheck } from '../../base/database/rule-check.ts';
import { hashRow, hashWords, readFacts } from './audit.ts';
import { type AuditRow, readChain, readNotes, selectAuditHeads } from './queries/audit.ts';

const pageSize = 1000;

export const accountRules: RuleCheck[] = [
  {
    rule: 'audit',
    sentence: 'no row of the audit log was changed, put in or taken out',
    breaches: brokenChains,
  },
  {
    rule: 'audit',
    sentence: 'what somebody typed about an action is unchanged, or was erased',
    breaches: async tx =>
      (await readNotes(tx))
        .filter(note => readFacts({ details: note.details })['words'] !== hashWords(note.salt, note.words))
        .map(({ merchant_id, seq }) => `business ${merchant_id}: the words beside row ${seq} were changed`),
  },
];

async function brokenChains(tx: Queryable): Promise<string[]> {
  const found: string[] = [];
  for (const head of await selectAuditHeads(tx)) {
    let prior: Pick<AuditRow, 'seq' | 'hash'> = { seq: 0, hash: Buffer.alloc(0) };
    let broken: string | null = null;
    while (broken === null) {
      const rows = await readChain(tx, head.merchant_id, prior.seq, pageSize);
      for (const row of rows) {
        broken ??= breachOf(row, prior);
        prior = row;
      }
      if (rows.length < pageSize) break;
    }
    if (broken === null && (head.seq !== prior.seq || !head.hash.equals(prior.hash)))
      broken = `it ends at ${prior.seq}, but ${head.seq} rows were written`;
    if (broken !== null) found.push(`business ${head.merchant_id}: ${broken}`);
  }
  return found;
}

function breachOf(row: AuditRow, prior: Pick<AuditRow, 'seq' | 'hash'>): string | null {
  if (row.seq !== prior.seq + 1) return `row ${prior.seq + 1} is missing`;
  if (!row.prior_hash.equals(prior.hash)) return `row ${row.seq} does not follow the one before it`;
  return hashRow(row).equals(row.hash) ? null : `row ${row.seq} was changed`;
}
