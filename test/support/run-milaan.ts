import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';

/** This machine's own settings are not read; a file that a test names counts instead. */
const noFile = '--env-file=/dev/null';

export type Said = { code: number; out: string; err: string };

/** An operator's command as the machine starts it, with nothing of our environment but what is given. */
export function startMilaan(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return new Promise(end => {
    execFile(
      resolve('bin/milaan'),
      [noFile, ...args],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ...env,
        },
      },
      (error, out, err) => end({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    );
  });
}

let runs = 0;
let before: Promise<unknown> = Promise.resolve();

/**
 * The same command without a process of its own, which would mostly load what is loaded here already. The program's
 * entry point runs again each time, with its own arguments and environment; one command after the other.
 */
export function runMilaan(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return inTurn('src/cli.ts', env, args);
}

/** The service itself, in the same way: only for what it refuses to start with. */
export function refuseStart(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return inTurn('src/start.ts', env, args);
}

async function inTurn(entryPoint: string, env: Record<string, string>, args: string[]): Promise<Said> {
  const mine = before.then(() => runHere(entryPoint, env, [noFile, ...args]));
  before = mine.catch(() => {});
  return await mine;
}

async function runHere(entryPoint: string, env: Record<string, string>, args: string[]): Promise<Said> {
  const kept = { env: { ...process.env }, argv: process.argv, code: process.exitCode };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(
    name => [name, process.listeners(name as 'SIGINT')] as const,
  );
  // A program that is called by its own name has no npm script around it.
  delete process.env['npm_lifecycle_event'];
  Object.assign(process.env, env);
  process.argv = [process.execPath, entryPoint, ...args];
  const [out, err] = [mock.method(console, 'log', () => {}), mock.method(console, 'error', () => {})];
  const exit = mock.method(process, 'exit', () => {});
  const said = (of: typeof out) => of.mock.calls.map(call => `${call.arguments.join(' ')}\n`).join('');
  try {
    const failure = await import(`${pathToFileURL(resolve(entryPoint))}?run=${++runs}`).then(
      () => '',
      (error: Error) => `${error.stack}\n`,
    );
    const code = failure ? 1 : Number(process.exitCode ?? 0);
    return { code, out: said(out), err: said(err) + failure };
  } finally {
    for (const one of [out, err, exit]) one.mock.restore();
    process.exitCode = kept.code;
    process.argv = kept.argv;
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, kept.env);
    for (const [name, listeners] of signals)
      for (const listener of process.listeners(name as 'SIGINT'))
        if (!listeners.includes(listener)) process.off(name, listener);
  }
}
