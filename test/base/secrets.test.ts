import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newSecretKey, parseKeyRing, type SecretBox, secretBox } from '../../src/base/secrets.ts';

test('a sealed value opens again, and only for the owner that it is bound to', () => {
  const box = secretBox([randomBytes(32)]);
  const sealed = box.seal('whsec_ü', 'merchant:1:webhook_secret');
  assert.equal(box.open(sealed, 'merchant:1:webhook_secret'), 'whsec_ü');
  assert.throws(() => box.open(sealed, 'merchant:2:webhook_secret'));
  assert.ok(!sealed.includes('whsec'));
  assert.notEqual(box.seal('whsec_ü', 'merchant:1:webhook_secret'), sealed);
});

test('a sealed value with one changed character does not open', () => {
  const box = secretBox([randomBytes(32)]);
  // Many, so that every last character occurs: some of them carry bits that decoding ignores.
  for (let round = 0; round < 30; round++) tryEveryChange(box, box.seal('secret', 'here'));
});

function tryEveryChange(box: SecretBox, sealed: string): void {
  for (let place = 9; place < sealed.length - 2; place++) {
    const changed = sealed.slice(0, place) + (sealed[place] === 'A' ? 'B' : 'A') + sealed.slice(place + 1);
    assert.throws(() => box.open(changed, 'here'), `place ${place}`);
  }
}

test('the newest key seals, every key of the ring opens, and a removed key does not', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = secretBox([old]).seal('x', 'here');
  const ring = secretBox([fresh, old]);
  assert.equal(ring.open(before, 'here'), 'x');
  assert.equal(ring.isStale(before), true);
  const after = ring.seal('x', 'here');
  assert.equal(ring.isStale(after), false);
  assert.equal(secretBox([fresh]).open(after, 'here'), 'x');
  assert.throws(() => secretBox([fresh]).open(before, 'here'), /not in SECRET_KEY/);
});

test('a ring is 32-byte keys in hex or base64, separated by commas', () => {
  const key = newSecretKey();
  const ring = parseKeyRing(`${key}, ${'ab'.repeat(32)}`);
  assert.ok('keys' in ring && ring.keys.length === 2 && ring.keys.every(bytes => bytes.length === 32));
  for (const wrong of ['', 'abc', 'ab'.repeat(31), `${key},`, Array(9).fill(key).join()])
    assert.ok('problem' in parseKeyRing(wrong), wrong);
});
