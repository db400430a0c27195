import { day, hour, later, minute } from '../clock.ts';
import { type Language, languageTags } from '../texts/languages.ts';
import { sayNotice } from '../texts/say.ts';
import type { World } from '../world.ts';
import type { Smtp } from './open-smtp.ts';
import { claimNotices, type DueNotice, markNoticeFailed, markNoticeSent } from './queries.ts';

const most = 10;
const leaseFor = 2 * minute;
const mostFailureText = 300;

/** After SMTP was set up late, or was away for long, nobody wants last month's news. */
export const mailedFor = 3 * day;

/** The pause after each failed try; after the last one the notice stays on the dashboard only. */
export const mailPauses = [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 1 * day];

export type MailedNotices = { sent: number; failed: number };

/**
 * Sends what is due, each notice by itself. A crash after the send and before its record sends it once more, under
 * the same Message-ID.
 */
export async function mailNotices(
  { sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
): Promise<MailedNotices> {
  const now = clock.now();
  const claim = { now, leasedUntil: later(now, leaseFor), notBefore: later(now, -mailedFor), most };
  const done = { sent: 0, failed: 0 };
  for (const notice of await claimNotices(sql, claim)) {
    const failure = await send(smtp, from, notice);
    if (failure === null) {
      done.sent++;
      await markNoticeSent(sql, notice, clock.now());
      continue;
    }
    done.failed++;
    log.warn({ merchant: notice.merchant_id, notice: notice.notice_id, failure }, 'a notice was not mailed');
    const pause = mailPauses[notice.tries - 1];
    await markNoticeFailed(sql, notice, failure, pause === undefined ? null : later(clock.now(), pause));
  }
  return done;
}

/** One mail for each language that the owners read. Null once every one was taken. */
async function send(smtp: Pick<Smtp, 'sendMail'>, from: string, notice: DueNotice): Promise<string | null> {
  if (notice.owners.length === 0) return 'the business has no owner with a mail address';
  const readers = Object.groupBy(notice.owners, owner => owner.language ?? 'en');
  for (const language of languageTags) {
    const to = readers[language]?.map(owner => owner.email);
    const failure = to ? await sendIn(smtp, from, notice, { language, to }) : null;
    if (failure !== null) return failure;
  }
  return null;
}

async function sendIn(
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
  notice: DueNotice,
  { language, to }: { language: Language; to: readonly string[] },
): Promise<string | null> {
  const { business, merchant_id, notice_id } = notice;
  const { subject, text } = sayNotice(language, notice);
  try {
    await smtp.sendMail({
      from,
      // As objects: a comma inside an address must not become a second recipient.
      to: to.map(address => ({ name: '', address })),
      subject,
      text: `${text}\n\n${business}\n`,
      messageId: `<notice-${merchant_id}-${notice_id}${language === 'en' ? '' : `-${language}`}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return null;
  } catch (error) {
    return failureText(error);
  }
}

function domainOf(from: string): string {
  return /@([a-z0-9.-]+)/i.exec(from)?.[1] ?? 'milaan.invalid';
}

/** The server's answer code and the kind of failure; its free text could echo a password. */
function failureText(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const words = [typeof code === 'string' ? code : 'failed', responseCode].filter(Boolean).join(' ');
  return `the mail server did not take it (${words})`.slice(0, mostFailureText);
}
