import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSdk, type PackageFiles } from '../src/developers/clients/build-sdk.ts';

const source = resolve(import.meta.dirname, '../plugins/medusa');
const compiler = resolve(import.meta.dirname, '../node_modules/.bin/tsc');

/** The provider for Medusa as plain JavaScript with its types, built against the SDK as a shop installs it. */
export async function buildMedusa(): Promise<PackageFiles> {
  const sdk = await buildSdk();
  if (sdk === null) throw new Error('the compiler is not installed: run npm ci');
  const folder = mkdtempSync(join(tmpdir(), 'milaan-medusa-'));
  try {
    writePackage(join(folder, 'node_modules/@milaan/sdk'), sdk);
    const config = join(folder, 'tsconfig.json');
    const types = join(folder, 'node_modules/@milaan/sdk/dist/milaan.d.ts');
    const typeRoots = [resolve(import.meta.dirname, '../node_modules/@types')];
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(source, 'tsconfig.json'),
        compilerOptions: {
          rootDir: join(source, 'src'),
          outDir: folder,
          typeRoots,
          paths: { '@milaan/sdk': [types] },
          noEmit: false,
        },
        include: [join(source, 'src')],
      }),
    );
    execFileSync(compiler, ['-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    const built = globSync('*.{js,d.ts}', { cwd: folder }).sort();
    return {
      'package.json': readFileSync(join(source, 'package.json'), 'utf8'),
      'README.md': readFileSync(join(source, 'README.md'), 'utf8'),
      ...Object.fromEntries(built.map(file => [`dist/${file}`, readFileSync(join(folder, file), 'utf8')])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writePackage(folder: string, files: PackageFiles): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
