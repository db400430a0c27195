import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hour, later, minute, second, steadyClock, systemClock } from '../../src/clock.ts';
import { startWatchingClock } from '../../src/database/watch-clock.ts';
import { openMetrics } from '../../src/metrics.ts';
import { openTestWorld, type TestWorld } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';

let world: TestWorld;
before(async () => {
  world = await openTestWorld();
});
after(() => world.stop());

/** A machine may be slow; a clock that followed would be off by far more. */
const near = 30 * second;

test("our clock goes on by itself when somebody sets the machine's, forward or back", t => {
  const clock = steadyClock();
  const truth = systemClock.now();
  for (const jump of [2 * hour, -2 * hour]) {
    t.mock.timers.enable({ apis: ['Date'], now: later(truth, jump) });
    assert.ok(Math.abs(systemClock.now().getTime() - truth.getTime()) > hour);
    assert.ok(Math.abs(clock.now().getTime() - truth.getTime()) < near);
    t.mock.timers.reset();
  }
});

test('a machine that slept wakes with an old clock, which is put right by the database', async () => {
  const clock = steadyClock();
  clock.correct?.(later(systemClock.now(), -hour));
  const watching = startWatchingClock({ ...world, metrics: openMetrics(), clock });
  try {
    await waitFor('the clock put right', () => off(clock) < near);
  } finally {
    await watching.stop();
  }
});

test('with a machine and a database that disagree our clock believes neither, and no order is created', async t => {
  const clock = steadyClock();
  const truth = systemClock.now();
  t.mock.timers.enable({ apis: ['Date'], now: later(truth, 2 * minute) });
  const watching = startWatchingClock({ ...world, metrics: openMetrics(), clock });
  try {
    await waitFor('a comparison', () => clock.skew !== undefined);
    assert.ok((clock.skew ?? 0) > minute);
    assert.ok(Math.abs(clock.now().getTime() - truth.getTime()) < near);
  } finally {
    await watching.stop();
  }
});

function off(clock: { now(): Date }): number {
  return Math.abs(clock.now().getTime() - systemClock.now().getTime());
}
