import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compilePo, readPo } from './compile-po.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'plugins/woocommerce');
const slug = 'milaan-upi';

/** What a shop gets: the plugin as it stands in the tree, the PHP client beside it, and translations as WordPress reads them. */
export function pluginFiles(): { slug: string; version: string; files: Map<string, Buffer> } {
  const read = (path: string) => readFileSync(join(folder, path));
  const version = /^ \* Version: (\S+)$/m.exec(read(`${slug}.php`).toString())?.[1] ?? '';
  const files = new Map<string, Buffer>();
  for (const path of globSync('**/*', { cwd: folder }).sort()) {
    if (!statSync(join(folder, path)).isFile()) continue;
    files.set(`${slug}/${path}`, read(path));
    if (path.endsWith('.po'))
      files.set(`${slug}/${path.replace(/\.po$/, '.mo')}`, compilePo(readPo(read(path).toString())));
  }
  files.set(`${slug}/includes/Milaan.php`, readFileSync(join(root, 'sdk/php/Milaan.php')));
  return { slug, version, files };
}
