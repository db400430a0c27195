import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtFolder, keepBuilt } from '../../base/http/bundle.ts';

export type PackageFiles = Record<string, string>;
type Built = { digest: string; files: PackageFiles };

const sdk = fileURLToPath(new URL('../../../sdk/', import.meta.url));

/** The SDK as JavaScript with its types. Null if nothing is built and the compiler, an optional package, is missing. */
export async function buildSdk(
  place: URL = new URL('sdk.json', builtFolder()),
): Promise<PackageFiles | null> {
  const built = await keepBuilt<Built>(
    place,
    ({ digest }) => digest === digestOfSources(),
    async () => {
      const compiler = findCompiler();
      return compiler === null ? null : { digest: digestOfSources(), files: await compile(compiler) };
    },
  );
  return built?.files ?? null;
}

function digestOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of [
    'package.json',
    'README.md',
    'tsconfig.json',
    ...globSync('src/*.ts', { cwd: sdk }).sort(),
  ])
    hash.update(file).update(readFileSync(join(sdk, file)));
  return hash.digest('hex');
}

function findCompiler(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
    return manifest.replace(/package\.json$/, 'bin/tsc');
  } catch {
    return null;
  }
}

async function compile(compiler: string): Promise<PackageFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-sdk-'));
  try {
    await promisify(execFile)(process.execPath, [
      compiler,
      '-p',
      join(sdk, 'tsconfig.json'),
      '--outDir',
      folder,
    ]);
    const built = globSync('*.{js,d.ts}', { cwd: folder }).sort();
    return {
      'package.json': readFileSync(join(sdk, 'package.json'), 'utf8'),
      'README.md': readFileSync(join(sdk, 'README.md'), 'utf8'),
      ...Object.fromEntries(built.map(file => [`dist/${file}`, readFileSync(join(folder, file), 'utf8')])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
