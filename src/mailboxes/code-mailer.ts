import type { Config } from '../config.ts';
import { openSmtp } from '../notices/open-smtp.ts';
import type { SendMail } from './add-alert-address.ts';

/** Sends code mails through the operator's SMTP server; null when none is configured. */
export function codeMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return async ({ to, subject, text }) => {
    const smtp = openSmtp(smtpUrl);
    try {
      await smtp.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } finally {
      smtp.close();
    }
  };
}
