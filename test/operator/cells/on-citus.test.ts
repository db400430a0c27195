import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('no statement that reads a table also notifies, draws a number or takes a lock: on Citus a worker would do it', () => {
  const atWorker = /\b(pg_notify|nextval|pg_(try_)?advisory\w+)\(/;
  for (const file of globSync('src/**/*.ts')) {
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(
      /\w*(?:sql|tx)(?:<[^`]*>)?`\s*((?:\\.|[^`\\])*)/g,
    )) {
      if (!atWorker.test(text)) continue;
      const isAlone = /^select (pg_notify|nextval|pg_(try_)?advisory\w+)\((?!.*\bfrom\b)/s.test(text);
      // A value that is inserted is made on the coordinator, and so is the NOTIFY about a row that drew a number.
      const isInserted =
        /insert into[^;]*nextval\(/s.test(text) || /insert into alerts|^, pg_notify/.test(text);
      assert.ok(isAlone || isInserted, `${file}: ${text.slice(0, 200)}`);
    }
  }
});
