import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { smallPng } from '../support/small-png.ts';

const grey = (n: number) => (n << 16) | (n << 8) | n;
const [amber, red] = [0x8a4b08, 0xa3271f];

test('a small word keeps its colour in a picture with more than 256 colours', () => {
  const greys = Array.from({ length: 256 }, (_, n) => [grey(n), grey(n) ^ 1, grey(n)]).flat();
  const shown = colours(smallPng(picture([...greys, amber, red])), greys.length + 2);
  assert.deepEqual(shown.slice(-2), [amber, red]);
  for (const [at, colour] of greys.entries())
    for (const shift of [16, 8, 0])
      assert.ok(Math.abs(((shown[at]! >> shift) & 255) - ((colour >> shift) & 255)) < 4, `grey ${at}`);
});

test('a picture with 256 colours keeps each of them', () => {
  const all = [...Array.from({ length: 254 }, (_, n) => grey(n)), amber, red];
  assert.deepEqual(colours(smallPng(picture(all)), all.length), all);
});

function chunk(type: string, data: Buffer): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])), 4);
  return Buffer.concat([frame.subarray(0, 4), Buffer.from(type), data, frame.subarray(4)]);
}

/** One row of pixels. */
function picture(pixels: readonly number[]): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(pixels.length);
  const row = Buffer.from([0, ...pixels.flatMap(one => [one >> 16, (one >> 8) & 255, one & 255])]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(row)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function colours(png: Buffer, width: number): number[] {
  const dataOf = (type: string) => {
    const at = png.indexOf(type, 0, 'latin1');
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const palette = dataOf('PLTE');
  return [...inflateSync(dataOf('IDAT')).subarray(1, width + 1)].map(n => palette.readUIntBE(n * 3, 3));
}
