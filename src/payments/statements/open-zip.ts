import { createInflateRaw } from 'node:zlib';
import { mostUnpackedBytes, StatementFault } from './table-limits.ts';

/** An archive's files. Each is unpacked in pieces when it is asked for. */
export type Zip = { has(name: string): boolean; read(name: string): AsyncIterable<Buffer> };

type Entry = { method: number; packed: number; at: number };

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;
const mostEntries = 2_000;
const [stored, deflated] = [0, 8];

/**
 * Reads a ZIP archive's directory. Only requested files are unpacked, all together to at most `mostUnpackedBytes`. The
 * sizes that the directory claims are never trusted.
 */
export function openZip(bytes: Buffer): Zip {
  const entries = readDirectory(bytes);
  let unpacked = 0;
  return {
    has: name => entries.has(name),
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) throw new StatementFault('damaged');
      for await (const chunk of unpack(bytes, entry)) {
        unpacked += chunk.length;
        if (unpacked > mostUnpackedBytes) throw new StatementFault('unpacks_too_large');
        yield chunk;
      }
    },
  };
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > mostEntries) throw new StatementFault('damaged');
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let read = 0; read < count; read++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== directorySignature) throw new StatementFault('damaged');
    const [nameLength, extra, comment] = [28, 30, 32].map(place => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength! + extra! + comment!;
  }
  return entries;
}

/** The end record is last, except for a comment. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - longestComment);
  for (let at = bytes.length - endLength; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endSignature) return at;
  }
  throw new StatementFault('damaged');
}

async function* unpack(bytes: Buffer, { method, packed, at }: Entry): AsyncGenerator<Buffer> {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== fileSignature) throw new StatementFault('damaged');
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  if (start + packed > bytes.length) throw new StatementFault('damaged');
  const content = bytes.subarray(start, start + packed);
  if (method === stored) {
    yield content;
    return;
  }
  if (method !== deflated) throw new StatementFault('damaged');
  const inflate = createInflateRaw();
  inflate.end(content);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch {
    throw new StatementFault('damaged');
  }
}
