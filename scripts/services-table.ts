import { type MailService, mailServices } from '../src/alerts/mailboxes/mail-services.ts';
import { table } from './banks-page.ts';

const uses: Record<MailService['mailbox'], string> = {
  works: 'works',
  forwarding: 'by forwarding only',
  no: 'does not',
};

const heading = '## Which way for which mail service\n\n';

/** docs/mailboxes.md with the table of what each mail service is good for. */
export function withServices(page: string): string {
  const rows = mailServices.map(({ name, provider, mailbox, source, checked }) => [
    provider === 'other' ? 'another mail server' : name,
    uses[mailbox],
    source,
    checked,
  ]);
  const [before, after = ''] = page.split(heading);
  const rest = after.replace(/^(?:\|.*\n)*\n*/, '');
  return `${before}${heading}${table(['mail service', 'connecting the mailbox', 'who says so', 'checked'], rows)}\n\n${rest}`;
}
