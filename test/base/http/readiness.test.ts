import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour, second } from '../../../src/base/clock.ts';
import { steadyClock } from '../../../src/base/steady-clock.ts';
import { openTestApi } from '../../support/api.ts';
import { testMachine } from '../../support/test-machine.ts';
import { use } from '../../support/use.ts';

const api = use(openTestApi);

const ready = async () => {
  // A look is believed for three seconds.
  api.world.clock.advance(4 * second);
  const answer = await api.app.inject('/readyz');
  return { status: answer.statusCode, checks: answer.json().checks };
};

test('a process that refuses every order because of a doubtful clock is not ready', async () => {
  const { clock } = api.world;
  const machine = testMachine();
  const steady = steadyClock(machine);
  steady.compare?.(machine.wallTime(), 1);
  const kept = { ...clock };
  Object.assign(clock, { inDoubt: steady.inDoubt, compare: steady.compare });
  try {
    assert.equal((await ready()).status, 200);
    machine.set(2 * hour);
    assert.equal((await api.create()).statusCode, 503);
    const { status, checks } = await ready();
    assert.equal(status, 503);
    assert.match(checks.clock, /^in doubt: a clock is wrong/);
    assert.match((await api.app.inject('/readyz')).body, /not ready/);
  } finally {
    Object.assign(clock, kept, { inDoubt: undefined, compare: undefined, unsettled: false, jump: 0 });
  }
  assert.deepEqual((await ready()).checks.clock, 'ok');
});

test('a lock on orders or amounts that prevents every create makes the process unready', async () => {
  for (const table of ['orders', 'amounts']) {
    await api.world.sql.begin(async tx => {
      await tx.unsafe(`lock table ${table} in share mode`);
      const { status, checks } = await ready();
      assert.deepEqual(
        [status, checks.database],
        [503, 'cannot be written: somebody holds a lock that keeps every order out'],
      );
    });
    assert.equal((await ready()).status, 200);
  }
});

test('load alone does not make a process unready', async () => {
  const { sql } = api.world;
  await sql.begin(async tx => {
    await tx`lock table orders, amounts in row exclusive mode`;
    await tx`select pg_advisory_xact_lock(${api.merchant.merchantId})`;
    await tx`update amounts set held_until = held_until`;
    assert.equal((await ready()).status, 200);
  });
});
