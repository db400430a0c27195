import { createTransport } from 'nodemailer';
import { second } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SendMail } from './add-alert-address.ts';

const limits = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 20 * second };

/** Sends code mails through the operator's SMTP server; null when none is configured. */
export function codeMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return async ({ to, subject, text }) => {
    const transport = createTransport({ url: smtpUrl, ...limits });
    try {
      await transport.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } finally {
      transport.close();
    }
  };
}
