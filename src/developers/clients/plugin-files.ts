import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** The translations of a .po file: text by text, in the order of the file. Only what our own files use is understood. */
export function readPo(po: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const block of po.split(/\n\s*\n/)) {
    const id = field(block, 'msgid');
    const text = field(block, 'msgstr');
    if (id !== null && text !== null) pairs.set(id, text);
  }
  return pairs;
}

function field(block: string, name: string): string | null {
  const lines = new RegExp(`^${name} ("(?:.*)"(?:\\n".*")*)`, 'm').exec(block)?.[1];
  if (lines === undefined) return null;
  return lines
    .split('\n')
    .map(line => JSON.parse(line) as string)
    .join('');
}

const magic = 0x950412de;
const headerBytes = 28;

/** GNU's binary form: a header, two tables of length and place, and the texts, each ended by a zero. */
function compilePo(pairs: Map<string, string>): Buffer {
  const bytes = (text: string) => Buffer.from(text);
  const sorted = [...pairs].sort(([a], [b]) => Buffer.compare(bytes(a), bytes(b)));
  const texts = [...sorted.map(([id]) => bytes(id)), ...sorted.map(([, text]) => bytes(text))];
  const head = Buffer.alloc(headerBytes + texts.length * 8);
  const tables = [headerBytes, headerBytes + sorted.length * 8];
  [magic, 0, sorted.length, tables[0]!, tables[1]!, 0, head.length].forEach((number, index) => {
    head.writeUInt32LE(number, index * 4);
  });
  let place = head.length;
  texts.forEach((text, index) => {
    head.writeUInt32LE(text.length, headerBytes + index * 8);
    head.writeUInt32LE(place, headerBytes + index * 8 + 4);
    place += text.length + 1;
  });
  return Buffer.concat([head, ...texts.flatMap(text => [text, Buffer.alloc(1)])]);
}
