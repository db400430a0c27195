import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { batchQueries } from '../../../src/base/database/batch-queries.ts';
import { DatabaseDown } from '../../../src/base/database/database-down.ts';

/** Queries that the test answers itself. */
function openQueries() {
  const sent: { questions: readonly number[]; answer(): void; fail(error: unknown): void }[] = [];
  const ask = batchQueries(
    (questions: readonly number[]) =>
      new Promise<number[]>((resolve, reject) => {
        sent.push({ questions, answer: () => resolve(questions.map(number => -number)), fail: reject });
      }),
  );
  return { ask, sent };
}

test('questions asked in one turn are one query, and each gets its own answer', async () => {
  const { ask, sent } = openQueries();
  const answers = Promise.all([ask(1), ask(2), ask(2)]);
  await turn();
  assert.deepEqual(
    sent.map(({ questions }) => questions),
    [[1, 2, 2]],
  );
  sent[0]!.answer();
  assert.deepEqual(await answers, [-1, -2, -2]);
});

test('no question joins a query that has begun', async () => {
  const { ask, sent } = openQueries();
  const first = ask(1);
  await turn();
  const second = ask(2);
  await turn();
  assert.deepEqual(
    sent.map(({ questions }) => questions),
    [[1], [2]],
  );
  for (const query of sent) query.answer();
  assert.deepEqual([await first, await second], [-1, -2]);
});

test('at most two queries run at once; later questions are batched for the next', async () => {
  const { ask, sent } = openQueries();
  const answers: Promise<number>[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    answers.push(ask(number));
    await turn();
  }
  assert.equal(sent.length, 2);
  sent[1]!.answer();
  await answers[1];
  await turn();
  assert.deepEqual(sent[2]!.questions, [3, 4, 5]);
  for (const query of sent) query.answer();
  assert.deepEqual(await Promise.all(answers), [-1, -2, -3, -4, -5]);
});

test('a failed query rejects only for its callers, and a lost database also for those who wait', async () => {
  const { ask, sent } = openQueries();
  const outcomes = [1, 2, 3].map(async number => {
    for (let turns = 0; turns < number; turns++) await turn();
    return await ask(number).catch((error: Error) => error.message);
  });
  for (let turns = 0; turns < 6; turns++) await turn();
  sent[0]!.fail(new Error('wrong query'));
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual(sent[2]!.questions, [3]);
  const late = ask(4).catch((error: Error) => error.message);
  sent[1]!.fail(new DatabaseDown(new Error('gone')));
  assert.equal(await late, 'gone');
  sent[2]!.answer();
  assert.deepEqual(await Promise.all(outcomes), ['wrong query', 'gone', -3]);
  const after = ask(5);
  await turn();
  sent.at(-1)!.answer();
  assert.equal(await after, -5);
});
