import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PackageFiles } from '../src/developers/clients/build-sdk.ts';

const root = resolve(import.meta.dirname, '..');
const own = join(root, 'sdk/alerts');
const banks = join(root, 'src/alerts/banks');
const compiler = join(root, 'node_modules/.bin/tsc');

/**
 * `@milaan/alerts`: bundles the modules that judge a mail into one file with its types, next to the banks' entries.
 * Their packages become dependencies, in the version that the service uses.
 */
export async function buildAlerts(): Promise<PackageFiles> {
  // Asked for here: the container's build has no packages when it lays out the tree.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [join(own, 'src/alerts.ts')],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    packages: 'external',
    charset: 'utf8',
    logLevel: 'error',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const entries = ['every-bank.json', ...globSync('entries/*.json', { cwd: banks }).sort()];
  return {
    'package.json': manifest(imported),
    'README.md': readFileSync(join(own, 'README.md'), 'utf8'),
    'dist/alerts.js': outputFiles[0]!.text,
    ...Object.fromEntries(entries.map(file => [`dist/${file}`, readFileSync(join(banks, file), 'utf8')])),
    ...types(),
  };
}

function manifest(imported: readonly string[]): string {
  const { dependencies } = read(join(root, 'package.json')) as { dependencies: Record<string, string> };
  const needed = Object.entries(dependencies).filter(([name]) =>
    imported.some(path => path === name || path.startsWith(`${name}/`)),
  );
  const described = { ...read(join(own, 'package.json')), dependencies: Object.fromEntries(needed) };
  return `${JSON.stringify(described, null, 2)}\n`;
}

function read(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}

function types(): PackageFiles {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-alerts-'));
  try {
    const config = join(folder, 'tsconfig.json');
    const written = join(folder, 'types');
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          noEmit: false,
          declaration: true,
          emitDeclarationOnly: true,
          rootDir: root,
          outDir: written,
          typeRoots: [join(root, 'node_modules/@types')],
        },
        files: [join(own, 'src/alerts.ts')],
        include: [],
      }),
    );
    execFileSync(compiler, ['-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    const files = globSync('**/*.d.ts', { cwd: written }).sort();
    return Object.fromEntries(
      files.map(file => [
        `dist/types/${file}`,
        readFileSync(join(written, file), 'utf8').replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1'),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
