import './support/own-world.ts';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { minute } from '../src/base/clock.ts';
import { shareBrowser } from './support/browser.ts';
import { runChecks } from './support/checks.ts';
import { shareDovecot } from './support/dovecot.ts';
import { filesTogether } from './support/files-together.ts';
import { installForTests } from './support/install.ts';
import { has } from './support/needs.ts';
import { skippedTests } from './support/skipped-tests.ts';
import { startTestServer } from './support/test-database.ts';

/**
 * `npm test`: the first tier of the tests with the checks beside them. `npm run test:all`: the second tier, the files
 * that call themselves `….long.test.ts`, because they kill, flood, start programs or look at every variant of what the
 * first has looked at once. Or only the files named as arguments, of whichever tier; options are Node's, such as
 * `--test-name-pattern=…`. Ends with `N passed, N failed`; a run without a single test is a failure.
 */
const isLong = process.argv.includes('--long');
const given = process.argv.slice(2).filter(argument => argument !== '--long');
const options = given.filter(argument => argument.startsWith('--'));
const named = given.filter(argument => !argument.startsWith('--'));
const isWhole = named.length === 0;
/** Tests wait more than they reckon: for mail servers, browsers and databases. */
const filesForEachCore = 2;

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
    concurrency: Math.max(2, Math.round(availableParallelism() * filesForEachCore)),
    timeout: 4 * minute,
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
