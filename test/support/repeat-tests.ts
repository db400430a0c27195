import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the tests again and again next to `load` busy processes, and prints each test that failed, by name and how
 * often. Answers the exit code.
 */
export async function repeatTests(times: number, load: number, args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-suite-'));
  const failures = new Map<string, number>();
  const busy = Array.from({ length: load }, keepBusy);
  for (let round = 1; round <= times; round++) {
    const began = performance.now();
    const log = join(folder, `round-${round}.log`);
    const said = await runOnce(args, log);
    const sum = /^\d+ passed, \d+ failed$/m.exec(said)?.[0];
    for (const name of sum ? failedIn(said) : ['the whole round: it has no last line'])
      failures.set(name, (failures.get(name) ?? 0) + 1);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`round ${round} of ${times}: ${sum ?? 'no sum'}, ${seconds} s, ${log}`);
  }
  for (const child of busy) child.kill('SIGKILL');

  for (const [name, count] of [...failures].sort((one, other) => other[1] - one[1]))
    console.log(`failed ${count} of ${times}: ${name}`);
  if (failures.size === 0) console.log(`${times} clean rounds next to ${load} busy processes`);
  return failures.size === 0 ? 0 : 1;
}

/** Tests and checks by their names, from the lists at the end of a run. */
function failedIn(report: string): Set<string> {
  const tests = report.matchAll(/^test at (\S+?):\d+:\d+\n✖ (.*) \([\d.]+ms\)$/gm);
  const checks = report.matchAll(/^failed (check): (.*)$/gm);
  return new Set([...tests, ...checks].map(([, where, name]) => `${where}: ${name}`));
}

/** A loop that never rests. It ends with this process, however this one ends. */
function keepBusy(): ChildProcess {
  const code = `process.on('disconnect', () => process.exit());
    const turn = () => { for (let n = 0; n < 1e7; n++); setImmediate(turn); };
    turn();`;
  return spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function runOnce(args: readonly string[], log: string): Promise<string> {
  const child = spawn(process.execPath, ['test/run.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
