import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { distributeCell } from '../../../src/operator/cells/distribute-cell.ts';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase({ most: 1 });
});
after(() => database.stop());

test('a cell is distributed only as a schema of its own, where there is Citus, and nothing is made elsewhere', async () => {
  const told = (url: string) => distributeCell(url, () => {}).catch(error => (error as Error).message);
  const withSchema = `${database.url}?options=-c%20search_path%3D`;
  for (const url of [database.url, `${withSchema}public`, `${withSchema}a;drop`])
    assert.match((await told(url)) ?? '', /its URL must name one/);
  assert.match((await told(`${withSchema}cell_b`)) ?? '', /has no Citus/);
  const made = await database.sql`select from pg_namespace where nspname = 'cell_b'`;
  assert.equal(made.length, 0);
});

test('no statement notifies, draws a number or takes a lock beside a table: on Citus that would be at a worker', () => {
  const atWorker = /\b(pg_notify|nextval|pg_(try_)?advisory\w+)\(/;
  for (const file of globSync('src/**/*.ts')) {
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(
      /\w*(?:sql|tx)(?:<[^`]*>)?`\s*((?:\\.|[^`\\])*)/g,
    )) {
      if (!atWorker.test(text)) continue;
      const isAlone = /^select (pg_notify|nextval|pg_(try_)?advisory\w+)\((?!.*\bfrom\b)/s.test(text);
      // A value that is inserted is made on the coordinator, and so is what is told of a row that drew a number.
      const isInserted =
        /insert into[^;]*nextval\(/s.test(text) || /insert into alerts|^, pg_notify/.test(text);
      assert.ok(isAlone || isInserted, `${file}: ${text.slice(0, 200)}`);
    }
  }
});
