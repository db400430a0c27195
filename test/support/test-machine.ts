import { type Machine, systemClock } from '../../src/base/clock.ts';

/** A machine whose three clocks the test owns; they begin at this moment. */
export type TestMachine = Machine & {
  /** Time passes. */
  pass(milliseconds: number): void;
  /** Time passes that the machine sleeps through. */
  sleep(milliseconds: number): void;
  /** Somebody sets the wall clock. */
  set(milliseconds: number): void;
  wallTime(): Date;
};

export function testMachine(): TestMachine {
  let wall = systemClock.now().getTime();
  let sinceBoot = 5_000_000;
  let running = 1_000_000;
  return {
    wall: () => wall,
    sinceBoot: () => sinceBoot,
    running: () => running,
    wallTime: () => new Date(wall),
    pass(milliseconds) {
      wall += milliseconds;
      sinceBoot += milliseconds;
      running += milliseconds;
    },
    sleep(milliseconds) {
      wall += milliseconds;
      sinceBoot += milliseconds;
    },
    set(milliseconds) {
      wall += milliseconds;
    },
  };
}
