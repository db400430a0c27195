import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKey } from '../../../src/alerts/origin/check-signature.ts';

test('a flood of made-up key records displaces the oldest keys, not the most recently used one', () => {
  const made = (at: number) => readKey(`v=DKIM1; p=made-up-${at}`);
  for (let at = 0; at < 1_000; at++) {
    const last = made(at);
    made(at + 1);
    assert.equal(made(at), last, `record ${at} was parsed twice`);
  }
});
