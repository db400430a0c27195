import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, collectExpressions, exceptions, nameOf } from './support/expressions.ts';

/** Where this is not enough recheck does not know; `expressions.test.ts` has looked at the expression too. */
const timeLimit = 1_000;

test('recheck finds no text that slows a regular expression down either', {
  timeout: 1_800_000,
}, async () => {
  // The one that needs neither Java nor a program of its own.
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const harmless = { ...exceptions, ...bounded };
  const slow = (await collectExpressions()).filter(
    one =>
      !Object.hasOwn(harmless, nameOf(one)) &&
      checkSync(one.source, one.flags, { timeout: timeLimit }).status === 'vulnerable',
  );
  assert.deepEqual(
    slow.map(one => `${one.file} ${nameOf(one)}`),
    [],
  );
});
