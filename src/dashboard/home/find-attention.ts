import { forwardingState } from '../../alerts/forwarding/forwarding-state.ts';
import { findQuietBanks } from '../../alerts/judging/queries/quiet-banks.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { day, later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { webhookHealth } from '../../outbox/webhooks/queries/read.ts';
import type { Reason } from '../../texts/verdicts.ts';
import { selectMissing } from '../money/queries/missing.ts';
import { sumMoneyToDo } from '../money/queries/money.ts';
import { countDoubtfulMails } from '../money/queries/refused.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';

/** Something that costs the business money until somebody acts, with the facts for its sentence. */
export type Attention =
  | { kind: 'no_account' }
  | { kind: 'no_bank'; vpa: string }
  | { kind: 'no_mailbox' }
  | { kind: 'blind_mailbox'; address: string; since: Date | null; reason: Reason | null; needsLogin: boolean }
  | { kind: 'silent_forwarding'; address: string; since: Date }
  | { kind: 'changed_mails'; reason: Reason }
  | { kind: 'quiet_bank'; count: number }
  | { kind: 'failing_webhooks'; destination: string; since: Date; reason: Reason }
  | { kind: 'given_up_webhooks'; count: number }
  | { kind: 'unmatched_money' | 'doubtful_mails' | 'missing_in_statement'; count: number }
  | { kind: 'paused_accounts'; count: number; limit: number }
  | { kind: 'plan_limit_near' | 'plan_limit_reached'; percent: number; limitPaise: number };

const mailsOfLast = 7 * day;
const nearPercent = 80;

/** The worst first: without a mailbox no payment is ever confirmed. */
export async function findAttention({ sql, clock }: Pick<World, 'sql' | 'clock'>, merchantId: number) {
  const now = clock.now();
  const [mailbox, forwarding, webhooks, money, [missing], doubtful, accounts, usage, quiet] =
    await Promise.all([
      mailboxState(sql, merchantId, now),
      forwardingState(sql, merchantId, now),
      webhookHealth({ sql }, merchantId),
      sumMoneyToDo(sql, merchantId, now),
      selectMissing(sql, merchantId, { now, limit: 1 }),
      countDoubtfulMails(sql, merchantId, later(now, -mailsOfLast)),
      selectAccounts(sql, merchantId),
      selectPlanUsage(sql, merchantId, now),
      findQuietBanks(sql, merchantId, now),
    ]);
  const found: Attention[] = [];
  if (accounts.length === 0) found.push({ kind: 'no_account' });
  for (const { bank, vpa } of accounts) if (bank === null) found.push({ kind: 'no_bank', vpa });
  const isForwarded = forwarding !== null && forwarding.worksSince !== null;
  if ((!mailbox || mailbox.readUntil) && !isForwarded) found.push({ kind: 'no_mailbox' });
  if (isForwarded && forwarding.blindSince) {
    const silent = forwarding.probes.find(probe => probe.waitingSince)?.address ?? forwarding.address;
    found.push({ kind: 'silent_forwarding', address: silent, since: forwarding.blindSince });
  }
  if (mailbox?.blind && !mailbox.readUntil) {
    const { address, blindSince: since, lastError: reason, needsLogin } = mailbox;
    found.push({ kind: 'blind_mailbox', address, since, reason, needsLogin });
  }
  const [inMailbox, forwarded] = await Promise.all([
    mailbox && selectChanged(sql, merchantId, 'mailbox', mailbox.lastAlert),
    forwarding && selectChanged(sql, merchantId, 'forwarding', forwarding.lastAlert),
  ]);
  const change =
    inMailbox?.change ?? forwarded?.change ?? forwarding?.probes.find(probe => probe.change)?.change;
  if (change) found.push({ kind: 'changed_mails', reason: change });
  for (const { mails: count } of quiet) found.push({ kind: 'quiet_bank', count });
  const limitPaise = usage?.monthly_limit_paise ?? null;
  if (usage && limitPaise !== null) {
    const percent = Math.floor((usage.collected_paise / limitPaise) * 100);
    const kind = percent >= 100 ? 'plan_limit_reached' : 'plan_limit_near';
    if (percent >= nearPercent) found.push({ kind, percent, limitPaise });
  }
  for (const { destination, failing_since: since, last_failure: reason } of webhooks.failing)
    found.push({ kind: 'failing_webhooks', destination, since, reason });
  if (webhooks.failed > 0) found.push({ kind: 'given_up_webhooks', count: webhooks.failed });
  if (money.count > 0) found.push({ kind: 'unmatched_money', count: money.count });
  if (missing) found.push({ kind: 'missing_in_statement', count: missing.count });
  if (doubtful > 0) found.push({ kind: 'doubtful_mails', count: doubtful });
  const paused = accounts.filter(account => account.paused).length;
  const limit = accounts[0]?.account_limit ?? 0;
  if (paused > 0) found.push({ kind: 'paused_accounts', count: paused, limit });
  return found;
}
