import type { SendMailOptions } from 'nodemailer';
import { second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';

export type Smtp = { sendMail(mail: SendMailOptions): Promise<unknown>; close(): void };

const limits = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 20 * second };

export function canMail({ smtpUrl }: Pick<World['config'], 'smtpUrl'>): boolean {
  return smtpUrl !== null;
}

/** Loads the library with the first mail, because most processes never send one. */
export function openSmtp(url: string): Smtp {
  const load = async () => (await import('nodemailer')).createTransport({ url, ...limits });
  let transport: ReturnType<typeof load> | null = null;
  return {
    async sendMail(mail) {
      transport ??= load();
      return await (await transport).sendMail(mail);
    },
    close() {
      void transport?.then(opened => opened.close());
    },
  };
}

export type Message = {
  to: readonly string[];
  subject: string;
  text: string;
  /** The same for every try, so that mail programs show a repeated mail once. */
  id?: string;
  headers?: Readonly<Record<string, string>>;
  /** Set if the bytes on the wire must be known in advance. */
  textEncoding?: 'base64';
};

/** Sends a mail through the operator's server. Returns null on success, else the failure for a log. */
export async function handOver(
  smtp: Pick<Smtp, 'sendMail'>,
  from: string,
  { to, subject, text, id, headers, textEncoding }: Message,
): Promise<string | null> {
  try {
    await smtp.sendMail({
      from,
      // Address objects keep a comma in an address from adding a second recipient.
      to: to.map(address => ({ name: '', address })),
      subject,
      text,
      ...(textEncoding && { textEncoding }),
      ...(id !== undefined && { messageId: `<${id}@${domainOf(from)}>` }),
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
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

const mostFailureText = 300;

/** Only codes, because the server's free text could contain a password. */
function failureText(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const words = [typeof code === 'string' ? code : 'failed', responseCode].filter(Boolean).join(' ');
  return `the mail server did not take it (${words})`.slice(0, mostFailureText);
}
