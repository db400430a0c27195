import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { installWhatTestsNeed } from './support/install.ts';
import { startTestServer } from './support/test-database.ts';

/**
 * `npm test`: the checks, then every test file, or only those named as arguments.
 * Ends with `N passed, N failed`; a run without a single test is a failure.
 */
const only = process.argv.slice(2);
const files = only.length > 0 ? only : globSync('test/**/*.test.ts').sort();

const failedChecks = only.length > 0 ? [] : checks().filter(([name, ...command]) => !run(name, command));
installWhatTestsNeed();
const { passed, failed, skipped } = await runTests(files);

for (const [name] of failedChecks) console.log(`failed check: ${name}`);
if (skipped > 0) console.log(`${skipped} skipped, each with its reason above`);
console.log(`${passed} passed, ${failed + failedChecks.length} failed`);
process.exitCode = passed > 0 && failed + failedChecks.length === 0 ? 0 : 1;

function checks(): [name: string, ...command: string[]][] {
  return [
    ['types', 'tsc', '--noEmit'],
    ['types in the browser', 'tsc', '--noEmit', '-p', 'src/checkout/browser'],
    ["types in the sandbox's bar", 'tsc', '--noEmit', '-p', 'src/sandbox/browser'],
    ['types in the dashboard', 'tsc', '--noEmit', '-p', 'src/dashboard/browser'],
    ["types in the documentation's script", 'tsc', '--noEmit', '-p', 'src/docs-site/browser'],
    ['types of the SDK', 'tsc', '--noEmit', '-p', 'sdk'],
    ['style', 'biome', 'check', '.'],
    ['dead code', 'knip'],
  ];
}

function run(name: string, [command = '', ...args]: string[]): boolean {
  console.log(`check: ${name}`);
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

/**
 * One database server for all files; each file makes its own database from a migrated template.
 * Files end by themselves: `--test-force-exit` would end one before all of its results were handed over, and the
 * closing line would count too few.
 */
async function runTests(files: string[]): Promise<{ passed: number; failed: number; skipped: number }> {
  const server = await startTestServer();
  const child = spawn(
    process.execPath,
    [
      '--import=./test/support/ends-by-itself.ts',
      '--test',
      '--test-concurrency=2',
      '--test-reporter=spec',
      '--test-timeout=240000',
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, MILAAN_TEST_SERVER: server.url } },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    output += chunk.toString();
  });
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  await server.stop();
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  return {
    passed: count('pass'),
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: count('skipped'),
  };
}
