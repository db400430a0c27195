import type { Config } from '../../base/settings/config.ts';
import { handOver, openSmtp } from '../../outbox/mails/smtp.ts';
import type { SendMail } from './add-alert-address.ts';

/**
 * Sends code mails through the operator's SMTP server; null when none is configured. Not through the outbox: whoever
 * asked is waiting at the screen and is told at once when it did not leave, and the code stands in the subject, which
 * the outbox does not seal.
 */
export function codeMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return async ({ to, ...mail }) => {
    const smtp = openSmtp(smtpUrl);
    try {
      return (await handOver(smtp, mailFrom, { to: [to], ...mail })) === null;
    } finally {
      smtp.close();
    }
  };
}

/** The address our own mails come from, lower case; null when we send none. */
export function ownSender({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): string | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return (/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim().toLowerCase();
}
