import { type Logger, pino } from 'pino';
import { version } from './version.ts';

export type Log = Logger;

/** Names under which a secret could reach a log line; what stands there is never written (R10). */
const secretNames = [
  'password',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'SECRET_KEY',
  'DATABASE_URL',
  'databaseUrl',
  'SMTP_URL',
  'smtpUrl',
  '["x-api-key"]',
  '["webhook-signature"]',
];

export function openLog(level: string): Log {
  const paths = secretNames.flatMap(name => {
    const dotted = name.startsWith('[') ? name : `.${name}`;
    return [name, `*${dotted}`, `*.*${dotted}`];
  });
  return pino({ level, redact: { paths, censor: '[redacted]' }, base: { service: 'milaan', version } });
}
