import { type Clock, type Machine, minute, mostClockSkew, second, thisMachine } from './clock.ts';

/** More than two clocks of one machine part by themselves between two comparisons. */
const mostUnexplained = 2 * second;

const tolerance = 0.25 * second;

/** Our time goes back by no more than this at once: a mail must never seem to arrive before its order was made. */
const mostStepBack = 0.5 * second;

/**
 * Longer than the seventeen minutes for which an order holds its amount: no order is open any more when our time is
 * changed, so none can lose its payment or give its amount away by that.
 */
const believedAfter = 20 * minute;

/** Every process of the installation finds out within this; until then two of them may tell different times. */
const othersFollow = 0.5 * minute;

/**
 * The time as it was told at the start, carried on by what nobody can set: whoever sets the machine's clock while we
 * run does not move ours. A mail would seem to arrive before it was signed, and its payment be lost; an amount would
 * seem free while somebody still may pay it.
 *
 * What parts our time from the machine's: a sleep, which the time since boot tells, and which we follow at once; a
 * step of less than a minute, followed forward at once and back little by little; or a jump of machine and database
 * together. A clock set wrong and one set right at last look the same, so no order is created until they come back,
 * or until the jump has lasted long enough to be believed.
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

  /** An answer that took long tells little: we move by what it proves, and no further. */
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
      // While the two disagree we believe neither.
      if (machineAgrees) follow(database.getTime() - ours(), doubt);
      apart = apartNow();
      return { jump: jump.by, unsettled: !machineAgrees || jump.by !== 0 || ours() < settledFrom };
    },
  };
}
