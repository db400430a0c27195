import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { World } from '../../base/world.ts';
import { type Leaving, writeBusiness } from './write-business.ts';

/** The archive as it is read from the database, compressed; whoever reads slowly makes the reading slow. */
export function packed(world: Pick<World, 'sql' | 'secrets' | 'clock'>, what: Leaving): Readable {
  const plain = new PassThrough();
  const closed = new AbortController();
  plain.once('close', () => closed.abort());
  const write = async (bytes: Buffer) => {
    closed.signal.throwIfAborted();
    if (!plain.write(bytes)) await once(plain, 'drain', { signal: closed.signal });
  };
  writeBusiness(world, what, write).then(
    () => plain.end(),
    error => plain.destroy(error),
  );
  const zipped = createGzip();
  pipeline(plain, zipped).catch(() => {});
  return zipped;
}
