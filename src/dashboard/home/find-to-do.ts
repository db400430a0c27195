import { forwardingState } from '../../alerts/forwarding/forwarding-state.ts';
import { findQuietBanks } from '../../alerts/judging/queries/quiet-banks.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { day, later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Notice, selectUnseenOf } from '../../outbox/notices/queries.ts';
import { webhookHealth } from '../../outbox/webhooks/queries/deliveries.ts';
import type { Texts } from '../../texts/languages.ts';
import { type NoticeKind, sayNotice, sayReason } from '../../texts/say.ts';
import type { Reason } from '../../texts/verdicts.ts';
import type { IconName } from '../frame/icon.ts';
import { addMonths, daysBetween, indianDay } from '../frame/indian-days.ts';
import { dayText, roundRupees } from '../frame/parts.ts';
import { sumMoneyToDo } from '../payments/queries/credits.ts';
import { selectMissing } from '../payments/queries/missing.ts';
import { countDoubtfulMails } from '../payments/queries/refused.ts';
import { selectPlanUsage } from '../plan/queries.ts';
import { findLimits, nearPercent } from '../reports/limits.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';

/** Something that waits for a person, as a line. The icon of a pressing one is amber: money is lost, or waits. */
export type ToDo = {
  kind: `no_${'account' | 'bank' | 'mailbox'}` | 'mails' | 'money' | 'missing' | 'plan' | Quiet;
  icon: IconName;
  href: string;
  who: string;
  what: string;
};
type Quiet = (typeof quiet)[number];
const quiet = ['notices', 'webhooks', 'doubtful', 'paused', 'limit', 'check'] as const;

export function isPressing({ kind }: ToDo): boolean {
  return !quiet.some(one => one === kind);
}

const mailsOfLast = 7 * day;
/** A limit that was passed long ago is no news. */
const passedPercent = 120;
/** The statement of the month before is asked for in the first days of a month. */
const checkDays = 10;

/** Everything else that a notice is about has its own line for as long as it lasts, so that each fault is one line. */
const noticesToRead: readonly NoticeKind[] = [
  ...(['deed', 'done', 'chat_off', 'history_shorter', 'link_oversold'] as const),
  ...(['plan_ending', 'plan_ended', 'plan_over'] as const),
];

/** The most urgent first: without bank mails no payment is ever confirmed. */
export async function findToDo(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  texts: Texts,
): Promise<ToDo[]> {
  const now = clock.now();
  const words = texts.toDo;
  const [
    mailbox,
    forwarding,
    webhooks,
    money,
    [missing],
    doubtful,
    accounts,
    usage,
    notices,
    limits,
    month,
    quietBanks,
  ] = await Promise.all([
    mailboxState(sql, merchantId, now),
    forwardingState(sql, merchantId, now),
    webhookHealth({ sql }, merchantId),
    sumMoneyToDo(sql, merchantId, now),
    selectMissing(sql, merchantId, { now, limit: 1 }),
    countDoubtfulMails(sql, merchantId, later(now, -mailsOfLast)),
    selectAccounts(sql, merchantId),
    selectPlanUsage(sql, merchantId, now),
    selectUnseenOf(sql, merchantId, noticesToRead),
    findLimits(sql, merchantId, now),
    findMonthToCheck(sql, merchantId, now),
    findQuietBanks(sql, merchantId, now),
  ]);
  const [inMailbox, forwarded] = await Promise.all([
    mailbox && selectChanged(sql, merchantId, 'mailbox', mailbox.lastAlert),
    forwarding && selectChanged(sql, merchantId, 'forwarding', forwarding.lastAlert),
  ]);
  const found: ToDo[] = [];
  const add = (kind: ToDo['kind'], icon: IconName, path: string, who: string, what: string) =>
    found.push({ kind, icon, href: `/dashboard/${path}`, who, what });
  const why = (reason: Reason | null) => (reason === null ? '' : sayReason(texts.tag, reason));
  if (accounts.length === 0) add('no_account', 'bank', 'upi-accounts', words.noAccount, words.noAccountText);
  for (const { bank, vpa } of accounts)
    if (bank === null) add('no_bank', 'bank', 'upi-accounts', words.noBank({ vpa }), words.noBankText);
  const isForwarded = forwarding !== null && forwarding.worksSince !== null;
  if ((!mailbox || mailbox.readUntil) && !isForwarded)
    add('no_mailbox', 'mail', 'mailbox', words.noMailbox, words.noMailboxText);
  if (isForwarded && forwarding.blindSince) {
    const address = forwarding.probes.find(probe => probe.waitingSince)?.address ?? forwarding.address;
    add('mails', 'mail', 'mailbox#forwarding', words.silent({ address }), words.silentText);
  }
  if (mailbox?.blind && !mailbox.readUntil) {
    const text = mailbox.needsLogin ? words.needsLogin : why(mailbox.lastError) || words.blindText;
    add('mails', 'mail', 'mailbox', words.blind(mailbox), text);
  }
  const probed = forwarding?.probes.find(probe => probe.change)?.change;
  const change = inMailbox?.change ?? forwarded?.change ?? probed;
  if (change) add('mails', 'mail', 'mailbox', words.changedMails, why(change));
  for (const { mails } of quietBanks)
    add('mails', 'mail', 'first-steps#mails-step', words.quietBank, words.quietBankText({ count: mails }));
  const limitPaise = usage?.monthly_limit_paise ?? null;
  const percent = limitPaise === null ? 0 : Math.floor(((usage?.collected_paise ?? 0) / limitPaise) * 100);
  if (percent >= 100)
    add('plan', 'plan', 'plan', words.full({ limit: roundRupees(limitPaise!) }), words.fullText);
  const decide = 'payments?view=decide';
  if (money.count > 0)
    add('money', 'ask', decide, words.unmatched(money), words.inAll({ sum: roundRupees(money.paise) }));
  if (notices.newest)
    add('notices', 'bell', 'to-do#earlier', words.notices(notices), subjectOf(texts, notices.newest));
  if (missing) add('missing', 'doc', `${decide}#missing`, words.missing(missing), words.missingText);
  const { failed, failing } = webhooks;
  if (failing.length + failed > 0) {
    const who = failed > 0 ? words.updates({ count: failed }) : words.updatesFail;
    add('webhooks', 'code', 'webhooks', who, '');
  }
  if (percent >= nearPercent && percent < 100)
    add('plan', 'plan', 'plan', words.near({ percent }), words.nearText);
  const refused = 'payments/not-counted?only=doubtful';
  if (doubtful > 0) add('doubtful', 'mail', refused, words.doubtful({ count: doubtful }), words.doubtfulText);
  const paused = accounts.filter(account => account.paused).length;
  const count = accounts[0]?.account_limit ?? 0;
  if (paused > 0) add('paused', 'plan', 'plan', words.paused({ count: paused }), words.pausedText({ count }));
  const near = limits.find(limit => limit.percent >= nearPercent && limit.percent < passedPercent);
  if (near) {
    const text = words.ruleNear({ rule: texts.reports.ruleNames[near.name], percent: near.percent });
    const where = near.name === 'personalMonth' ? 'month' : 'year';
    add('limit', 'flag', `reports/${where}#rules`, texts.reports.rules, text);
  }
  const name = month && dayText(texts.tag, month, 'monthName');
  if (name) add('check', 'doc', 'reports/check', words.check({ month: name }), words.checkText);
  return found;
}

export function subjectOf(texts: Texts, one: Notice): string {
  return sayNotice(texts.tag, one)?.subject ?? texts.notices.unknown({ kind: one.kind.slice(0, 100) });
}

/** The last month, if it had payments and no statement was compared with it. A few payments answer for all. */
async function findMonthToCheck(sql: Queryable, merchantId: number, now: Date): Promise<string | null> {
  const today = indianDay(now);
  if (Number(today.slice(8)) > checkDays) return null;
  const month = addMonths(today, -1);
  const { from, to } = daysBetween(month, addMonths(today, 0));
  const [row] = await sql<{ orders: number; marks: number }[]>`
    select count(*) as orders, count(k.state) as marks
    from (select o.order_id from orders o where o.merchant_id = ${merchantId} and o.paid_at >= ${from} and o.paid_at < ${to}
        order by o.paid_at desc limit 200) o
      left join lateral (select k.state from statement_marks k
        where k.merchant_id = ${merchantId} and k.order_id = o.order_id offset 0) k on true`;
  return row!.orders > 0 && row!.marks === 0 ? month.slice(0, 7) : null;
}
