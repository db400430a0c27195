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
export function compilePo(pairs: Map<string, string>): Buffer {
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
