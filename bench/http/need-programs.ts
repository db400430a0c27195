import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall } from '../../test/support/install.ts';

/** Programs that measure, and Debian's package of each. */
const packages = { wrk: 'wrk', pgbench: 'postgresql' } as const;

/** Installs what is missing, as the tests do. */
export function needPrograms(...programs: (keyof typeof packages)[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter(program => !folders.some(folder => existsSync(join(folder, program))));
  aptInstall(
    'the benchmark needs',
    missing.map(program => packages[program]),
  );
}
