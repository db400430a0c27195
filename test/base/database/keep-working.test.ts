import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hour } from '../../../src/base/clock.ts';
import { DatabaseDown } from '../../../src/base/database/database-down.ts';
import { keepWorking } from '../../../src/base/database/keep-working.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

const rarely = { what: 'a test', pause: 1 * hour };

test('a NOTIFY on its channel begins a round long before the pause ends', async () => {
  let rounds = 0;
  const worker = keepWorking(world, { ...rarely, channel: 'keep_working' }, async () => {
    rounds++;
  });
  // The first at once, another once it listens: what was said before is not heard.
  await until('the worker listens', () => rounds === 2);
  await world.sql.notify('keep_working', '');
  await until('a third round', () => rounds === 3);
  await worker.stop();
});

test('a NOTIFY during a round starts another after it, and rounds never overlap', async () => {
  let rounds = 0;
  let atOnce = 0;
  const worker = keepWorking(world, rarely, async () => {
    rounds++;
    assert.equal(++atOnce, 1);
    await sleep(20);
    atOnce--;
  });
  await sleep(5);
  worker.ring();
  worker.ring();
  await until('a second round', () => rounds === 2 && atOnce === 0);
  await sleep(30);
  assert.equal(rounds, 2);
  await worker.stop();
});

test('a round that returns zero is followed by the next at once', async () => {
  let left = 3;
  const worker = keepWorking(world, rarely, async () => (--left > 0 ? 0 : 1 * hour));
  await until('three rounds', () => left === 0);
  await worker.stop();
});

test('a round that fails is tried again, and stopping waits for the one in progress', async () => {
  let rounds = 0;
  let isOver = false;
  const worker = keepWorking(world, { ...rarely, pause: 5 }, async () => {
    if (++rounds === 1) throw new Error('a passing fault');
    await sleep(50);
    isOver = true;
  });
  await until('a second round', () => rounds === 2);
  await worker.stop();
  assert.ok(isOver);
  assert.equal(rounds, 2);
});

test('a round that failed because of our own database is repeated within seconds, however long the pause', async () => {
  let rounds = 0;
  const worker = keepWorking(world, rarely, async () => {
    if (++rounds === 1) throw new DatabaseDown(new Error('cut'));
  });
  await until('a second round', () => rounds === 2);
  await worker.stop();
});
