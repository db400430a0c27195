import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { minute } from '../../src/base/clock.ts';

const copy = mkdtempSync(join(tmpdir(), 'milaan-new-field-'));
after(() => rmSync(copy, { recursive: true }));
for (const name of ['src', 'test', 'migrations', 'docs', 'sdk', 'scripts', 'drills', 'examples'])
  cpSync(name, join(copy, name), { recursive: true, filter: path => !path.includes('node_modules') });
for (const name of ['package.json', 'tsconfig.json', '.env.example', 'README.md', 'CONTRIBUTING.md'])
  cpSync(name, join(copy, name));
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  assert.ok(text.includes(before), file);
  writeFileSync(
    join(copy, file),
    text.replace(before, () => after),
  );
}

function run(...files: string[]) {
  const { MILAAN_TEST_SERVER: _, MILAAN_TEST_BROWSER: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
  const args = files.includes('docs') ? ['scripts/write-api-files.ts'] : ['test/run.ts', ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: 'utf8',
    timeout: 2 * minute,
  });
  return { status, stdout: stdout + stderr };
}

test('after its definition, the checks name every missing place of an order’s new field', () => {
  edit(
    'src/orders/optional-fields.ts',
    '} satisfies Record<string, Optional>;',
    `  gift_note: {
    schema: Type.String({ maxLength: 200, description: 'Words for the gift card.' }),
    column: sql => sql\`o.gift_note\`,
    isAsked: true,
    isPersonal: true,
  },
} satisfies Record<string, Optional>;`,
  );
  const { status, stdout } = run(
    'test/orders/optional-fields.test.ts',
    'test/developers/docs-site/openapi.test.ts',
  );
  assert.notEqual(status, 0);
  for (const place of [
    'orders.gift_note is missing: add a migration',
    'sdk/src/order.ts: Order lacks gift_note',
    'sdk/src/order.ts: NewOrder lacks gift_note',
    'docs/openapi.json matches the code: after a change, `npm run docs`',
  ])
    assert.ok(stdout.includes(place), `${place}\n${stdout.slice(-2000)}`);
});

test('with these places done, the new field is accepted, stored, shown, exported, bounded and erased', () => {
  writeFileSync(
    join(copy, 'migrations/0999_gift_notes.sql'),
    '-- Words for a gift card.\n-- The release before may run beside it.\n\nalter table orders add column gift_note text;\n',
  );
  edit(
    'sdk/src/order.ts',
    '  payment_account_id?: string;\n',
    '  payment_account_id?: string;\n  gift_note?: string;\n',
  );
  edit(
    'sdk/src/order.ts',
    '  received_amount: number | null;\n',
    '  received_amount: number | null;\n  gift_note: string | null;\n',
  );
  run('docs');
  writeFileSync(
    join(copy, 'test/orders/gift-note.test.ts'),
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHeader, csvLine } from '../../src/orders/history/csv-line.ts';
import { personalList } from '../../src/privacy/personal-columns.ts';
import { openTestApi } from '../support/api.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);
test('a gift note', async () => {
  const { order_id } = (await api.create({ gift_note: 'शुभ, "Asha"' })).json();
  assert.equal((await api.get('/orders/' + order_id)).json().gift_note, 'शुभ, "Asha"');
  assert.equal((await api.get('/orders')).json().data[0].gift_note, 'शुभ, "Asha"');
  const { sql, clock } = api.world;
  const [row] = await sql\`select \${csvLine(sql, clock.now())} as line from orders o\`;
  assert.ok(row!['line'].endsWith(',"शुभ, ""Asha"""\\r\\n'), row!['line']);
  assert.ok(csvHeader.endsWith(',gift_note\\r\\n'));
  for (const wrong of ['x'.repeat(201), 5, 'a\\u0000'])
    assert.match((await api.create({ gift_note: wrong })).json().details, /^gift_note /);
  assert.equal((await api.create({ gift_note: null })).statusCode, 201);
  const [, orders] = personalList.find(([table]) => table === 'orders')!;
  assert.ok(orders.search.includes('gift_note') && 'gift_note' in (orders.erased as object));
});
`,
  );
  const { status, stdout } = run(
    'test/orders/gift-note.test.ts',
    'test/orders/optional-fields.test.ts',
    'test/developers/docs-site/openapi.test.ts',
    'test/privacy/personal-columns.test.ts',
    'test/dashboard/payments/orders-queries.test.ts',
  );
  assert.equal(status, 0, stdout.slice(-3000));
});
