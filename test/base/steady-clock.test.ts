import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hour, later, minute, second } from '../../src/base/clock.ts';
import { steadyClock } from '../../src/base/steady-clock.ts';
import { testMachine } from '../support/test-machine.ts';

/** A program and its database on one machine: who sets its clock sets both. */
function oneMachine({ believed }: { believed?: number } = {}) {
  const machine = testMachine();
  const clock = steadyClock(machine, believed === undefined ? {} : { believed });
  const compare = () => clock.compare!(machine.wallTime(), 1);
  compare();
  const began = clock.now();
  return { machine, clock, compare, ours: () => clock.now().getTime() - began.getTime() };
}

describe('an answer that was nine seconds on its way', () => {
  const doubt = 9 * second;

  test('a clock answer that took nine seconds moves our time by nothing uncertain, at the start or later', () => {
    const machine = testMachine();
    const clock = steadyClock(machine);
    const began = clock.now();
    for (const off of [-doubt, doubt]) {
      clock.compare!(later(machine.wallTime(), off), doubt);
      assert.deepEqual(clock.now(), began);
    }
  });

  test('a clock answer that took nine seconds moves our time by the part that is certain', () => {
    const machine = testMachine();
    const clock = steadyClock(machine);
    const began = clock.now();
    clock.compare!(later(machine.wallTime(), doubt + 5 * second), doubt);
    assert.deepEqual(clock.now(), later(began, 5 * second));
  });
});

describe('a machine that slept', () => {
  test('after sleep our time follows at once, by the time since boot and without the database', () => {
    const { machine, clock, ours, compare } = oneMachine();
    machine.sleep(8 * hour);
    assert.equal(clock.inDoubt!(), false);
    assert.equal(ours(), 8 * hour);
    assert.deepEqual(compare(), { jump: 0, unsettled: false });
  });

  test('after sleep with a changed clock our time moves only by the sleep', () => {
    const { machine, clock, ours, compare } = oneMachine();
    machine.sleep(1 * hour);
    machine.set(-2 * hour);
    assert.equal(clock.inDoubt!(), true);
    assert.equal(ours(), 1 * hour);
    assert.deepEqual(compare(), { jump: -2 * hour, unsettled: true });
  });
});

for (const [way, by] of [
  ['forward', 2 * hour],
  ['back', -2 * hour],
] as const) {
  describe(`clocks of machine and database set ${way} together`, () => {
    test(`a step ${way} of both clocks does not move our time, and nothing is settled until they come back`, () => {
      const { machine, clock, ours, compare } = oneMachine();
      machine.set(by);
      assert.equal(clock.inDoubt!(), true);
      assert.deepEqual(compare(), { jump: by, unsettled: true });
      assert.equal(clock.inDoubt!(), false);
      machine.pass(15 * minute);
      assert.deepEqual(compare(), { jump: by, unsettled: true });
      assert.equal(ours(), 15 * minute);
      machine.set(-by);
      assert.equal(clock.inDoubt!(), true);
      assert.deepEqual(compare(), { jump: 0, unsettled: false });
      assert.equal(ours(), 15 * minute);
    });

    test(`a step ${way} of both clocks is followed once no order is open, and orders wait until every process has`, () => {
      const { machine, ours, compare } = oneMachine();
      machine.set(by);
      compare();
      machine.pass(20 * minute - 1);
      assert.equal(compare().unsettled, true);
      assert.equal(ours(), 20 * minute - 1);
      machine.pass(1);
      assert.deepEqual(compare(), { jump: 0, unsettled: true });
      assert.equal(ours(), 20 * minute + by);
      machine.pass(30 * second);
      assert.deepEqual(compare(), { jump: 0, unsettled: false });
    });

    test(`a second step ${way} of both clocks is waited for again`, () => {
      const { machine, compare } = oneMachine();
      machine.set(by);
      compare();
      machine.pass(19 * minute);
      machine.set(by);
      assert.equal(compare().jump, 2 * by);
      machine.pass(19 * minute);
      assert.equal(compare().jump, 2 * by);
    });

    test(`a step ${way} of both clocks is followed at once in the sandbox, where nobody outside has another time`, () => {
      const { machine, ours, compare } = oneMachine({ believed: 0 });
      machine.set(by);
      assert.deepEqual(compare(), { jump: 0, unsettled: false });
      assert.equal(ours(), by);
    });
  });
}

describe('a small step of machine and database', () => {
  test('a small step forward of machine and database is followed at once', () => {
    const { machine, ours, compare } = oneMachine();
    machine.set(40 * second);
    assert.deepEqual(compare(), { jump: 0, unsettled: false });
    assert.equal(ours(), 40 * second);
  });

  test('a small step back is followed by half a second at a time: no mail arrives before the order that it pays', () => {
    const { machine, ours, compare } = oneMachine();
    machine.set(-1.4 * second);
    const steps = [1, 2, 3, 4].map(() => {
      assert.equal(compare().unsettled, false);
      return ours();
    });
    assert.deepEqual(steps, [-500, -1000, -1400, -1400]);
  });
});

test('while machine and database disagree our clock follows neither, and nothing is settled', () => {
  const machine = testMachine();
  const clock = steadyClock(machine);
  const truth = machine.wallTime();
  clock.compare!(truth, 1);
  machine.set(2 * minute);
  assert.deepEqual(clock.compare!(truth, 1), { jump: 0, unsettled: true });
  assert.equal(clock.now().getTime(), truth.getTime());
  assert.deepEqual(clock.compare!(later(truth, 2 * minute), 1), { jump: 2 * minute, unsettled: true });
});

test('a machine whose clock was some seconds off at the start takes the time of the database', () => {
  const machine = testMachine();
  const clock = steadyClock(machine);
  assert.equal(clock.inDoubt!(), true);
  clock.compare!(later(machine.wallTime(), -50 * second), 1);
  assert.equal(clock.now().getTime(), machine.wall() - 50 * second);
  assert.equal(clock.inDoubt!(), false);
});
