const block = 512;
/** Larger than any entry that we write; those have a few megabytes at most. */
export const mostEntry = 64 * 1024 * 1024;

export type Entry = { name: string; content: Buffer };

/** Thrown if the file is not a Milaan archive or is damaged. */
export class BrokenArchive extends Error {}

/** Returns one file as a tar entry (ustar), which every machine can unpack. */
export function tarEntry({ name, content }: Entry, at: Date, mode = 0o600): Buffer {
  const header = Buffer.alloc(block);
  const put = (text: string, place: number) => header.write(text, place, 'latin1');
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  put(name, 0);
  put(octal(mode, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(content.length, 12), 124);
  put(octal(Math.floor(at.getTime() / 1000), 12), 136);
  put('        0', 148);
  put('ustar\x0000', 257);
  put(`${octal(sumOf(header), 7)}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (block - 1))]);
}

export const tarEnd = Buffer.alloc(2 * block);

/** Yields an archive's files one by one, with at most one in memory and `most` bytes in total. */
export async function* readTar(bytes: AsyncIterable<Buffer>, most = 2 ** 53): AsyncGenerator<Entry> {
  const take = reader(bytes, most);
  for (;;) {
    const header = await take(block);
    if (header.every(byte => byte === 0)) return;
    const text = (from: number, length: number) =>
      header
        .toString('latin1', from, from + length)
        .replace(/\0.*$/s, '')
        .trim();
    const size = Number.parseInt(text(124, 12), 8);
    const sum = Number.parseInt(text(148, 8), 8);
    header.fill(' ', 148, 156);
    if (sum !== sumOf(header) || !(size >= 0 && size <= mostEntry))
      throw new BrokenArchive('it is not an archive of a business, or it was damaged');
    const content = await take(size);
    await take(-size & (block - 1));
    yield { name: text(0, 100), content };
  }
}

function reader(bytes: AsyncIterable<Buffer>, most: number): (length: number) => Promise<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]();
  let rest: Buffer[] = [];
  let held = 0;
  let read = 0;
  return async length => {
    while (held < length) {
      const { value, done } = await chunks.next();
      if (done) throw new BrokenArchive('it ends in the middle: it was cut off');
      rest.push(value);
      held += value.length;
      read += value.length;
      if (read > most) throw new BrokenArchive(`it unpacks to more than ${most} bytes`);
    }
    const all = rest.length === 1 ? rest[0]! : Buffer.concat(rest);
    rest = [all.subarray(length)];
    held -= length;
    return Buffer.from(all.subarray(0, length));
  };
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
