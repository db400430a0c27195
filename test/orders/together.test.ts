import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant, type TestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';
import { useRules } from '../support/use-rules.ts';

let shops: TestMerchant[];
const api = use(openTestApi);
prepare(async () => {
  shops = [
    await addTestMerchant(api.world),
    await addTestMerchant(api.world),
    await addTestMerchant(api.world),
  ];
});
useRules(api);

test('simultaneous creates share statements, and each gets its own answer', async () => {
  const asked = Array.from({ length: 60 }, (_, number) => ({
    shop: shops[number % 3]!,
    id: `together-${number}`,
    amount: 100 + number * 7,
  }));
  const answers = await Promise.all(
    asked.map(({ shop, id, amount }) => api.createPatiently({ merchant_order_id: id, amount }, shop.apiKey)),
  );
  for (const [place, answer] of answers.entries()) {
    assert.ok([200, 201].includes(answer.statusCode), answer.body);
    const got = (await api.get(`/orders/${answer.json().order_id}`, asked[place]!.shop.apiKey)).json();
    assert.deepEqual([got.merchant_order_id, got.amount], [asked[place]!.id, asked[place]!.amount]);
  }
});

test('one id created twice in one batch is created once and replayed once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, number) =>
      api.create({ merchant_order_id: `twice-${number % 8}` }, shops[0]!.apiKey),
    ),
  );
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [
    ...Array.from({ length: 8 }, () => 200),
    ...Array.from({ length: 8 }, () => 201),
  ]);
});

test('an unknown key, a refusal and a busy price in a batch do not affect the others', async () => {
  const { apiKey } = shops[0]!;
  const stranger = apiKey.slice(0, -1) + (apiKey.endsWith('x') ? 'y' : 'x');
  const answers = await Promise.all([
    api.create({ merchant_order_id: 'fine-1' }, shops[0]!.apiKey),
    api.create({ merchant_order_id: 'strange' }, stranger),
    api.create({ merchant_order_id: 'no-account', payment_account_id: 'acc_nobody' }, shops[1]!.apiKey),
    api.create({ merchant_order_id: 'fine-2' }, shops[1]!.apiKey),
  ]);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 401, 400, 201],
  );
});
