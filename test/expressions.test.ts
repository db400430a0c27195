import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyse } from 'scslre';
import { collectExpressions, exceptions, nameOf } from './support/expressions.ts';

test('every regular expression takes linear time, or says why more is harmless', async () => {
  const all = await collectExpressions();
  assert.ok(all.length > 800, 'those of all files and of all banks were found');
  const slow = all.filter(one => analyse(one).reports.length > 0 && !Object.hasOwn(exceptions, nameOf(one)));
  assert.deepEqual(
    slow.map(one => `${one.file} ${nameOf(one)}`),
    [],
  );
  const names = new Set(all.map(nameOf));
  assert.deepEqual(
    Object.keys(exceptions).filter(name => !names.has(name)),
    [],
    'an exception whose expression is gone goes too',
  );
});
