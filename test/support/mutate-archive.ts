import { type Archive, archiveBytes, type Row } from './forge-archive.ts';
import { fc } from './same-dice.ts';

export type Victim = { merchantId: number; orderId: string };
const nat = fc.nat({ max: 1_000_003 });
/** Numbers of a dice, each used as far as there is something to choose from. */
const dice = fc.record({ kind: nat, table: nat, row: nat, column: nat, value: nat });
export const throws = fc.array(dice, { minLength: 1, maxLength: 2 });
type Dice = { kind: number; table: number; row: number; column: number; value: number };
type Mutated = { archive: Archive; raw: Record<string, string>; change: (bytes: Buffer) => Buffer };
type Mutation = (mutated: Mutated, dice: Dice, victim: Victim) => void;

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { a: [nested(depth - 1)] });
const values: unknown[] = [null, true, false, -1, 0, 1, 1.5, 99, 2 ** 31 - 1, 2 ** 48, 2 ** 53, 1e308];
values.push(
  '',
  'x',
  'x'.repeat(70_000),
  'a\u0000b',
  '\u202e\u001b[2J',
  '\ud800',
  '{evil}',
  '{{}}',
  "'; drop table orders; --",
);
values.push([], {}, [[1], [2]], [null], nested(3), nested(12), nested(1_000), {
  code: 'renamed',
  facts: { before: '{after}' },
});
values.push(
  '0001-01-01T00:00:00Z',
  '9999-12-31T00:00:00Z',
  '2026-11-15T07:30:00Z',
  '2030-01-01',
  'infinity',
  '-infinity',
);
values.push(
  'paid',
  'pending',
  'failed',
  'manual_review',
  'unjudged',
  'retrying',
  'no_order',
  'open',
  'accepted',
  'owner',
  'operator',
);
values.push(
  'javascript:alert(1)',
  'https://evil.example/',
  'http://127.0.0.1/',
  'payment.paid',
  '\\x00ff',
  '\\xzz',
  'hdfc',
  'milaan',
);
values.push('(raw big)', '(raw huge)', '(raw deep)');
const raw = {
  '(raw big)': '9007199254740993',
  '(raw huge)': '1e400',
  '(raw deep)': `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
};

const pick = <T>(list: readonly T[], dice: number): T => list[dice % list.length]!;
const tableOf = ({ archive }: Mutated, { table }: Dice) => pick([...archive.tables], table);
const rowOf = (mutated: Mutated, dice: Dice): Row => pick(tableOf(mutated, dice)[1], dice.row) ?? {};
const columnOf = (row: Row, dice: Dice) => pick(Object.keys(row), dice.column) ?? 'x';

const setValue: Mutation = (mutated, dice) => {
  const row = rowOf(mutated, dice);
  row[columnOf(row, dice)] = pick(values, dice.value);
};
const setAll: Mutation = (mutated, dice) => {
  const [, rows] = tableOf(mutated, dice);
  const column = columnOf(rows[0] ?? {}, dice);
  for (const row of rows) row[column] = pick(values, dice.value);
};
const change =
  (to: (value: unknown, victim: Victim) => unknown): Mutation =>
  (mutated, dice, victim) => {
    const row = rowOf(mutated, dice);
    const column = columnOf(row, dice);
    row[column] = to(row[column], victim);
  };
const setHead =
  (...heads: Row[]): Mutation =>
  ({ archive }, { value }) =>
    Object.assign(archive.head, pick(heads, value));

const mutations: Mutation[] = [
  ...[setValue, setValue, setValue, setValue, setAll],
  change(value => (typeof value === 'number' ? String(value) : Number(value) || 7)),
  change(value => (typeof value === 'number' ? -value : [value])),
  change(value => (typeof value === 'number' ? value * 1_000_003 + 1 : `${value} `)),
  change((_, { merchantId }) => merchantId),
  change((_, { orderId }) => orderId),
  change(value => ({ ...Object(value), extra: value })),
  (mutated, dice) => {
    const [, rows] = tableOf(mutated, dice);
    rows.push({ ...rowOf(mutated, dice) });
  },
  (mutated, dice) => tableOf(mutated, dice)[1].splice(dice.row % tableOf(mutated, dice)[1].length, 1),
  ({ archive }, { table }) => archive.tables.delete(pick([...archive.tables.keys()], table)),
  (mutated, dice) => {
    const [, rows] = tableOf(mutated, dice);
    const column = columnOf(rows[0] ?? {}, dice);
    for (const row of rows) delete row[column];
  },
  (mutated, dice) => {
    const added = pick(
      ['unknown', 'claim', 'leased_until', 'webhook_secret', 'confirmed_at', 'password_hash'],
      dice.column,
    );
    for (const row of tableOf(mutated, dice)[1]) row[added] = pick(values, dice.value);
  },
  // Rows of one table under the name of another.
  ({ archive }, { table, value }) => {
    const [one, other] = [pick([...archive.tables.keys()], table), pick([...archive.tables.keys()], value)];
    const rows = archive.tables.get(one)!;
    archive.tables.set(one, archive.tables.get(other)!).set(other, rows);
  },
  ({ archive }, { table, value }) =>
    void archive.tables.set(
      pick(['sessions', 'dkim_keys', 'plans', 'claimed_credits', '__proto__', '../x'], value),
      pick([...archive.tables.values()], table),
    ),
  // All of it as if it were the other business's.
  ({ archive }, { value }, { merchantId }) => {
    if (value % 2 === 0) archive.head['business'] = merchantId;
    for (const rows of archive.tables.values()) for (const row of rows) row['merchant_id'] = merchantId;
  },
  setHead(
    { kind: 'inside' },
    { kind: 'both' },
    { format: 2 },
    { format: '1' },
    { schema: '9999_x.sql' },
    { version: 'x'.repeat(9_999) },
  ),
  setHead(
    { business: 2 ** 48 },
    { business: 0 },
    { business: '1' },
    { name: 'a\u0000' },
    { name: null },
    { schema: '0001_merchants.sql' },
  ),
  ({ archive }, { value }) =>
    void Object.assign(
      archive.end,
      pick([{ written: null }, { written: { orders: 1 } }, { seal: 7 }, { erasure_key: {} }], value),
    ),
  (mutated, { value }) => {
    mutated.change = bytes => bytes.subarray(0, value % bytes.length);
  },
  (mutated, { value }) => {
    mutated.change = bytes => Buffer.concat([bytes, Buffer.alloc(value % 5_000, value % 256)]);
  },
  (mutated, { value }) => {
    mutated.change = bytes => {
      bytes[value % bytes.length]! ^= 1 << (value % 8);
      return bytes;
    };
  },
  ({ archive }, { row, value }) => {
    const mails = archive.files.get('raw_mails')!;
    if (value % 3 === 0) mails.push(pick(mails, row));
    else if (value % 3 === 1) mails.splice(row % mails.length, 1);
    else
      mails[row % mails.length] = {
        name: 'raw_mails/x.eml',
        content: Buffer.alloc(value % 100_000, 'From: x\n'),
      };
  },
];

/** The bytes of an archive that was changed in one or two places. */
export function mutate(original: Archive, thrown: readonly Dice[], victim: Victim): Buffer {
  const mutated: Mutated = { archive: structuredClone(original), raw, change: bytes => bytes };
  // A clone's bytes are no buffer.
  mutated.archive.files = new Map([...original.files].map(([table, files]) => [table, [...files]]));
  for (const one of thrown) pick(mutations, one.kind)(mutated, one, victim);
  return mutated.change(archiveBytes(mutated.archive, mutated.raw));
}
