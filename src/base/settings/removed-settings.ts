import type { Operator } from './config-operator.ts';
import type { Reader } from './config-values.ts';
import type { Environment, Mode } from './find-settings.ts';

type InForce = {
  mode: Mode;
  mailDomain: string | null;
  receiveHost: string;
  receivePort: number | null;
  operator: Operator;
};

/**
 * Removed settings of 0.2.0, each with its replacement; the next release drops this list. If the value still has the
 * same effect, this only warns. Otherwise it stops the start, because what the operator asked for would silently
 * change.
 */
export function removedSettings(
  env: Environment,
  { mode, mailDomain, receiveHost, receivePort, operator }: InForce,
  file: string | null,
  complain: Reader['complain'],
): string[] {
  const table: [name: string, instead: string, holds: (value: string) => boolean][] = [
    ['SHOP_PORT', 'the demo shop listens on the port after PORT, or on a free one', () => true],
    [
      'RECEIVE_HOST',
      'write the address before the port, such as RECEIVE_PORT=127.0.0.1:25',
      value => value === receiveHost || mailDomain === null || receivePort === null,
    ],
    ['MILAAN_MODE', 'start with --live or --sandbox', value => value === mode],
    ['MILAAN_ENV_FILE', 'use --env-file FILE', value => value === file],
    [
      'OPERATOR_TERMS_VERSION',
      'write the version into OPERATOR_TERMS_URL, such as https://example.in/terms#2026-11',
      value => operator.termsUrl?.split(/[#/?&=]/).includes(value) ?? false,
    ],
  ];
  const warnings: string[] = [];
  for (const [name, instead, holds] of table) {
    const value = env[name]?.trim();
    if (!value) continue;
    const sentence = `${name} was removed in this release: ${instead}, and remove ${name}`;
    if (holds(value)) warnings.push(sentence);
    else complain(sentence);
  }
  return warnings;
}
