import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** This version. */
export const root = resolve(import.meta.dirname, '../..');

export const firstRelease = '07f1f0167ab444457bd4aaa6e2bfc5764b003772';
/** Release 0.2.0. */
const previousRelease = '8cc283a74d1df310a1bed217c48a0778b58baf7a';
const leftOut = ['node_modules', '.git', '.milaan', 'dist'];

/** A release as git has it, with the packages of this one: what it needs of them is the same. */
export async function released(folder: string, wanted?: string): Promise<{ tree: string; name: string }> {
  const commit = wanted ?? previousRelease;
  const tree = join(folder, 'before');
  mkdirSync(tree);
  const packed = await run('sh', ['-c', `git archive '${commit}' | tar x -C '${tree}'`], root);
  const { said } = await run('git', ['log', '-1', '--format=%h %s', commit], root);
  if (packed.code !== 0 || packed.said !== '') throw new Error(`git has no ${commit}: ${packed.said}`);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return { tree, name: said.trim() };
}

/** The release that could follow this one, with further migrations and functions. */
export function laterVersion(folder: string, name: string, migrations: Record<string, string>): string {
  const tree = join(folder, name);
  cpSync(root, tree, { recursive: true, filter: path => !leftOut.includes(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const described = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
  const [major, minor] = described.version.split('.').map(Number);
  writeFileSync(
    join(tree, 'package.json'),
    JSON.stringify({ ...described, version: `${major}.${minor + 1}.0` }),
  );
  for (const [file, text] of Object.entries(migrations)) writeFileSync(join(tree, 'migrations', file), text);
  return tree;
}

export async function run(
  command: string,
  args: string[],
  cwd = root,
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/tmp', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      said += chunk;
    });
  }
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, said };
}
