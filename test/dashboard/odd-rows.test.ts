import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operator, owner, shop, useBusyDashboard, world } from '../support/busy-dashboard.ts';

useBusyDashboard();

/** The functions that put a row's reasons, facts and codes into words. */
const screens = () => [
  ...[
    '',
    '/notices',
    '/shop/notifications',
    '/audit',
    '/payments',
    '/payments?view=decide',
    '/payments?view=returned',
    '/payments/not-counted',
  ],
  ...['/mailbox', '/webhooks', '/counter', '/settings/privacy', '/first-steps'],
  ...[shop.paid.orderId, shop.open.orderId].map(id => `/orders/${id}`),
];

/** A bomb of the kind that an archive could bring: forty levels that double each. */
const bomb = () => {
  let inner: unknown = 'x';
  for (let at = 0; at < 40; at++) inner = { code: '{x}{x}', facts: { x: inner } };
  return inner;
};
const oddValues: readonly unknown[] = [
  null,
  'constructor',
  [[null], { toString: 1 }],
  { code: 'constructor', facts: null },
  { code: 'given_up', facts: { cause: { toString: 1 } }, at: '9999-99-99T99:99:99.999Z' },
  [
    { order_id: {}, payable_paise: 'x', slip: 'constructor' },
    { order_id: 'ML-1', payable_paise: 1.5 },
  ],
  bomb(),
];

/** Plans that were bought: the operator's process wrote them, and no archive brings them. */
const ofTheOperator = ['terms', 'sales'];

async function openAll(what: string): Promise<void> {
  for (const path of screens()) {
    const { statusCode, body } = await owner.get(`/dashboard${path}?lang=hi`);
    assert.ok(statusCode < 400, `${path} with ${what}: ${statusCode} ${body.slice(0, 300)}`);
  }
  const found = await owner.post('/dashboard/settings/privacy/person', { person: 'ravi@okbank' });
  assert.equal(found.statusCode, 200, `a person with ${what}`);
  const { statusCode } = await operator.get(`/dashboard/operator/businesses/${shop.merchantId}`);
  assert.equal(statusCode, 200, what);
}

test('every screen opens whatever reason, fact or code a row has', async () => {
  const { sql } = world;
  const { merchantId } = shop;
  const now = world.clock.now();
  await sql`
    insert into notices (merchant_id, kind, facts, dedupe_key, created_at)
    select ${merchantId}, kind, '{}', 'odd ' || kind, ${now}
    from unnest(${['constructor', '__proto__', 'of_next_year', 'alert_held', 'webhook_failing', 'money_unmatched']}::text[]) kind`;
  const actions = ['constructor', '__proto__', 'of_next_year', 'member.role', 'credit.accept'];
  const details = [
    '{"toString":1}',
    '{"before":{"toString":1},"after":"constructor"}',
    '{"order":[[]]}',
    '{{',
    '',
  ];
  const [head] = await sql<{ seq: number }[]>`
    select coalesce(max(seq), 0) + 1 as seq from audit_log where merchant_id = ${merchantId}`;
  let seq = head!.seq;
  for (const action of actions)
    for (const one of details)
      await sql`insert into audit_log ${sql({
        ...{
          merchant_id: merchantId,
          seq: seq++,
          at: now,
          actor: 'a@b.in',
          action,
          subject: shop.paid.orderId,
        },
        ...{ details: one, address: '', prior_hash: Buffer.alloc(32), hash: Buffer.alloc(32) },
      })}`;
  await sql`
    insert into audit_heads values (${merchantId}, ${seq - 1}, ${Buffer.alloc(32)})
    on conflict (merchant_id) do update set seq = excluded.seq`;
  await openAll('unknown kinds and actions');

  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and data_type = 'jsonb' and table_schema = current_schema() and table_name <> all (${ofTheOperator})
      and exists (select from information_schema.columns m where m.table_schema = c.table_schema
        and m.table_name = c.table_name and m.column_name = 'merchant_id')`;
  assert.ok(columns.length >= 10, 'the columns were found');
  for (let round = 0; round < 3; round++) {
    // The rows of a table get different values, and in the next round others.
    for (const { table, column } of columns)
      await sql.unsafe(
        `update ${table} set ${column} = $1::jsonb -> (abs(hashtext(ctid::text)) + 2 * $2::int) % $3::int
         where merchant_id = $4`,
        [JSON.stringify(oddValues), round, oddValues.length, merchantId],
      );
    await sql`
      update alerts set reason_code = (${['{x}{x}', 'constructor', 'given_up']}::text[])[${round + 1}]
      where merchant_id = ${merchantId}`;
    await openAll(`odd values, round ${round}`);
  }
});

test('a business that is being moved, with rows locked for ever, still opens', async () => {
  await world.sql`update alerts set next_try_at = 'infinity', arrived_at = arrived_at where merchant_id = ${shop.merchantId}`;
  await world.sql`update notices set created_at = '290000-01-01' where merchant_id = ${shop.merchantId}`;
  await openAll('infinity');
});
