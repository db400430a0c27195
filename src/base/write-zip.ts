import { crc32 } from 'node:zlib';

export type ZipFile = { name: string; content: Buffer };

/** Names are plain ASCII; nothing is packed, and nothing as large as 4 GiB can come. */
const version = 20;

/** A ZIP archive of a few small files, each as it is. */
export function writeZip(files: readonly ZipFile[], now: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content } of files) {
    const facts = factsOf(name, content, now);
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name)]);
    // What the directory has beside them: who made it, no comment, no disk, no attributes, and where it stands.
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const made = Buffer.from([version, 0]);
    directory.push(Buffer.from('PK\x01\x02'), made, facts, place, Buffer.from(name));
    parts.push(head, content);
    at += head.length + content.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

/** Version, flags, method, time, sum, sizes and the lengths of name and extra: the same in both places. */
function factsOf(name: string, content: Buffer, now: Date): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(version, 0);
  const [hours, minutes, seconds] = [now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds()];
  facts.writeUInt16LE((hours << 11) | (minutes << 5) | (seconds >> 1), 6);
  facts.writeUInt16LE(
    ((now.getUTCFullYear() - 1980) << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate(),
    8,
  );
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(content.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  return facts;
}
