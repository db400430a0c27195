import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import * as runner from 'node:test';
import { prepare, use, useEach } from './use.ts';

/** A file that is there once it is installed, and Debian's package that has it. */
export type Part = [file: string, packageName: string];

/**
 * Debian's Chromium without its window: the same engine, a third less processor time. `MILAAN_CHROMIUM=/usr/bin/chromium`
 * takes the one with a window.
 */
export const chromiumPath = process.env['MILAAN_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';

/** Programs that tests run and npm cannot bring. */
export const programs = {
  Chromium: [[chromiumPath, 'chromium-headless-shell']],
  Dovecot: [['/usr/sbin/dovecot', 'dovecot-imapd']],
  PgBouncer: [['/usr/sbin/pgbouncer', 'pgbouncer']],
  // pg_dump refuses a server that is newer than itself.
  PostgreSQL: [['/usr/lib/postgresql/*/bin/postgres', 'postgresql']],
  Postfix: [['/usr/sbin/postfix', 'postfix']],
  // Encrypts archives that an owner takes along.
  age: [['/usr/bin/age', 'age']],
  // The documentation's samples are run in the languages they are written in.
  curl: [['/usr/bin/curl', 'curl']],
  Python: [['/usr/bin/python3', 'python3']],
  // Proves the bank's signature in a pack of evidence without us.
  dkimpy: [['/usr/lib/python3/dist-packages/dkim', 'python3-dkim']],
  PHP: [
    ['/usr/bin/php', 'php-cli'],
    ['/etc/php/*/mods-available/curl.ini', 'php-curl'],
  ],
  Django: [['/usr/lib/python3/dist-packages/django', 'python3-django']],
  Laravel: [
    ['/usr/share/php/Illuminate/Routing', 'php-illuminate-routing'],
    ['/usr/share/php/Illuminate/Events', 'php-illuminate-events'],
  ],
} satisfies Record<string, Part[]>;

/** Properties of a machine that cannot be installed. */
const machine = {
  root: () => process.getuid?.() === 0,
  'user namespaces': () => spawnSync('unshare', ['-U', 'true']).status === 0,
  IPv6: () =>
    Object.values(networkInterfaces()).some(one => one?.some(({ address }) => address === '::1') ?? false),
};

type Need = keyof typeof programs | keyof typeof machine;

export function has(need: Need): boolean {
  return need in machine ? machine[need as keyof typeof machine]() : missingParts(need).length === 0;
}

export function missingParts(need: Need): Part[] {
  const parts = programs[need as keyof typeof programs] as Part[] | undefined;
  return (parts ?? []).filter(([file]) => globSync(file).length === 0);
}

type Runner = Pick<typeof runner, 'test' | 'before' | 'after' | 'beforeEach' | 'afterEach'> & {
  prepare: typeof prepare;
  use: typeof use;
  useEach: typeof useEach;
};

/**
 * The runner's functions for tests that cannot be without these: `const { test, use } = needs('Dovecot')`.
 * Where one is missing each test is skipped and says why, and nothing is prepared for it. On CI a program that is
 * missing is a failure: there nobody would read which tests did not run.
 */
export function needs(...names: Need[]): Runner {
  const missing = names.filter(name => !has(name));
  if (missing.length === 0) return { ...runner, prepare, use, useEach };
  const why = `needs ${missing.join(' and ')}`;
  const packages = missing.flatMap(missingParts).map(([, packageName]) => packageName);
  const fails = process.env['CI'] === 'true' && packages.length > 0;
  const instead = (title: string) =>
    fails
      ? runner.test(title, () => assert.fail(`${why}: apt-get install ${packages.join(' ')}`))
      : runner.test(title, { skip: why });
  const nothing = () => {};
  const hooks = { before: nothing, after: nothing, beforeEach: nothing, afterEach: nothing };
  return {
    test: instead as typeof runner.test,
    ...hooks,
    prepare: nothing,
    use: start => use(start, hooks),
    useEach: start => useEach(start, hooks),
  };
}
