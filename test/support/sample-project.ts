import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A merchant's project in a folder of its own, with all clients, the built SDK and Fastify installed. */
export type SampleProject = { folder: string; write(name: string, text: string): string; stop(): void };

export function newSampleProject(): SampleProject {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-sample-'));
  const sdk = join(folder, 'node_modules/@milaan/sdk');
  mkdirSync(sdk, { recursive: true });
  copyFileSync('sdk/package.json', join(sdk, 'package.json'));
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/tsconfig.json', '--outDir', join(sdk, 'dist')]);
  copyFileSync('sdk/php/Milaan.php', join(folder, 'Milaan.php'));
  copyFileSync('sdk/python/milaan.py', join(folder, 'milaan.py'));
  symlinkSync(resolve('node_modules/fastify'), join(folder, 'node_modules/fastify'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    folder,
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
