import { spawn } from 'node:child_process';
import { debianPostgres } from '../standby/postgres.ts';

/**
 * `npm run drill -- postgres-15 [FILES]`: the second tier of the tests, or the files named, against the PostgreSQL that
 * Debian brings. It plans and compiles unlike the one that the sandbox brings.
 */
const bin = debianPostgres();
const files = process.argv.slice(2);
if (bin === null) {
  console.error('no PostgreSQL of Debian is installed: apt-get install postgresql');
  process.exitCode = 1;
} else {
  console.log(`the tests on ${bin}`);
  const child = spawn('npm', files.length > 0 ? ['test', '--', ...files] : ['run', '-s', 'test:all'], {
    stdio: 'inherit',
    env: { ...process.env, MILAAN_TEST_POSTGRES: bin },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>(resolve => child.once('close', code => resolve(code ?? 1)));
}
