import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { RuleCheck } from '../base/database/rule-check.ts';
import { sayReason } from '../texts/say.ts';
import type { Bank } from './banks/bank.ts';
import { type PaidAlert, selectPaidAlerts } from './held/queries/held-mails.ts';
import { readOffer } from './held/read-held-mail.ts';
import { judgeMail } from './judging/judge-mail.ts';
import type { KeySource } from './origin/key-source.ts';

const batch = 200;

/**
 * The second half of R1: judges the bytes behind every payment again, with the keys of their time. The result must be
 * the same. One matching list of banks is enough, because a mail may be older than its entry's removal.
 */
export function alertRules(...lists: readonly (readonly Bank[])[]): RuleCheck[] {
  return [
    {
      rule: 'R1',
      sentence:
        'The raw mail behind every payment, with or without an order, still verifies and shows the same money.',
      async breaches(sql) {
        const found: string[] = [];
        let after: PaidAlert | null = null;
        for (;;) {
          const alerts: PaidAlert[] = await selectPaidAlerts(sql, after, batch);
          for (const alert of alerts) {
            const breach = await firstBreach(lists, alert);
            if (breach !== null)
              found.push(`order ${alert.order_id ?? 'none'}, alert ${alert.alert_id}: ${breach}`);
          }
          after = alerts.at(-1) ?? null;
          if (alerts.length < batch) return found;
        }
      },
    },
  ];
}

/** Null if any of the lists gives the stored reading; otherwise the first list's breach. */
async function firstBreach(lists: readonly (readonly Bank[])[], alert: PaidAlert): Promise<string | null> {
  let first: string | null = null;
  for (const banks of lists) {
    const breach = await breachOf(banks, alert);
    if (breach === null) return null;
    first ??= breach;
  }
  return first;
}

async function breachOf(banks: readonly Bank[], alert: PaidAlert): Promise<string | null> {
  if (alert.raw === null) return 'its raw mail was deleted too early';
  const raw = await promisify(inflate)(alert.raw).catch(() => null);
  if (raw === null) return 'its raw mail cannot be unpacked';
  let found = 'its key is not remembered';
  for (const record of alert.key_records) {
    const keys: KeySource = async () => ({ kind: 'found', record });
    if (alert.read_by !== null && (await wasOffered(raw, banks, alert, keys))) return null;
    const { arrived_at: arrivedAt, recipient } = alert;
    const judged = await judgeMail(raw, { banks, addresses: [recipient], arrivedAt, now: arrivedAt, keys });
    if (judged.verdict !== 'credit')
      found = `judged again it is ${judged.verdict}: ${sayReason('en', judged.reason)}`;
    else if (judged.facts.amount !== alert.amount_paise) found = `it reports ${judged.facts.amount} paise`;
    else if (judged.alertTime.getTime() !== alert.alert_time.getTime())
      found = `it was written at ${judged.alertTime.toISOString()}`;
    // A later release may have learnt where this bank prints its reference.
    else if (alert.bank_reference !== null && judged.facts.reference !== alert.bank_reference)
      found = `it names the reference ${judged.facts.reference}`;
    else if (judged.signatureId !== alert.signature_id) found = 'it carries another signature';
    else return null;
  }
  return found;
}

/** R16: the bank's own words must still contain the figures that a person chose. */
async function wasOffered(
  raw: Buffer,
  banks: readonly Bank[],
  alert: PaidAlert,
  keys: KeySource,
): Promise<boolean> {
  const read = await readOffer(
    (mail, rest) => judgeMail(Buffer.from(mail), { ...rest, banks, keys }),
    raw,
    alert,
  );
  if (read === null || !read.offer.amounts.some(amount => amount === alert.amount_paise)) return false;
  return alert.bank_reference === null || read.offer.references.includes(alert.bank_reference);
}
