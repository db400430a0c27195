import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asPacked, builtFolder } from '../../src/base/http/bundle.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that the program reads while it runs. TypeScript becomes JavaScript: below node_modules Node strips no types. */
const parts = [
  'CHANGELOG.md',
  'docs/*.{md,json}',
  'docs/pictures/*',
  'examples/shop/**',
  'migrations/**/*.sql',
  'plugins/woocommerce/**',
  'sdk/{package.json,README.md}',
  'sdk/mcp/*.{js,json,md}',
  'sdk/{src,php,python}/*',
  'src/**',
];
/** Files only for contributors, and the sources of what `built/` contains. */
const leftOut = /\/(?:__pycache__|node_modules)(?:\/|$)|\.tsbuildinfo$|\/browser\/.*(?<!\.d)\.ts$/;
const onlyToBuild = ['esbuild', 'typescript'];

/**
 * Stages the package `milaan` for `npm pack`. Lines keep their source positions, so that stack traces name the right
 * line.
 */
export function stageNpm(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const path of globSync(parts, { cwd: root, withFileTypes: true })
    .filter(found => found.isFile())
    .map(found => join(found.parentPath, found.name).slice(root.length))
    .filter(path => !leftOut.test(path)))
    putFile(path, folder);
  // The files for browsers and shops, built from the current sources.
  execFileSync(process.execPath, ['scripts/build-browser.ts'], { cwd: root });
  for (const file of [
    'sdk.json',
    ...readdirSync(new URL('browser/', builtFolder())).map(name => `browser/${name}`),
  ])
    putBuilt(file, folder);
  for (const script of ['milaan.js', 'follow-parent.js'])
    put(join(folder, 'bin', script), readFileSync(join(root, 'packaging/npm', script)));
  chmodSync(join(folder, 'bin/milaan.js'), 0o755);
  put(join(folder, 'README.md'), readFileSync(join(root, 'packaging/npm/README.md')));
  put(join(folder, 'package.json'), `${JSON.stringify(manifest(folder), null, 2)}\n`);
}

function putFile(path: string, folder: string): void {
  const bytes = readFileSync(join(root, path));
  if (!path.endsWith('.ts') || path.endsWith('.d.ts')) put(join(folder, path), bytes);
  else put(join(folder, path.replace(/\.ts$/, '.js')), asJavaScript(bytes.toString()));
}

function asJavaScript(text: string): string {
  return stripTypeScriptTypes(text)
    .replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1')
    .replaceAll(/[ \t]+$/gm, '');
}

function putBuilt(file: string, folder: string): void {
  const built = JSON.parse(readFileSync(new URL(file, builtFolder()), 'utf8')) as object;
  put(join(folder, 'built', file), JSON.stringify({ ...built, inputs: [], digest: asPacked }));
}

function manifest(folder: string): object {
  const { scripts, devDependencies, optionalDependencies, ...own } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, object>;
  return {
    ...own,
    bin: { milaan: 'bin/milaan.js' },
    // A program, and nothing to import.
    exports: { './package.json': './package.json' },
    files: readdirSync(folder).filter(name => basename(name) !== 'package.json'),
    optionalDependencies: Object.fromEntries(
      Object.entries(optionalDependencies ?? {}).filter(([name]) => !onlyToBuild.includes(name)),
    ),
  };
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
