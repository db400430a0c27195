import type { Config } from '../../base/settings/config.ts';

/** The address our own mails come from, lower case; null when we send none. */
export function ownSender({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): string | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return (/<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim().toLowerCase();
}
