import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { mailKey, signMail, utf8 } from './signed-mail.ts';

/** The answer of the receiving mail server to one mail. */
export type Handed = { code: number; text: string };

/** Hands a mail over by a real SMTP or LMTP client, and answers what the server said, also when it refused. */
export async function handMail(
  port: number,
  {
    to,
    raw,
    lmtp = false,
    from = 'bounce@provider.example',
  }: { to: string | string[]; raw: Buffer; lmtp?: boolean; from?: string },
): Promise<Handed> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    lmtp,
    ignoreTLS: true,
    // A mail server does not care what it hands over.
    disableFileAccess: true,
  });
  try {
    const sent = await transport.sendMail({ envelope: { from, to }, raw });
    const text = String((sent as { response?: string }).response);
    return { code: Number(text.slice(0, 3)), text };
  } catch (error) {
    const { responseCode, message } = error as { responseCode?: number; message: string };
    return { code: responseCode ?? 0, text: message };
  } finally {
    transport.close();
  }
}

/** The headers that a provider puts on top of a forwarded mail. The rest does not change. */
export function sentOn(raw: Buffer, { from, to }: { from: string; to: string }): Buffer {
  const lines = [
    `X-Forwarded-To: ${to}`,
    `X-Forwarded-For: ${from} ${to}`,
    `Delivered-To: ${from}`,
    'Received: by 2002:a05:6000:1 with SMTP id x1; Sun, 15 Nov 2026 10:00:00 -0800 (PST)',
    'ARC-Seal: i=1; a=rsa-sha256; d=google.com; s=arc; cv=none; b=AAAA',
    'Return-Path: <alerts@test.bank.in>',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), raw]);
}

export const googleKey = () => ({ '20230601._domainkey.google.com': mailKey(2048, 'google').record });

export type Confirmation = {
  to: string;
  askedBy?: string;
  code?: string;
  subject?: string;
  from?: string;
  domain?: string;
  body?: string;
};

/** Google's question whether mail may be forwarded, in any language. */
export function googleConfirmation({
  to,
  askedBy = 'meera@gmail.example',
  code = '123456789',
  subject = `(#${code}) Gmail Forwarding Confirmation - Receive Mail from ${askedBy}`,
  from = 'forwarding-noreply@google.com',
  domain = 'google.com',
  body = [
    `${askedBy} has requested to automatically forward mail to your email address ${to}.`,
    `Confirmation code: ${code}`,
    '',
    'https://mail-settings.google.com/mail/uf-%5BANGjdJ8cancel%5D-no',
    'https://mail-settings.google.com/mail/vf-%5BANGjdJ9allow%5D-yes',
    '',
  ].join('\r\n'),
}: Confirmation): Buffer {
  const lines = [
    `From: Gmail Team <${from}>`,
    `To: ${to}`,
    `Subject: ${utf8(subject)}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${code}.${askedBy.length}@mail.google.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset="UTF-8"',
  ];
  return signMail(lines, utf8(body), {
    domain,
    selector: '20230601',
    key: mailKey(2048, 'google'),
    names: ['to', 'from', 'subject', 'message-id', 'date', 'mime-version'],
  });
}

/** `change`: what its scanner does to every mail. */
type Forwarding = { port: number; address: string; change?: (raw: Buffer) => Buffer };

export type MailProvider = {
  /** For SMTP_URL: what the installation mails to its owners arrives here. */
  url: string;
  received: { to: string[]; raw: Buffer }[];
  /** From now on everything that comes for this address is sent on. Null ends it. */
  forward(address: string, to: Forwarding | null): void;
  /** Delivers a mail that somebody else wrote to the address. */
  arrives(address: string, raw: Buffer): Promise<Handed | null>;
  stop(): Promise<void>;
};

/** The owner's mail provider: takes mail for everybody and sends it on where somebody asked for that. */
export async function startMailProvider(): Promise<MailProvider> {
  const received: MailProvider['received'] = [];
  const rules = new Map<string, Forwarding>();
  const arrives: MailProvider['arrives'] = async (address, raw) => {
    received.push({ to: [address], raw });
    const rule = rules.get(address);
    if (!rule) return null;
    return await handMail(rule.port, {
      to: rule.address,
      raw: sentOn((rule.change ?? (same => same))(raw), { from: address, to: rule.address }),
    });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', part => parts.push(part));
      stream.on('end', () => {
        // The answer ends the session's envelope.
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        done();
        for (const address of recipients) void arrives(address, Buffer.concat(parts));
      });
    },
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    forward(address, to) {
      if (to) rules.set(address, to);
      else rules.delete(address);
    },
    arrives,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  };
}
