import assert from 'node:assert/strict';
import test from 'node:test';
import { compareDecoding } from '../../../drills/mutate/compare-decoding.ts';
import { decodeTransfer } from '../../../src/alerts/mail/split-parts.ts';

const decoded = (encoding: string, content: string) => decodeTransfer(encoding, content).toString('latin1');

test('quoted-printable: escapes in either case are undone, soft breaks join lines, and the last line ends', () => {
  assert.equal(decoded('quoted-printable', 'a=3Db=3db=\r\nc\r\nd'), 'a=b=bc\nd\n');
  assert.equal(decoded('quoted-printable', 'a=\r\n'), 'a');
  assert.equal(decoded('quoted-printable', 'a='), 'a');
  assert.equal(decoded('quoted-printable', '=E2=82=B9=00'), '\xe2\x82\xb9\0\n');
  assert.equal(decoded('quoted-printable', ''), '');
});

test('base64 and plain text are decoded', () => {
  assert.equal(decoded('base64', 'YWJ\r\njZA=='), 'abcd');
  assert.equal(decoded('7bit', 'a=3D\r\n\r\nb'), 'a=3D\n\nb\n');
  assert.equal(decoded('8bit', '\xe2\x82\xb9\r\n'), '\xe2\x82\xb9\n');
});

test('3,000 random parts are decoded as the MIME library decodes them', async () => {
  const { decoded, wrong } = await compareDecoding(3_000, 7);
  assert.deepEqual(wrong, []);
  assert.ok(decoded > 1_000);
});
