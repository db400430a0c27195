import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Builds and packs a package of the tree with `npm pack`, and returns the file's path. */
export function packPackage(source: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const args = ['pack', '--json', '--silent', '--pack-destination', resolve(folder)];
  const said = execFileSync('npm', args, { cwd: join(root, source), encoding: 'utf8' });
  const [packed] = JSON.parse(said.slice(said.indexOf('[\n'))) as { filename: string }[];
  return join(resolve(folder), packed!.filename.replace('@', '').replace('/', '-'));
}
