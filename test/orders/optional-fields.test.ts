import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../src/base/money.ts';
import { createOrder } from '../../src/orders/create-order.ts';
import { optionalList } from '../../src/orders/optional-fields.ts';
import { createRequestSchema } from '../../src/orders/read-create-body.ts';
import { orderSchema } from '../../src/orders/schemas.ts';
import { openTestApi } from '../support/api.ts';
import { use } from '../support/use.ts';

const api = use(openTestApi);

test('every optional field has a column of its name that may be null', async () => {
  const columns = await api.world.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'orders' and is_nullable = 'YES'`;
  const nullable = columns.map(({ name }) => name);
  assert.deepEqual(
    optionalList
      .filter(([name]) => !nullable.includes(name))
      .map(([name]) => `orders.${name} is missing: add a migration`),
    [],
  );
});

test('every optional field is in the answers, and in the body of a create if it is an input', () => {
  for (const [name, { isAsked }] of optionalList) {
    assert.ok(name in orderSchema.properties, name);
    assert.equal(name in createRequestSchema.properties, isAsked, name);
  }
});

test('a create writes optional fields exactly, together with its order and only for it', async () => {
  const hostile = `it's "quoted", \\ %s %I $1 {a}'); drop table orders; --`;
  const [other] = [(await api.create()).json()];
  const { order, replayed } = await createOrder(
    api.world.sql,
    api.world,
    { merchantId: api.merchant.merchantId, signedIn: true },
    {
      amount: paise(499_00),
      merchantOrderId: 'with-optional',
      successUrl: 'https://shop.example.com/',
      failureUrl: 'https://shop.example.com/',
      webhookUrl: 'https://shop.example.com/',
      customer: null,
      account: null,
      optional: { bank_reference: hostile },
    },
  );
  assert.deepEqual([order.bank_reference, replayed], [hostile, false]);
  const read = async (id: string) => (await api.get(`/orders/${id}`)).json().bank_reference;
  assert.deepEqual([await read(order.order_id), await read(other.order_id)], [hostile, null]);
});
