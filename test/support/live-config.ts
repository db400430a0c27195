import { type Config, readConfig } from '../../src/base/settings/config.ts';

/** A configuration as an operator of a live installation has it: nothing of the sandbox is allowed. */
export const liveSettings = {
  PUBLIC_URL: 'https://pay.example.in',
  DATABASE_URL: 'postgres://milaan@127.0.0.1/milaan',
  SECRET_KEY: '00'.repeat(32),
};

export function liveConfig(env: Record<string, string> = {}): Config {
  return configFrom({ ...liveSettings, ...env });
}

export function sandboxConfig(env: Record<string, string> = {}): Config {
  return configFrom(env);
}

function configFrom(env: Record<string, string>): Config {
  const read = readConfig([], env);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  return read.config;
}
