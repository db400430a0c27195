import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Program = {
  url: string;
  dataDir: string;
  child: ChildProcess;
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string | null>;
};

/** `open`: for root the database runs as another user, who has to pass. A closed one takes user namespaces. */
export function newDataDir({ open = true } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-program-'));
  if (open) chmodSync(folder, 0o711);
  return folder;
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
}

/** `cwd`: where another version of the program is. */
type Options = { env?: Record<string, string>; args?: string[]; prefix?: string[]; cwd?: string };

/** The same option as in package.json, the units and the image. */
const youngObjects = '--max-semi-space-size=16';

/** The real program as an operator starts it, with nothing of our environment but what is given. */
export function startProgram(
  dataDir: string,
  { env = {}, args = [], prefix = [], cwd = '.' }: Options = {},
): Omit<Program, 'url'> {
  const started = [process.execPath, youngObjects, 'src/main.ts', '--env-file=/dev/null', ...args];
  const [command = '', ...rest] = [...prefix, ...started];
  const child = spawn(command, rest, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: '/tmp',
      DATA_DIR: dataDir,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout?.on('data', chunk => {
    said += chunk;
  });
  child.stderr?.on('data', chunk => {
    said += chunk;
  });
  const ended = new Promise<number | string | null>(resolve =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  return { dataDir, child, ended, output: () => said };
}

/** Waits until the program says that it is ready; fails with all it said when it ends before. */
export async function startReady(dataDir: string, options: Options = {}): Promise<Program> {
  const program = startProgram(dataDir, options);
  const ready = new Promise<void>(resolve => {
    const look = () => {
      if (/ready; stop with/.test(program.output())) resolve();
    };
    program.child.stdout?.on('data', look);
    look();
  });
  const early = program.ended.then(code => {
    throw new Error(`ended with ${code} before it was ready:\n${program.output()}`);
  });
  await Promise.race([ready, early]);
  const url = /listening on (http:\S+)/.exec(program.output())?.[1] ?? '';
  return { ...program, url };
}
