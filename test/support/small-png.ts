import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const mostColours = 256;

/**
 * The same picture with at most 256 colours: a screen has few, and its file becomes a third as large. Takes what
 * Chromium writes (eight bits a channel, not interlaced) and leaves anything else as it is.
 */
export function smallPng(png: Buffer): Buffer {
  const parts = chunks(png);
  const head = parts.find(({ type }) => type === 'IHDR')!.data;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const bytes = head[9] === 2 ? 3 : head[9] === 6 ? 4 : 0;
  if (head[8] !== 8 || bytes === 0 || head[12] !== 0) return png;
  const packed = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = unfilter(inflateSync(packed), width * bytes, height, bytes);
  const colours = new Map<number, number>();
  const colourAt = (at: number) => (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
  for (let at = 0; at < pixels.length; at += bytes)
    colours.set(colourAt(at), (colours.get(colourAt(at)) ?? 0) + 1);
  const byUse = [...colours.keys()].sort((a, b) => colours.get(b)! - colours.get(a)!);
  const palette = paletteOf(byUse);
  const index = new Map(byUse.map(colour => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += bytes) rows[y * (width + 1) + 1 + x] = index.get(colourAt(at))!;
  const newHead = Buffer.from(head);
  newHead[9] = 3;
  return Buffer.concat([
    signature,
    chunk('IHDR', newHead),
    chunk('PLTE', Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

type Chunk = { type: string; data: Buffer };

function chunks(png: Buffer): Chunk[] {
  const found: Chunk[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG stores each row as its difference to the bytes left of it and above it (PNG §9.2). */
function unfilter(raw: Buffer, stride: number, height: number, bytes: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < bytes ? 0 : out[at - bytes]!;
      const up = y === 0 ? 0 : out[at - stride]!;
      const corner = x < bytes || y === 0 ? 0 : out[at - stride - bytes]!;
      out[at] = raw[y * (stride + 1) + 1 + x]! + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/**
 * No colour of the picture is farther from the palette than two colours of the palette are from each other. The most
 * used 256 would be hundreds of greys of the letters' edges, and a small word in amber would become grey.
 */
function paletteOf(byUse: readonly number[]): number[] {
  for (let apart = 1; ; apart *= 2) {
    const kept: number[] = [];
    for (const colour of byUse) {
      if (kept.length > mostColours) break;
      if (kept.every(one => distance(one, colour) >= apart)) kept.push(colour);
    }
    if (kept.length <= mostColours) return kept;
  }
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map(one => distance(one, colour));
  return distances.indexOf(Math.min(...distances));
}

/** Squared. */
function distance(one: number, other: number): number {
  const apartIn = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return apartIn(16) ** 2 + apartIn(8) ** 2 + apartIn(0) ** 2;
}
