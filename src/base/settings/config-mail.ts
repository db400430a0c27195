import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isPort, type Reader } from './config-values.ts';
import type { Mode } from './find-settings.ts';

const mailFromForm = /^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>$/;

export function mailSettings({ text, form, complain }: Reader) {
  if ((text('SMTP_URL') === null) !== (text('MAIL_FROM') === null))
    complain('SMTP_URL and MAIL_FROM go together: set both or none');
  return {
    smtpUrl: form(
      'SMTP_URL',
      { test: isSmtpUrl },
      'must look like smtps://user:password@mail.example.in:465',
    ),
    mailFrom: form(
      'MAIL_FROM',
      mailFromForm,
      'must be an address such as pay@example.in or "Milaan <pay@example.in>"',
    ),
  };
}

function isSmtpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

const smtpPort = 25;
const domainForm = /^(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/** The sandbox receives mail on any free port, without set-up. */
export function receiveSettings(read: Reader, args: readonly string[], mode: Mode, host: string) {
  const { text, form, complain } = read;
  const isSandbox = mode === 'sandbox';
  const named = form('MAIL_DOMAIN', domainForm, 'must be a domain of its own such as alerts.example.in');
  const domain = named?.toLowerCase() ?? (isSandbox ? 'alerts.milaan.example' : null);
  if (domain === null && args.includes('receive')) complain('the role receive needs MAIL_DOMAIN');
  const [, address, port = ''] =
    /^(?:\[?([^\]]+)\]?:)?([^:]*)$/.exec(text('RECEIVE_PORT') ?? `${isSandbox ? 0 : smtpPort}`) ?? [];
  const receivePort = port === 'off' ? null : read.number('RECEIVE_PORT', smtpPort, 0, 65535, port);
  if (address !== undefined && isIP(address) === 0)
    complain('RECEIVE_PORT must be a port, or an address and a port such as 127.0.0.1:2525');
  const receiveLmtp = mailSocket(read);
  if (domain !== null && receivePort === null && receiveLmtp === null)
    complain('RECEIVE_PORT is off and RECEIVE_LMTP not set: mail for MAIL_DOMAIN could not arrive');
  return {
    /** The domain of forwarding addresses for alerts; null if there are none. */
    mailDomain: domain,
    /** With a null port another mail server passes mail on by LMTP. Unlike the web server, no proxy is in front. */
    receiveHost: address ?? (isSandbox ? host : '0.0.0.0'),
    receivePort,
    receiveLmtp,
    receiveCertificate: certificateFiles(read),
  };
}

/** File paths, so that a renewed certificate needs no restart. */
export type CertificateFiles = { cert: string; key: string };

function certificateFiles({ text, complain }: Reader): CertificateFiles | null {
  const [cert, key] = [text('RECEIVE_CERT_FILE'), text('RECEIVE_KEY_FILE')];
  if (cert === null && key === null) return null;
  if (cert === null || key === null) {
    complain('RECEIVE_CERT_FILE and RECEIVE_KEY_FILE belong together');
    return null;
  }
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
  } catch (error) {
    complain(
      `RECEIVE_CERT_FILE and RECEIVE_KEY_FILE must be a certificate and its key in PEM form: ${(error as Error).message}`,
    );
  }
  return { cert, key };
}

export type MailSocket = { path: string } | { host: string; port: number };

function mailSocket({ text, complain }: Reader): MailSocket | null {
  const value = text('RECEIVE_LMTP');
  if (value === null) return null;
  if (value.startsWith('/')) return { path: value };
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(value) ?? [];
  if (isIP(host) !== 0 && isPort(port)) return { host, port: Number(port) };
  complain(
    'RECEIVE_LMTP must be a path such as /run/milaan/lmtp or an address and port such as 127.0.0.1:2424',
  );
  return null;
}
