import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'plugins/whmcs');
const place = 'modules/gateways';

/** The files to unpack over a WHMCS: the module from the tree, and the PHP client next to it. */
export function whmcsFiles(): { version: string; files: Map<string, Buffer> } {
  const read = (path: string) => readFileSync(join(folder, path));
  const version = /Version: (\d+\.\d+\.\d+)/.exec(read(`${place}/milaan.php`).toString())?.[1] ?? '';
  const files = new Map<string, Buffer>();
  for (const path of globSync(`${place}/**/*`, { cwd: folder }).sort())
    if (statSync(join(folder, path)).isFile()) files.set(path, read(path));
  files.set(`${place}/milaan/Milaan.php`, readFileSync(join(root, 'sdk/php/Milaan.php')));
  files.set(`${place}/milaan/README.md`, read('README.md'));
  return { version, files };
}
