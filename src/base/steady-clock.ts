import { type Clock, type Machine, minute, mostClockSkew, second, thisMachine } from './clock.ts';

/** More than the normal drift of one machine's clocks between two comparisons. */
const mostUnexplained = 2 * second;

const tolerance = 0.25 * second;

/** Limits each step back, because a mail must never seem to arrive before its order was created. */
const mostStepBack = 0.5 * second;

/** Longer than the 17 minutes for which an order holds its amount, so that no open order loses payment or amount. */
const believedAfter = 20 * minute;

/** All processes notice a change within this time; until then their times may differ. */
const othersFollow = 0.5 * minute;

/**
 * Our time is the time at the start plus clocks that nobody can set, so setting the machine's clock does not change it.
 * Otherwise a mail could seem to arrive before it was signed, and its payment would be lost. Or an amount could seem
 * free while somebody may still pay it. Our time and the machine's can diverge in three ways. A sleep shows in the time
 * since boot, and we follow it at once. We follow a step of less than a minute forward at once, and back little by
 * little. The third is a jump of machine and database together. A clock set wrong and a clock corrected look the same.
 * So no order is created until both return, or until the jump has lasted long enough to accept it.
 */
export function steadyClock(machine: Machine = thisMachine, { believed = believedAfter } = {}): Clock {
  let start = machine.wall() - machine.running();
  let asleep = machine.sinceBoot() - machine.running();
  let apart: number | null = null;
  let jump = { by: 0, at: 0 };
  let settledFrom = Number.NEGATIVE_INFINITY;
  const ours = () => start + machine.running();
  const apartNow = () => machine.wall() - ours();

  function wake(): void {
    const slept = machine.sinceBoot() - machine.running() - asleep;
    if (Math.abs(slept) <= mostUnexplained) return;
    start += slept;
    asleep += slept;
  }

  /** A slow answer is inexact: move only by what it proves. */
  function follow(off: number, doubt: number): void {
    const unproven = doubt <= tolerance ? 0 : Math.sign(off) * doubt;
    const proven = Math.abs(off) > doubt + tolerance ? off - unproven : 0;
    if (apart === null) {
      start += proven;
    } else if (Math.abs(off) <= mostClockSkew) {
      jump = { by: 0, at: 0 };
      start += Math.max(proven, -mostStepBack);
    } else {
      if (Math.abs(off - jump.by) > mostClockSkew) jump = { by: off, at: ours() };
      if (ours() - jump.at < believed) return;
      start += off;
      jump = { by: 0, at: 0 };
      if (believed > 0) settledFrom = ours() + othersFollow;
    }
  }

  return {
    now: () => new Date(ours()),
    inDoubt() {
      if (apart !== null && Math.abs(apartNow() - apart) <= mostUnexplained) return false;
      wake();
      return apart === null || Math.abs(apartNow() - apart) > mostUnexplained;
    },
    compare(database, doubt) {
      wake();
      const machineAgrees = Math.abs(machine.wall() - database.getTime()) <= mostClockSkew;
      // While machine and database disagree, believe neither.
      if (machineAgrees) follow(database.getTime() - ours(), doubt);
      apart = apartNow();
      return { jump: jump.by, unsettled: !machineAgrees || jump.by !== 0 || ours() < settledFrom };
    },
  };
}
