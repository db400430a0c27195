import type { Config } from '../../base/settings/config.ts';
import { handOver, openSmtp } from '../../outbox/mails/smtp.ts';
import type { SendMail } from './add-alert-address.ts';

/**
 * Sends code mails through the operator's SMTP server; null if none is configured. They bypass the outbox for two
 * reasons: the person at the screen must learn at once of a failure, and the outbox does not seal the subject, which
 * contains the code.
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

/** The address that our own mails come from, in lower case; null if we send none. */
export function ownSender({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): string | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return (/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim().toLowerCase();
}
