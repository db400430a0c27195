import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** Pixels a module, so that a picture scanned from a screen or taken out of a gallery is sharp. */
const moduleSize = 12;
const quietZone = 4;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** The link as a PNG, black on white: galleries, and the apps that look into them, know no SVG. */
export function qrPng(link: string): Buffer {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: quietZone });
  const side = rows.length * moduleSize;
  const stride = Math.ceil(side / 8);
  const pixels = Buffer.alloc((stride + 1) * side);
  for (let y = 0; y < side; y++) {
    const row = rows[Math.floor(y / moduleSize)]!;
    for (let x = 0; x < side; x++) {
      const isLight = !row[Math.floor(x / moduleSize)];
      if (isLight) pixels[y * (stride + 1) + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // One bit a pixel, grey, and no more.
  head[8] = 1;
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
