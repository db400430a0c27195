import type { Transaction } from '../../base/database/connect.ts';
import { rupeesText } from '../../base/money.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import type { Comparison, Finding } from './compare-statement.ts';
import { insertConfirmed, insertMissing, lockMatches } from './queries/matches.ts';

export type Matched = { confirmed: number; missing: number };

/**
 * Stores which paid orders the bank's statement confirms, and which are missing from it. The owner is notified of each
 * missing one once. Nothing else follows: paid is final (R4), and a later statement may have the line.
 */
export async function matchOrders(
  tx: Transaction,
  who: Actor,
  { bank, bankName }: { bank: string; bankName: string },
  { findings, firstDay, lastDay }: Comparison,
): Promise<Matched> {
  const { merchantId, actor: by, now } = who;
  await lockMatches(tx, merchantId);
  const common = { merchantId, bank, by, now };
  const confirmed = await insertConfirmed(tx, common, oneForEachLine(findings));
  const missing = await insertMissing(
    tx,
    common,
    findings.filter(one => one.booked === null),
  );
  const count = missing.length;
  if (confirmed + count > 0)
    await recordAudit(tx, who, {
      action: 'statement.compare',
      subject: bank,
      details: { first: firstDay, last: lastDay, confirmed: String(confirmed), missing: String(count) },
    });
  const latest = findings.findLast(one => missing.includes(one.order_id));
  if (latest)
    await notifyOwner(tx, {
      merchantId,
      kind: 'statement_missing',
      facts: {
        count,
        bank: bankName,
        order: latest.order_id,
        amount: rupeesText(latest.credit.amount_paise),
        at: latest.credit.alert_time,
      },
      dedupeKey: `statement_missing ${latest.order_id}`,
      now,
    });
  return { confirmed, missing: count };
}

/** A file may list a reference twice. */
function oneForEachLine(findings: readonly Finding[]) {
  const byLine = new Map<string, Finding & { booked: object }>();
  for (const { booked, ...one } of findings)
    if (booked !== null && !byLine.has(booked.key)) byLine.set(booked.key, { ...one, booked });
  return [...byLine.values()];
}
