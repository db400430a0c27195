import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { World } from '../../base/world.ts';
import { type Leaving, writeBusiness } from './write-business.ts';

/**
 * The archive as it is read from the database, compressed; whoever reads slowly makes the reading slow, and holds a
 * connection meanwhile: not for longer than `within`. Rejected where it cannot begin.
 */
export async function packed(
  world: Pick<World, 'sql' | 'secrets' | 'clock'>,
  what: Leaving,
  within?: number,
): Promise<Readable> {
  const plain = new PassThrough();
  const closed = new AbortController();
  plain.once('close', () => closed.abort());
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
  const zipped = createGzip();
  pipeline(plain, zipped).catch(() => {});
  await begun.promise;
  const tooLong = () => plain.destroy(new Error('the file was not read in its time'));
  if (within !== undefined) {
    const end = setTimeout(tooLong, within);
    plain.once('close', () => clearTimeout(end));
  }
  return zipped;
}
