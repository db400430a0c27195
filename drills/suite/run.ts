import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run drill -- suite --times 5 --load 2`: runs the tests again and again with busy processes beside them, and
 * prints what ever failed, by name and how often. `--tier all` takes the second tier; files may be named as well.
 */
const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    load: { type: 'string', default: '2' },
    tier: { type: 'string', default: 'first' },
  },
  allowPositionals: true,
});
const tiers: Record<string, string> = { first: 'test', all: 'test:all' };
const script = tiers[values.tier];
if (script === undefined) throw new Error(`--tier is first or all, not ${values.tier}`);
const times = Number(values.times);
const folder = mkdtempSync(join(tmpdir(), 'milaan-suite-'));

const failures = new Map<string, number>();
const busy = Array.from({ length: Number(values.load) }, keepBusy);
for (let round = 1; round <= times; round++) {
  const began = performance.now();
  const log = join(folder, `round-${round}.log`);
  const said = await runOnce(log);
  const sum = /^\d+ passed, \d+ failed$/m.exec(said)?.[0];
  for (const name of sum ? failedIn(said) : ['the whole round: it has no last line'])
    failures.set(name, (failures.get(name) ?? 0) + 1);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`round ${round} of ${times}: ${sum ?? 'no sum'}, ${seconds} s, ${log}`);
}
for (const child of busy) child.kill('SIGKILL');

for (const [name, count] of [...failures].sort((one, other) => other[1] - one[1]))
  console.log(`failed ${count} of ${times}: ${name}`);
if (failures.size === 0) console.log(`${times} clean rounds with ${values.load} busy processes beside them`);
process.exitCode = failures.size === 0 ? 0 : 1;

/** Tests and checks by their names, from the lists at the end of a run. */
function failedIn(report: string): Set<string> {
  const tests = report.matchAll(/^test at (\S+?):\d+:\d+\n✖ (.*) \([\d.]+ms\)$/gm);
  const checks = report.matchAll(/^failed (check): (.*)$/gm);
  return new Set([...tests, ...checks].map(([, where, name]) => `${where}: ${name}`));
}

/** Other work: a loop that never rests. It ends with us, however we end. */
function keepBusy(): ChildProcess {
  const code = `process.on('disconnect', () => process.exit());
    const turn = () => { for (let n = 0; n < 1e7; n++); setImmediate(turn); };
    turn();`;
  return spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function runOnce(log: string): Promise<string> {
  const child = spawn('npm', ['run', '--silent', script!, '--', ...positionals], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      file.write(chunk);
    });
  await new Promise(resolve => child.once('close', resolve));
  file.end();
  return said;
}
