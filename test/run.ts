import './support/own-world.ts';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { debianPostgres } from '../drills/standby/postgres.ts';
import { minute } from '../src/base/clock.ts';
import { shareBrowser } from './support/browser.ts';
import { runChecks } from './support/checks.ts';
import { shareDovecot } from './support/dovecot.ts';
import { filesTogether } from './support/files-together.ts';
import { installForTests } from './support/install.ts';
import { namedFiles } from './support/named-files.ts';
import { has } from './support/needs.ts';
import { repeatTests } from './support/repeat-tests.ts';
import { skippedTests } from './support/skipped-tests.ts';
import { startTestServer } from './support/test-database.ts';

/**
 * `npm test`: the first tier of the tests, and the checks. `npm run test:all`: the second tier, the files
 * that call themselves `….long.test.ts`, because they kill, flood, start programs or look at every variant of what the
 * first has looked at once. Or only the files named as arguments, of whichever tier, or folders and patterns of them. Ends with `N passed, N failed`; a
 * run without a single test is a failure. Own options:
 *
 *   --postgres=debian   on Debian's PostgreSQL, which plans and compiles unlike the one that the sandbox brings
 *   --times=5 --load=2  again and again next to busy processes, to find tests that depend on luck or load
 *   --files-per-core=3  how many test files run at once; tests wait more than they compute
 *
 * All other options are Node's, such as `--test-name-pattern=…`.
 */
const own = /^--(long|postgres|times|load|files-per-core)(?:=(.*))?$/;
const given = process.argv.slice(2);
const option = (name: string) => given.map(one => own.exec(one)).find(found => found?.[1] === name);
const isLong = option('long') !== undefined;
const options = given.filter(argument => argument.startsWith('--') && !own.test(argument));
const named = namedFiles(
  given.filter(argument => !argument.startsWith('--')),
  isLong,
);
const isWhole = named.length === 0;
const filesPerCore = Number(option('files-per-core')?.[2] ?? 2);
const times = Number(option('times')?.[2] ?? 0);
if (times > 0) {
  const rest = given.filter(argument => !/^--(times|load)=/.test(argument));
  process.exit(await repeatTests(times, Number(option('load')?.[2] ?? 2), rest));
}
if (option('postgres')) {
  const bin = debianPostgres();
  if (bin === null) throw new Error('Debian has no PostgreSQL here: apt-get install postgresql');
  process.env['MILAAN_TEST_POSTGRES'] = bin;
}

// Each file loads most of the product: what Node made of the sources is kept for the next.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/milaan-tests';
installForTests(named);
const stops = await startShared();
const [failedChecks, { passed, failed, skipped, skippedLines }] = await Promise.all([
  isWhole && !isLong ? runChecks() : [],
  runTests(isWhole ? filesTogether(tier()) : named),
]);
await Promise.all(stops.map(stop => stop()));

for (const name of failedChecks) console.log(`failed check: ${name}`);
if (isWhole)
  console.log(
    isLong ? 'the second tier: npm test runs the first' : 'the first tier: npm run test:all runs the rest',
  );
for (const line of skippedLines) console.log(line);
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed + failedChecks.length} failed`);
process.exitCode = passed > 0 && failed + failedChecks.length === 0 ? 0 : 1;

function tier(): string[] {
  return globSync('test/**/*.test.ts').filter(file => file.endsWith('.long.test.ts') === isLong);
}

/**
 * One database server for all files, of which each makes its own database from a migrated template. One Chromium and
 * one Dovecot too, unless only some files run: those start what they need.
 */
async function startShared(): Promise<(() => Promise<void>)[]> {
  const [database, browser] = await Promise.all([
    startTestServer({ hurried: true }),
    isWhole && has('Chromium') ? shareBrowser() : null,
  ]);
  const dovecot = isWhole && has('Dovecot') ? await shareDovecot() : null;
  process.env['MILAAN_TEST_SERVER'] = database.url;
  if (browser) process.env['MILAAN_TEST_BROWSER'] = browser.url;
  if (dovecot)
    process.env['MILAAN_TEST_DOVECOT'] = JSON.stringify({ folder: dovecot.folder, ports: dovecot.ports });
  return [database, browser, dovecot].flatMap(shared => shared?.stop ?? []);
}

/**
 * Files end by themselves: `forceExit` would end one before all of its results were handed over, and the closing line
 * would count too few.
 */
async function runTests(
  files: string[],
): Promise<{ passed: number; failed: number; skipped: number; skippedLines: string[] }> {
  const results = run({
    files,
    concurrency: Math.max(2, Math.round(availableParallelism() * filesPerCore)),
    // Only for what hangs: some of the second tier take two minutes on a quiet machine.
    timeout: (isLong ? 10 : 4) * minute,
    execArgv: ['--import=./test/support/ends-by-itself.ts', ...options],
  });
  const counted = { passed: 0, failed: 0, skipped: 0 };
  const skippedLines = skippedTests(results);
  results.on('test:summary', ({ file, success, counts }) => {
    // Each file has a summary of its own, and the last is that of all.
    if (file !== undefined) return;
    const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    Object.assign(counted, { ...counts, failed: success ? failed : Math.max(1, failed) });
  });
  for await (const text of results.compose(new spec())) process.stdout.write(text);
  return { ...counted, skippedLines: skippedLines() };
}
