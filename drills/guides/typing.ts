import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';

export const root = resolve(import.meta.dirname, '../..');
const path = `${join(import.meta.dirname, 'bin')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** The fenced blocks of a page as they are written; `under`: those below this heading alone. */
export function blocks(page: string, language = 'sh', under = ''): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const from = under === '' ? 0 : text.indexOf(`\n${under}\n`) + under.length + 1;
  if (from < under.length) throw new Error(`${page} has no heading ${under}`);
  const [part = ''] = under === '' ? [text] : text.slice(from).split(/^#{1,3} /m);
  return [...part.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, word, code = '']) =>
    word === language ? [code] : [],
  );
}

export type Shell = {
  folder: string;
  /** Types a text into a shell and returns the result. */
  type(text: string): Promise<{ code: number | null; said: string }>;
  /** Runs the text, and checks its exit code (0 by default) and its output. */
  step(claim: string, text: string, says?: RegExp, code?: number): Promise<string>;
};

/** Root's shell on the machine of the guides, whose sources are this checkout. */
export function openShell({ folder, see }: Stage, more: Record<string, string> = {}): Shell {
  const env = {
    PATH: path,
    HOME: '/root',
    GUIDES_RUN: folder,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: `url.${root}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://git.example.in/milaan.git',
    GIT_CONFIG_KEY_1: 'safe.directory',
    GIT_CONFIG_VALUE_1: '*',
    ...more,
  };
  const type: Shell['type'] = async text => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: '/root',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += chunk;
      });
    const code = await new Promise<number | null>(done => child.once('close', done));
    return { code, said };
  };
  return {
    folder,
    type,
    async step(claim, text, says = /(?:)/, code = 0) {
      const typed = await type(text);
      see(claim, typed.code === code && says.test(typed.said), `${text}\n${typed.code}: ${typed.said}`);
      return typed.said;
    },
  };
}

export async function ready(port: number): Promise<void> {
  await waitFor(`a service at ${port}`, () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      answer => answer.ok,
      () => false,
    ),
  );
}
