import { crc32 } from 'node:zlib';

/** A ZIP archive of a few small files with plain ASCII names, none of them packed. */
export function writeZip(files: Readonly<Record<string, string | Buffer>>, now: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const time = (now.getUTCHours() << 11) | (now.getUTCMinutes() << 5) | (now.getUTCSeconds() >> 1);
  const date = ((now.getUTCFullYear() - 1980) << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate();
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    // Version, flags, method, time, date, sum, both sizes, the lengths of name and extra: the same in both places.
    const facts = Buffer.alloc(26);
    for (const [place, value] of [
      [0, 20],
      [6, time],
      [8, date],
      [22, name.length],
    ] as const)
      facts.writeUInt16LE(value, place);
    for (const [place, value] of [
      [10, crc32(content)],
      [14, content.length],
      [18, content.length],
    ] as const)
      facts.writeUInt32LE(value, place);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name));
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name)]);
    parts.push(head, content);
    at += head.length + content.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  for (const place of [4, 6]) end.writeUInt16LE(Object.keys(files).length, place);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}
