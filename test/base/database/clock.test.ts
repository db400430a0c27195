import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour, later, minute, second, systemClock } from '../../../src/base/clock.ts';
import { startWatchingClock } from '../../../src/base/database/compare-clocks.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { steadyClock } from '../../../src/base/steady-clock.ts';
import { testMachine } from '../../support/test-machine.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

const world = use(openTestWorld);

/** A machine may be slow; a clock that followed would be off by far more. */
const near = 30 * second;

test('our clock continues when somebody sets the machine’s clock, forward or back', t => {
  const clock = steadyClock();
  const truth = systemClock.now();
  for (const jump of [2 * hour, -2 * hour]) {
    t.mock.timers.enable({ apis: ['Date'], now: later(truth, jump) });
    assert.ok(Math.abs(systemClock.now().getTime() - truth.getTime()) > hour);
    assert.ok(Math.abs(clock.now().getTime() - truth.getTime()) < near);
    t.mock.timers.reset();
  }
});

test('the metrics show by how much machine and database were set together, while our own time continues', async () => {
  const machine = testMachine();
  // Here the database has the true time, so it is the program that was two hours behind both.
  machine.set(-2 * hour);
  const clock = steadyClock(machine);
  clock.compare?.(machine.wallTime(), 1);
  machine.set(2 * hour);
  const metrics = openMetrics();
  const watching = startWatchingClock({ ...world, metrics, clock });
  try {
    await waitFor('a comparison', () => clock.unsettled);
  } finally {
    await watching.stop();
  }
  assert.match(await metrics.registry.metrics(), /milaan_clock_jump_seconds (7199|72[0-5]\d)/);
  assert.equal(clock.now().getTime(), machine.wall() - 2 * hour);
});

test('no order is created while machine and database disagree, and our clock follows neither', async t => {
  const clock = steadyClock();
  const truth = systemClock.now();
  const watch = async () => {
    delete clock.unsettled;
    const watching = startWatchingClock({ ...world, metrics: openMetrics(), clock });
    await waitFor('a comparison', () => clock.unsettled !== undefined);
    await watching.stop();
  };
  await watch();
  assert.equal(clock.unsettled, false);
  t.mock.timers.enable({ apis: ['Date'], now: later(truth, 2 * minute) });
  await watch();
  assert.equal(clock.unsettled, true);
  assert.ok((clock.skew ?? 0) > minute);
  assert.ok(Math.abs(clock.now().getTime() - truth.getTime()) < near);
});
