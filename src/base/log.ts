import { type Logger, pino } from 'pino';
import { version } from './version.ts';

export type Log = Logger;

/** Fields with these names may hold a secret, so their values are never logged (R10). */
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
