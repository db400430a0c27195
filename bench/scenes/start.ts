import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { report } from '../report.ts';

/** `npm start` of the sandbox until it says that it is ready, first and later, against what we promise of later ones. */
const promisedSeconds = 2;
const laterStarts = 5;

const dataDir = mkdtempSync(join(tmpdir(), 'milaan-start-'));
try {
  const first = await start();
  const later: number[] = [];
  for (let nth = 0; nth < laterStarts; nth++) later.push(await start());
  const median = later.toSorted((one, other) => one - other)[Math.floor(laterStarts / 2)]!;
  report({
    name: 'start',
    aim: { atMost: 1 },
    ratio: median / promisedSeconds,
    rows: [
      { what: 'first start, database prepared', seconds: first.toFixed(2) },
      { what: `later start, median of ${laterStarts}`, seconds: median.toFixed(2) },
      { what: 'later start, slowest', seconds: Math.max(...later).toFixed(2) },
      { what: 'promised of later starts', seconds: promisedSeconds.toFixed(2) },
    ],
  });
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function start(): Promise<number> {
  const began = performance.now();
  const program = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    for await (const line of createInterface({ input: program.stdout })) {
      if (line.includes('ready; stop with')) return (performance.now() - began) / 1000;
    }
    throw new Error('it ended before it was ready');
  } finally {
    await end(program);
  }
}

/** The whole group: npm does not hand every signal on. */
async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return;
  const gone = once(program, 'exit');
  process.kill(-program.pid!, 'SIGTERM');
  await gone;
}
