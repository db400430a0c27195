import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mostLogoBytes, readLogo } from '../../../src/business/merchants/read-logo.ts';
import { qrPng } from '../../../src/orders/upi-link.ts';

const png = qrPng('upi://pay?pa=chai@okaxis');
const problem = (bytes: Buffer) => {
  const read = readLogo(bytes);
  return 'problem' in read ? read.problem : read.type;
};

/** The frame of each kind, with nothing inside: what is looked at, and no more. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b08000000000101110000', 'hex').subarray(0, 13);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000044a46', 'hex'), frame, Buffer.from('ffd9', 'hex')]);
}
function webp(kind: string, body: Buffer): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(body.length + 8, 4);
  return Buffer.concat([head, Buffer.from(kind, 'latin1'), body]);
}
function extended(flags: number, width: number, height: number): Buffer {
  const body = Buffer.alloc(14);
  body.writeUInt32LE(10, 0);
  body[4] = flags;
  body.writeUIntLE(width - 1, 8, 3);
  body.writeUIntLE(height - 1, 11, 3);
  return webp('VP8X', body);
}

test('a picture is recognized by its bytes: PNG, JPEG and WebP of a sensible size', () => {
  assert.equal(problem(png), 'png');
  assert.equal(problem(jpeg(200, 100)), 'jpg');
  assert.equal(problem(extended(0, 300, 64)), 'webp');
  const lossless = Buffer.alloc(18);
  lossless[4] = 0x2f;
  lossless.writeUInt32LE(99 | (49 << 14), 5);
  assert.equal(problem(webp('VP8L', lossless)), 'webp');
});

test('a logo that is no picture, a program, truncated, animated or followed by more bytes is refused', () => {
  const moving = Buffer.concat([png.subarray(0, 33), Buffer.from('00000000'), png.subarray(33)]);
  moving.write('\0\0\0\0acTL', 33, 'latin1');
  for (const bytes of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('GIF89a\x40\0\x40\0', 'latin1'),
    Buffer.from(''),
    png.subarray(0, 40),
    png.subarray(0, png.length - 1),
    Buffer.concat([png, Buffer.from('<script>')]),
    Buffer.concat([jpeg(200, 100), Buffer.from('<html>')]),
    Buffer.concat([extended(0, 300, 64), Buffer.from('PK')]),
    extended(2, 300, 64),
    moving,
    readFileSync('src/orders/page/browser/icon.svg'),
  ])
    assert.equal(problem(bytes), 'not_a_picture', bytes.toString('latin1', 0, 20));
});

test('a small file that unpacks to a huge picture, a tiny picture and a large file are refused', () => {
  assert.equal(problem(jpeg(1024, 32)), 'jpg');
  for (const [width, height] of [
    [1025, 100],
    [100, 65_535],
    [31, 100],
    [0, 0],
  ] as const)
    assert.equal(problem(jpeg(width, height)), 'wrong_size');
  assert.equal(problem(Buffer.concat([png, Buffer.alloc(mostLogoBytes)])), 'too_large');
});
