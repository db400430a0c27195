import { setTimeout as sleep } from 'node:timers/promises';
import { hour, minute, second, stopwatch } from '../../src/base/clock.ts';
import type { Role } from '../../src/base/settings/config.ts';
import type { Dice } from './dice.ts';
import type { Supervised } from './processes.ts';
import type { ShopState } from './shop.ts';
import type { Stage } from './stage.ts';

/**
 * One fault that heals. Resolves when it has healed, at the latest when `over` is aborted. Returns whether it affected
 * anything: a fault without effect proves nothing.
 */
export type Fault = { kind: string; strike(over: AbortSignal): Promise<boolean> };

export type Faults = {
  byKind: Map<string, number>;
  /** How often each kind was seen to do something. */
  struck: Map<string, number>;
  /** One line each: when, what, whom. */
  log: string[];
  /** Starts one fault; it heals while the next ones run. */
  strike(fault: Fault): Promise<void>;
  /** Heals everything at once. */
  end(): Promise<void>;
};

export function openFaults(began: number): Faults {
  const over = new AbortController();
  const underWay = new Set<Promise<void>>();
  const faults: Faults = {
    byKind: new Map(),
    struck: new Map(),
    log: [],
    strike(fault) {
      faults.byKind.set(fault.kind, (faults.byKind.get(fault.kind) ?? 0) + 1);
      faults.log.push(`${((Date.now() - began) / second).toFixed(1)} s: ${fault.kind}`);
      const work = fault
        .strike(over.signal)
        .then(struck => {
          if (struck) faults.struck.set(fault.kind, (faults.struck.get(fault.kind) ?? 0) + 1);
        })
        .finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    async end() {
      over.abort();
      await Promise.all(underWay);
    },
  };
  return faults;
}

/** Every kind once in each round, each round in another order. `longest` bounds how long one of them lasts. */
export function* roundsOfFaults(stage: Stage, dice: Dice, longest: number, rounds: number): Generator<Fault> {
  for (let round = 0; round < rounds; round++)
    for (const make of dice.shuffled(kinds)) yield make(stage, dice, longest);
}

/** The plan of many machines: the first process of each role is killed, the database restarts, then the second ones. */
export function machineFaults(stage: Stage): Fault[] {
  const roles: Role[] = ['web', 'mail', 'deliver', 'receive'];
  const kills = (which: number) => roles.map(role => killOf(stage.processes.of(role)[which]!, 1 * second));
  return [...kills(0), databaseFault(stage), ...kills(1)];
}

type Kind = (stage: Stage, dice: Dice, longest: number) => Fault;

const shortest = 2 * second;
const span = (dice: Dice, longest: number) => dice.between(Math.min(shortest, longest), longest);

const kinds: Kind[] = [
  kill('web'),
  kill('mail'),
  kill('deliver'),
  kill('receive'),
  ({ processes }, dice) => {
    const one = dice.pick(processes.all);
    return { kind: 'SIGTERM of a process', strike: () => one.end('SIGTERM', 0.3 * second) };
  },
  freeze,
  stage => databaseFault(stage),
  (stage, dice, longest) => ({
    kind: 'IMAP black hole',
    strike: lasting(
      span(dice, longest),
      () => stage.imap.set('black hole'),
      () => stage.imap.set('none'),
      () => stage.imap.struck,
    ),
  }),
  stage => ({
    kind: 'IMAP sessions reset',
    strike: counted(
      () => stage.imap.struck,
      async () => stage.imap.reset(),
    ),
  }),
  names('mute'),
  names('servfail'),
  shop('refuse'),
  shop('hang'),
  shop('answer 500'),
  clock('small clock jump', dice => dice.between(1, 45) * second),
  clock('large clock jump', dice => dice.pick([3 * minute, 20 * minute, 2 * hour]) * dice.between(0.8, 1.2)),
];

export const faultKinds = kinds.length;

function kill(role: Role): Kind {
  return ({ processes }, dice, longest) =>
    killOf(dice.pick(processes.of(role)), dice.between(0.2 * second, Math.min(longest, 3 * second)));
}

function killOf(one: Supervised, pause: number): Fault {
  return { kind: `kill -9 ${one.role}`, strike: () => one.end('SIGKILL', pause) };
}

/** Long enough now and then for its leases to go to others. */
function freeze({ processes }: Stage, dice: Dice, longest: number): Fault {
  const one = dice.pick(processes.all);
  const time = span(dice, longest * 2);
  return {
    kind: 'process frozen',
    strike: over => one.freeze(sleep(time, undefined, { signal: over }).catch(() => {})),
  };
}

function databaseFault(stage: Stage): Fault {
  return {
    kind: 'PostgreSQL immediate restart',
    async strike() {
      try {
        stage.crashDatabase();
        return true;
      } catch {
        // It is restarting already.
        return false;
      }
    },
  };
}

function names(state: 'mute' | 'servfail'): Kind {
  return (stage, dice, longest) => ({
    kind: `DNS ${state}`,
    strike: lasting(
      span(dice, longest),
      () => stage.names.set(state),
      () => stage.names.set('up'),
      () => stage.names.struck,
    ),
  });
}

function shop(state: ShopState): Kind {
  return (stage, dice, longest) => ({
    kind: `shop down: ${state}`,
    strike: lasting(
      span(dice, longest),
      () => stage.shop.set(state),
      () => stage.shop.set('up'),
      () => (state === 'refuse' ? refusedDeliveries(stage) : stage.shop.struck),
    ),
  });
}

/** A connection that the machine itself refused is counted only by its caller. */
async function refusedDeliveries({ world }: Stage): Promise<number> {
  // Another fault may have the database away for a moment.
  const asked = () => world.sql`select from delivery_log where state = 'failed' and status_code is null`;
  for (const waited = stopwatch(); waited() < mostPatience; await sleep(0.5 * second)) {
    const rows = await asked().catch(() => null);
    if (rows) return rows.length;
  }
  return (await asked()).length;
}

/** The clock of one process is set wrong, and put right after a while. */
function clock(kind: string, size: (dice: Dice) => number): Kind {
  return ({ processes }, dice, longest) => {
    const one = dice.pick(processes.all);
    const shift = Math.round(size(dice)) * dice.pick([1, -1]);
    return {
      kind,
      async strike(over) {
        one.shiftClock(shift);
        // Long enough now and then for the hourly and the minute's work to meet it.
        await sleep(span(dice, longest * 3), undefined, { signal: over }).catch(() => {});
        const struck = one.seenShift() === shift;
        one.shiftClock(0);
        return struck;
      },
    };
  };
}

/** How long a fault waits for somebody to meet it. */
const mostPatience = 60 * second;

/** Begins, lasts, a while longer if it has struck nobody yet, and ends; `count` says how often it has struck so far. */
export function lasting(
  time: number,
  begin: () => unknown,
  end: () => unknown,
  count: () => number | Promise<number>,
): Fault['strike'] {
  return counted(count, async over => {
    const before = await count();
    await begin();
    const lasted = stopwatch();
    await sleep(time, undefined, { signal: over }).catch(() => {});
    while ((await count()) <= before && lasted() < mostPatience && !over.aborted) await sleep(0.5 * second);
    await end();
  });
}

export function counted(
  count: () => number | Promise<number>,
  work: (over: AbortSignal) => Promise<void>,
): Fault['strike'] {
  return async over => {
    const before = await count();
    await work(over);
    return (await count()) > before;
  };
}
