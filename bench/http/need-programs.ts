import { install } from '../../test/support/install.ts';

/** Measuring programs, with Debian's package of each. */
const packages = { wrk: 'wrk', pgbench: 'postgresql' } as const;

/** Installs missing programs, as the tests do. */
export function needPrograms(...programs: (keyof typeof packages)[]): void {
  install(
    'the benchmark needs',
    programs.map(program => [`/usr/bin/${program}`, packages[program]]),
  );
}
