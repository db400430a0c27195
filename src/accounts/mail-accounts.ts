import { later, minute, second } from '../clock.ts';
import type { Smtp } from '../notices/open-smtp.ts';
import type { World } from '../world.ts';
import { mailBinding } from './account-mails.ts';
import { claimMails, type DueMail, markMailDone, postponeMail } from './queries/mails.ts';

const most = 10;
const leaseFor = 2 * minute;
/** A recovery link lives an hour; a mail that could not be sent by then is of no use. */
const pauses = [15 * second, 1 * minute, 5 * minute, 15 * minute, 30 * minute];

/** Sends what is due, each mail by itself. Returns how many went out. */
export async function mailAccounts(
  { sql, clock, secrets, log }: Pick<World, 'sql' | 'clock' | 'secrets' | 'log'>,
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
): Promise<number> {
  const now = clock.now();
  let sent = 0;
  for (const mail of await claimMails(sql, { now, leasedUntil: later(now, leaseFor), most })) {
    const text = secrets.open(mail.sealed_text, mailBinding(mail.merchant_id, mail.recipient));
    const failure = await send(smtp, from, mail, text);
    if (failure === null) {
      sent++;
      await markMailDone(sql, mail, clock.now());
      continue;
    }
    log.warn({ merchant: mail.merchant_id, mail: mail.mail_id, failure }, 'a mail was not sent');
    const pause = pauses[mail.tries - 1];
    if (pause === undefined) await markMailDone(sql, mail, null);
    else await postponeMail(sql, mail, later(clock.now(), pause));
  }
  return sent;
}

async function send(
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
  { recipient, subject }: DueMail,
  text: string,
): Promise<string | null> {
  try {
    await smtp.sendMail({
      from,
      // As an object: a comma inside an address must not become a second recipient.
      to: { name: '', address: recipient },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return null;
  } catch (error) {
    // The kind of failure alone; the server's free text could echo what must not be logged.
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    return [typeof code === 'string' ? code : 'failed', responseCode].filter(Boolean).join(' ');
  }
}
