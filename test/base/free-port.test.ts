import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../src/base/free-port.ts';

test('a free port is given even before anybody listens on it', async () => {
  const drawn: number[] = [];
  while (drawn.length < 250) drawn.push(await freePort());
  assert.equal(new Set(drawn).size, drawn.length);
});
