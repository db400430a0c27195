import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** `answers` per second, and milliseconds. */
export type Load = { answers: number; perSecond: number; p50: number; p99: number };

export type LoadOptions = { seconds: number; args?: string[]; connections?: number; pace?: number };

const scripts = fileURLToPath(new URL('.', import.meta.url));

/**
 * Loads a server from a separate process, over 64 connections by default. `lines` are what the script chooses from.
 * With a `pace`, a connection waits that many milliseconds on average between requests. An unexpected status or a
 * missing answer fails the benchmark.
 */
export async function runWrk(
  url: string,
  script: 'create' | 'read',
  lines: readonly string[],
  { seconds, args = [], connections = 64, pace }: LoadOptions,
): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-bench-wrk-'));
  try {
    const file = join(folder, 'lines');
    writeFileSync(file, lines.join('\n') + '\n');
    const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'];
    const { stdout } = await promisify(execFile)(
      'wrk',
      [...options, '-s', `${scripts}${script}.lua`, url, '--', file, ...args],
      { env: { ...process.env, LUA_PATH: `${scripts}?.lua`, ...(pace && { PACE: String(pace) }) } },
    );
    return read(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(output: string): Load {
  const said = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Record<string, number>;
  const { answers = 0, seconds = 1, unexpected = 0, broken = 0, p50 = 0, p99 = 0 } = said;
  if (answers === 0 || unexpected > 0 || broken > 0) {
    throw new Error(`${unexpected} unexpected and ${broken} broken of ${answers} answers\n${output}`);
  }
  return { answers, perSecond: answers / seconds, p50, p99 };
}
