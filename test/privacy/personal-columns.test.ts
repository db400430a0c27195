import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPersonValues, valuesIn } from '../../src/privacy/person-values.ts';
import { personalList } from '../../src/privacy/personal-columns.ts';
import { otherTables } from '../support/other-tables.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { use } from '../support/use.ts';

const database = use(() => openTestDatabase({ most: 1 }));

test('every column of text declares what erasing does to it, or that it has no customer data', async () => {
  const columns = await database.sql<{ name: string }[]>`
    select c.relname || '.' || a.attname as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
      and not a.attisdropped and format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb', 'json', 'bytea')
    order by 1`;
  const listed = [
    ...personalList.map(([table, { erased, kept }]) => [
      table,
      [...(erased === 'gone' ? [] : Object.keys(erased)), ...kept.split(/\s+/)],
    ]),
    ...Object.entries(otherTables).map(([table, names]) => [table, names.split(/\s+/)]),
  ] as [string, string[]][];
  const named = listed.flatMap(([table, names]) => names.map(name => `${table}.${name}`));
  const real = columns.map(({ name }) => name);
  const places = 'src/privacy/personal-columns.ts or test/support/other-tables.ts';
  assert.deepEqual(
    [
      ...real.filter(name => !named.includes(name)).map(name => `${name} is in neither ${places}`),
      ...named
        .filter(name => !real.includes(name))
        .map(name => `${name} is in ${places}, and in no migration`),
    ],
    [],
  );
});

test('a person is recognized by a UPI ID, a mobile number, a mail address or a reference, in any notation', () => {
  for (const [typed, values] of [
    ['Rahul@OkAxis', ['upi rahul@okaxis']],
    ['rahul@example.in', ['mail rahul@example.in']],
    ['+91 98765-43210', ['phone 9876543210']],
    ['09876543210', ['phone 9876543210', 'utr 009876543210']],
    ['691234567890, 98765 43210', ['utr 691234567890', 'phone 9876543210']],
    ['919876543210', ['phone 9876543210', 'utr 919876543210']],
    ['HDFCN52026111512345', ['utr hdfcn52026111512345']],
    ['', null],
    ['Rahul Sharma', null],
    ['000000000000', null],
    ['9876543210, Rahul', null],
    [Array.from({ length: 11 }, () => '9876543210').join(','), null],
  ] as const)
    assert.deepEqual(readPersonValues(typed), values, typed);
});

test('values are found inside other people’s texts, and half a value is not', () => {
  const has = (text: string, value: string) => valuesIn(text).has(value);
  assert.ok(has('{"phone": "+91 98765 43210"}', 'phone 9876543210'));
  assert.ok(has('VPA 9876543210-2@ybl', 'phone 9876543210'));
  assert.ok(has('by 2026-11-15 9876543210.', 'phone 9876543210'));
  assert.ok(has('UPI/691234567890/RAHUL@okaxis/thanks', 'upi rahul@okaxis'));
  assert.ok(has('UPI/691234567890/RAHUL', 'utr 691234567890'));
  assert.ok(has('<rahul@example.in>', 'mail rahul@example.in'));
  for (const text of ['a|rahul@okaxis', 'VPA-rahul@okaxis', 'rahul@okaxis.Thank you', '*rahul%40okaxis*'])
    assert.ok(has(text, 'upi rahul@okaxis'), text);
  assert.ok(has('?phone=%2B91%2098765%2043210&mail=rahul%40example.in', 'phone 9876543210'));
  assert.ok(has('?phone=%2B91%2098765%2043210&mail=rahul%40example.in', 'mail rahul@example.in'));
  assert.ok(has('UPI691234567890', 'utr 691234567890'));
  assert.ok(!has('rahul@okaxis.in', 'upi rahul@okaxis'));
  assert.ok(!has('srahul@okaxis', 'upi rahul@okaxis'));
  assert.ok(!has('rahul@okaxisbank', 'upi rahul@okaxis'));
  assert.ok(!has('19876543210', 'phone 9876543210'));
  assert.ok(!has('1691234567890', 'utr 691234567890'));
});

test('a million combining marks are searched in a moment', () => {
  for (const accents of ['\u0301\u0316', '\u0301\uff9e']) {
    const began = performance.now();
    assert.ok(valuesIn(`a${accents.repeat(500_000)} 9876543210`).has('phone 9876543210'));
    assert.ok(performance.now() - began < 15_000);
  }
});
