import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stopwatch } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import type { Role } from '../../src/base/settings/config.ts';
import { startProgram } from '../../test/support/program.ts';

const readyLine = 'ready; stop with';
const supervisorPause = 300;
/** The program itself gives up on stopping after ten seconds; a busy machine gets more. */
const stopWithin = 30_000;

/** One process under a supervisor: running → (killed, or ended by itself) → a pause → running again. */
export type Supervised = {
  name: string;
  role: Role;
  url: string;
  /** The port on which a `receive` process takes mail. */
  smtpPort: number;
  /** The id of the running process, or of the last one. */
  pid(): number;
  /** kill -9, or a word to stop (SIGTERM); it is started again after so many milliseconds, or when a promise resolves. False: it was down. */
  end(how: 'SIGKILL' | 'SIGTERM', pause: number | Promise<void>): Promise<boolean>;
  /** Stops its breath (SIGSTOP), as a machine does that is moved or swaps; it goes on when `thawed` resolves. */
  freeze(thawed: Promise<unknown>): Promise<boolean>;
  /** From its next start on it may have a heap of so many MiB; null: as much as it likes. */
  limitMemory(mebibytes: number | null): void;
  /** From its next start on it asks the database here; null: where the others do. */
  useDatabase(url: string | null): void;
  /** Shifts its wall clock by this many milliseconds, and returns the shift that it has seen. */
  shiftClock(milliseconds: number): void;
  seenShift(): number;
  isReady(): boolean;
  said(): string;
  /** Ends it for good, as an operator does; whatever is wrong with how it ended is noted. */
  stop(): Promise<void>;
};

export type Processes = {
  all: Supervised[];
  of(role: Role): Supervised[];
  /** Ends that nobody asked for. */
  crashes: string[];
  /** Counts starts that the program refused with a sentence, for example while the database was down. */
  refusedStarts: number;
  /** Milliseconds from each start to its `ready`. */
  startTimes: number[];
};

/** `clocks`: each has a wall clock of its own that can be set off. */
export async function startProcesses(
  folder: string,
  env: Record<string, string>,
  roles: readonly Role[],
  { clocks = true } = {},
): Promise<Processes> {
  const processes: Processes = {
    all: [],
    of: role => processes.all.filter(one => one.role === role),
    crashes: [],
    refusedStarts: 0,
    startTimes: [],
  };
  for (const [at, role] of roles.entries())
    processes.all.push(await supervise(processes, folder, env, role, { name: `${role}-${at + 1}`, clocks }));
  return processes;
}

async function supervise(
  processes: Processes,
  folder: string,
  env: Record<string, string>,
  role: Role,
  { name, clocks }: { name: string; clocks: boolean },
): Promise<Supervised> {
  const [port, smtpPort] = [await freePort(), await freePort()];
  const clockFile = join(folder, `${name}.clock`);
  const ownEnv = {
    ...env,
    HOST: '127.0.0.1',
    PORT: String(port),
    RECEIVE_PORT: `127.0.0.1:${smtpPort}`,
    ...(clocks && { DRILL_CLOCK_FILE: clockFile }),
    NODE_OPTIONS: clocks
      ? `--import ${pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href}`
      : '',
  };
  writeFileSync(clockFile, '0');
  writeFileSync(`${clockFile}.seen`, '0');
  let isOpen = true;
  let isAwaited = false;
  let pause: number | Promise<void> = supervisorPause;
  let heap: number | null = null;
  let database: string | null = null;
  let program = start();

  function start() {
    // The drill must leave no process behind, however it ends.
    const started = startProgram(folder, {
      env: {
        ...ownEnv,
        // Mail in has its limits, or no flood would meet one; whoever forwards tries again.
        ...(role === 'receive' && { RATE_LIMITS: 'key=6000,address=12000' }),
        ...(database && { DATABASE_URL: database }),
        ...(heap && { NODE_OPTIONS: `${ownEnv.NODE_OPTIONS} --max-old-space-size=${heap}` }),
      },
      args: [role],
      prefix: ['setpriv', '--pdeathsig', 'KILL'],
    });
    const sinceStart = stopwatch();
    const look = () => {
      if (!started.output().includes(readyLine)) return;
      processes.startTimes.push(sinceStart());
      started.child.stdout?.off('data', look);
    };
    started.child.stdout?.on('data', look);
    void started.ended.then(async code => {
      const said = started.output();
      writeFileSync(join(folder, `${name}.log`), said, { flag: 'a' });
      if (!isAwaited) note(code, said);
      isAwaited = false;
      if (!isOpen) return;
      await (typeof pause === 'number' ? sleep(pause) : pause);
      pause = supervisorPause;
      if (isOpen) program = start();
    });
    return started;
  }

  function note(code: number | string | null, said: string): void {
    const refusedToStart = code === 1 && !said.includes(readyLine) && /^milaan: /m.test(said);
    if (refusedToStart) processes.refusedStarts++;
    else processes.crashes.push(`${name} ended by itself with ${code}: ${said.slice(-1500)}`);
  }

  const isRunning = () => program.child.exitCode === null && program.child.signalCode === null;
  return {
    name,
    role,
    url: `http://127.0.0.1:${port}`,
    smtpPort,
    pid: () => program.child.pid!,
    async end(how, pauseBefore) {
      if (!isRunning() || isAwaited) return false;
      isAwaited = true;
      pause = pauseBefore;
      program.child.kill(how);
      await program.ended;
      return true;
    },
    async freeze(thawed) {
      const { child } = program;
      child.kill('SIGSTOP');
      // The state T means that the process was really stopped, not only sent the signal.
      const stopped = () => /^\d+ \(.*\) T/.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
      await sleep(50);
      const struck = isRunning() && stopped();
      await thawed;
      child.kill('SIGCONT');
      return struck;
    },
    limitMemory(mebibytes) {
      heap = mebibytes;
    },
    useDatabase(url) {
      database = url;
    },
    shiftClock: milliseconds => writeFileSync(clockFile, String(milliseconds)),
    seenShift: () => Number(readFileSync(`${clockFile}.seen`, 'utf8')),
    said: () => program.output(),
    isReady: () => isRunning() && program.output().includes(readyLine),
    async stop() {
      isOpen = false;
      if (!isRunning()) return;
      isAwaited = true;
      program.child.kill('SIGTERM');
      const timer = setTimeout(() => program.child.kill('SIGKILL'), stopWithin);
      const code = await program.ended;
      clearTimeout(timer);
      if (code !== 0)
        processes.crashes.push(
          `${name} was told to stop and ended with ${code}: ${program.output().slice(-1500)}`,
        );
    },
  };
}
