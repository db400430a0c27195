import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import decodeQR from 'qr/decode.js';
import { paise } from '../../src/base/money.ts';
import { qrDataUri, qrSvg, upiLink } from '../../src/orders/upi-link.ts';

const link = 'upi://pay?pa=chai@okaxis&pn=Chai%20Point&am=499.37&cu=INR&tn=ML-0123456789';
const hindi = upiLink(
  {
    vpa: 'chai@okaxis',
    payeeName: 'श्री महालक्ष्मी किराना एवं जनरल स्टोर',
    kind: 'merchant',
    merchantCode: '5411',
  },
  paise(10_00_002_99),
  'ML-0123456789',
);

test('the QR of a link is always the same bytes', () => {
  const svg = qrSvg(link);
  assert.ok(
    svg.startsWith(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45" shape-rendering="crispEdges">' +
        '<path fill="#fff" d="M0 0h45v45H0z"/><path stroke="#000" d="M4 4.5h7m',
    ),
  );
  assert.equal(
    createHash('sha256').update(svg).digest('hex'),
    '2bf23c738e9ad378eceaacef9b8bcee2962c96f46998f80af7504d875490696f',
  );
});

for (const [name, text] of [
  ['a plain link', link],
  ['the longest link, in Hindi', hindi],
] as const) {
  test(`a reader gets back ${name}, byte by byte`, () => {
    assert.equal(decodeQR(rasterised(qrSvg(text))), text);
  });
}

test('even the longest link keeps three pixels a module at 240 pixels', () => {
  assert.ok(240 / Number(/viewBox="0 0 (\d+)/.exec(qrSvg(hindi))![1]) >= 3);
});

test('the create response has it as SVG in base64', () => {
  const uri = qrDataUri(link)!;
  const prefix = 'data:image/svg+xml;base64,';
  assert.ok(uri.startsWith(prefix));
  assert.equal(Buffer.from(uri.slice(prefix.length), 'base64').toString(), qrSvg(link));
});

test('a link that no QR can hold gives null and not an exception', () => {
  assert.equal(qrDataUri('x'.repeat(5_000)), null);
});

/** Draws the SVG's own strokes, four pixels a module, as a camera would see them. */
function rasterised(svg: string): { width: number; height: number; data: Uint8Array } {
  const scale = 4;
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)![1]) * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  const path = /<path stroke="#000" d="([^"]+)"/.exec(svg)![1]!;
  let [x, top] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    x = Number(first) + (command === 'M' ? 0 : x);
    if (command === 'M') top = Number(second) - 0.5;
    if (command !== 'h') continue;
    for (let row = top * scale; row < (top + 1) * scale; row++) {
      for (let column = (x - Number(first)) * scale; column < x * scale; column++) {
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
  }
  return { width: side, height: side, data };
}
