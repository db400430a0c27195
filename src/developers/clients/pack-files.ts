import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PackageFiles } from './build-sdk.ts';

const blockSize = 512;
/** The moment that npm itself writes into packages: the same sources give the same bytes, whenever they are packed. */
const packedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000;

/** A package as npm installs it: a tar archive (POSIX ustar), below `package/`, compressed. */
export async function packFiles(files: PackageFiles): Promise<Buffer> {
  const entries = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    return [
      header(`package/${path}`, content.length),
      content,
      Buffer.alloc(-content.length & (blockSize - 1)),
    ];
  });
  return await promisify(gzip)(Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]), { level: 9 });
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
  block.write(path, 0, 100, 'utf8');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(packedAt, 136, 12);
  // The sum is taken as if its own field were blank.
  block.fill(' ', 148, 156);
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
