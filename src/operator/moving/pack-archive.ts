import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { World } from '../../base/world.ts';
import { type Leaving, writeBusiness } from './write-business.ts';

type PackWorld = Pick<World, 'sql' | 'secrets' | 'clock'>;

/** As `archiveOf`, compressed, and read for no longer than `within`. */
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

/**
 * The archive as it is read from the database; whoever reads slowly makes the reading slow, and holds a connection
 * meanwhile. Rejected where it cannot begin.
 */
async function archiveOf(world: PackWorld, what: Leaving): Promise<Readable> {
  const plain = new PassThrough();
  const closed = new AbortController();
  plain.once('close', () => closed.abort());
  // Where it cannot begin nobody reads it yet, and an error that nobody hears ends the process.
  plain.on('error', () => {});
  const begun = Promise.withResolvers<void>();
  const write = async (bytes: Buffer) => {
    begun.resolve();
    closed.signal.throwIfAborted();
    if (!plain.write(bytes)) await once(plain, 'drain', { signal: closed.signal });
  };
  writeBusiness(world, what, write).then(
    () => plain.end(),
    error => {
      begun.reject(error);
      plain.destroy(error);
    },
  );
  await begun.promise;
  return plain;
}
