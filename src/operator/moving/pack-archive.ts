import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { World } from '../../base/world.ts';
import { type Leaving, writeMerchant } from './write-merchant.ts';

type PackWorld = Pick<World, 'sql' | 'secrets' | 'clock'>;

/** `archiveOf`'s stream, compressed. It ends with an error if it is not read within `within`. */
export async function packArchive(world: PackWorld, what: Leaving, within?: number): Promise<Readable> {
  const plain = await archiveOf(world, what);
  const zipped = createGzip();
  pipeline(plain, zipped).catch(() => {});
  const tooLong = () => plain.destroy(new Error('the file was not read in its time'));
  if (within !== undefined) {
    const end = setTimeout(tooLong, within);
    plain.once('close', () => clearTimeout(end));
  }
  return zipped;
}

/** Streams the archive. A slow reader slows the query down and holds its connection. */
async function archiveOf(world: PackWorld, what: Leaving): Promise<Readable> {
  const plain = new PassThrough();
  const closed = new AbortController();
  plain.once('close', () => closed.abort());
  // If it cannot begin, nobody listens yet, and an unhandled stream error would end the process.
  plain.on('error', () => {});
  const begun = Promise.withResolvers<void>();
  const write = async (bytes: Buffer) => {
    begun.resolve();
    closed.signal.throwIfAborted();
    if (!plain.write(bytes)) await once(plain, 'drain', { signal: closed.signal });
  };
  writeMerchant(world, what, write).then(
    () => plain.end(),
    error => {
      begun.reject(error);
      plain.destroy(error);
    },
  );
  await begun.promise;
  return plain;
}
