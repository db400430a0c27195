/** Small, because customers load it with the page on slow connections. */
export const mostLogoBytes = 64 * 1024;
/** Pixels per side. A small file can decompress to gigabytes in the customer's browser. */
const mostSide = 1024;
const leastSide = 32;

export type LogoType = 'png' | 'jpg' | 'webp';
export type ReadLogo = { type: LogoType } | { problem: 'not_a_picture' | 'too_large' | 'wrong_size' };

/**
 * Checks a picture by its bytes and ignores its declared type. It must be complete, without trailing data that could
 * hide another file, and without animation. SVG can contain scripts and is refused.
 */
export function readLogo(bytes: Buffer): ReadLogo {
  if (bytes.length > mostLogoBytes) return { problem: 'too_large' };
  for (const [type, sizeOf] of kinds) {
    const size = sizeOf(bytes);
    if (size === null) continue;
    const fits = size.every(side => side >= leastSide && side <= mostSide);
    return fits ? { type } : { problem: 'wrong_size' };
  }
  return { problem: 'not_a_picture' };
}

type Size = readonly [width: number, height: number];

const kinds: readonly (readonly [LogoType, (bytes: Buffer) => Size | null])[] = [
  ['png', sizeOfPng],
  ['jpg', sizeOfJpeg],
  ['webp', sizeOfWebp],
];

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** PNG §5: chunks from IHDR to IEND. `acTL` would make it an animation. */
function sizeOfPng(bytes: Buffer): Size | null {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  let size: Size | null = null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (size === null) {
      if (type !== 'IHDR' || length !== 13 || bytes.length < at + 25) return null;
      size = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    }
    if (type === 'acTL') return null;
    at += length + 12;
    if (type === 'IEND') return at === bytes.length ? size : null;
  }
  return null;
}

/** Start-of-frame markers, without the tables (C4, CC) and the extension (C8) between them. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const [startOfImage, startOfScan] = [0xffd8, 0xda];

/** JPEG: reads segments up to the first frame, which has the size. The file must end with its end marker. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== startOfImage) return null;
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    if (marker === startOfScan) return null;
    if (isFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** WebP: one RIFF container of the file's length: lossy, lossless or extended. The last may be animated. */
function sizeOfWebp(bytes: Buffer): Size | null {
  const word = (at: number) => bytes.toString('latin1', at, at + 4);
  if (bytes.length < 30 || word(0) !== 'RIFF' || word(8) !== 'WEBP') return null;
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const kind = word(12);
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
  }
  const moves = (bytes[20]! & 2) !== 0;
  return kind === 'VP8X' && !moves ? [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1] : null;
}
