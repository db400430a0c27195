import type { Queryable, Transaction } from '../../../base/database/connect.ts';

/** Locks the end of the chain until the transaction ends. A business's first row continues from the empty hash. */
export async function lockAuditHead(tx: Transaction, merchantId: number) {
  await tx`
    insert into audit_heads (merchant_id, seq, hash) values (${merchantId}, 0, '')
    on conflict (merchant_id) do nothing`;
  const [head] = await tx<{ seq: number; hash: Buffer }[]>`
    select seq, hash from audit_heads where merchant_id = ${merchantId} for update`;
  return head!;
}

export async function appendAudit(tx: Transaction, row: AuditRow): Promise<void> {
  await tx`insert into audit_log ${tx({ ...row })}`;
  await tx`update audit_heads set seq = ${row.seq}, hash = ${row.hash} where merchant_id = ${row.merchant_id}`;
}

export type AuditNote = { merchant_id: number; seq: number; salt: Buffer; words: string };

export async function insertNote(tx: Transaction, note: AuditNote): Promise<void> {
  await tx`insert into audit_notes ${tx(note)}`;
}

/** The row with its words, unless they were erased. */
function withWords(sql: Queryable) {
  return sql`l.*, (select n.words from audit_notes n where n.merchant_id = l.merchant_id and n.seq = l.seq) as words`;
}

export async function selectAudit(
  sql: Queryable,
  merchantId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRow[]> {
  return await sql<AuditRow[]>`
    select ${withWords(sql)} from audit_log l
    where merchant_id = ${merchantId} ${before === null ? sql`` : sql`and seq < ${before}`}
    order by seq desc limit ${limit}`;
}

const mostEntries = 100;

export async function selectMoneyEntries(sql: Queryable, merchantId: number, alertIds: readonly string[]) {
  return await sql<AuditRow[]>`
    select ${withWords(sql)} from audit_log l
    where merchant_id = ${merchantId} and action like 'credit.%' and subject = any (${[...alertIds]}::text[])
    order by seq limit ${mostEntries}`;
}

export type AuditHead = { merchant_id: number; seq: number; hash: Buffer };

/** Includes businesses whose head is missing although they have rows. */
export async function selectAuditHeads(sql: Queryable): Promise<AuditHead[]> {
  return await sql<AuditHead[]>`
    select merchant_id, coalesce(h.seq, 0) as seq, coalesce(h.hash, '') as hash
    from audit_heads h full join (select distinct merchant_id from audit_log) l using (merchant_id)
    order by merchant_id`;
}

export async function readChain(sql: Queryable, merchantId: number, after: number, limit: number) {
  return await sql<AuditRow[]>`
    select * from audit_log where merchant_id = ${merchantId} and seq > ${after} order by seq limit ${limit}`;
}

export async function readNotes(sql: Queryable) {
  return await sql<(AuditNote & { details: string })[]>`
    select n.*, l.details from audit_notes n join audit_log l on l.merchant_id = n.merchant_id and l.seq = n.seq`;
}

export type AuditRow = {
  merchant_id: number;
  seq: number;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: string;
  address: string;
  prior_hash: Buffer;
  hash: Buffer;
  words?: string | null;
};
