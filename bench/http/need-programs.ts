import { install } from '../../test/support/install.ts';

/** Programs that measure, and Debian's package of each. */
const packages = { wrk: 'wrk', pgbench: 'postgresql' } as const;

/** Installs what is missing, as the tests do. */
export function needPrograms(...programs: (keyof typeof packages)[]): void {
  install(
    'the benchmark needs',
    programs.map(program => [`/usr/bin/${program}`, packages[program]]),
  );
}
