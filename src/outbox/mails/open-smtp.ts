import type { SendMailOptions } from 'nodemailer';
import { second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';

/** The operator's mail server. */
export type Smtp = { sendMail(mail: SendMailOptions): Promise<unknown>; close(): void };

const limits = { connectionTimeout: 10 * second, greetingTimeout: 10 * second, socketTimeout: 20 * second };

export function canMail({ smtpUrl }: Pick<World['config'], 'smtpUrl'>): boolean {
  return smtpUrl !== null;
}

/** Loads the library with the first mail: most installations start far more often than they send one. */
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
