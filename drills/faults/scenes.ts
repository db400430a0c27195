import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { genuineLines } from '../../test/support/genuine-alert.ts';
import { handMail } from '../../test/support/mail-provider.ts';
import type { Dice } from './dice.ts';
import { counted, type Fault, lasting, roundsOfFaults } from './faults.ts';
import { bankDomain } from './names.ts';
import type { Stage } from './stage.ts';

/** One after the other, each with customers of its own: every kind of fault once, then those that need a stage. */
export function* scenes(stage: Stage, dice: Dice): Generator<Fault> {
  yield* roundsOfFaults(stage, dice, 15 * second, 1);
  yield loginThrottled(stage);
  yield goodbye(stage);
  yield lastingImap(stage, 'IDLE without news', 'swallow exists', 45 * second);
  yield lastingImap(stage, 'answers that drip', 'slow drip', 20 * second);
  yield stoppedMail(stage);
  yield stoppedAll(stage);
  yield ordersLocked(stage);
  yield noConnectionLeft(stage);
  yield smallMemory(stage);
  yield floodOfMails(stage);
}

/** A provider that has enough of us says so in words that are no word about the password. */
function loginThrottled({ imap }: Stage): Fault {
  return {
    kind: 'login throttled',
    strike: lasting(
      25 * second,
      () => {
        imap.answerWith(command =>
          /^(?:LOGIN|AUTHENTICATE)\b/i.test(command) ? 'NO [THROTTLED] Too many logins, try later' : null,
        );
        imap.reset();
      },
      () => imap.answerWith(null),
      () => imap.struck,
    ),
  };
}

function goodbye({ imap }: Stage): Fault {
  return {
    kind: 'BYE in every session',
    strike: counted(
      () => imap.struck,
      async over => {
        for (let times = 0; times < 4 && !over.aborted; times++) {
          imap.say('* BYE going down for maintenance\r\n');
          await sleep(4 * second);
        }
      },
    ),
  };
}

function lastingImap(
  { imap }: Stage,
  kind: string,
  fault: 'swallow exists' | 'slow drip',
  time: number,
): Fault {
  return {
    kind,
    strike: lasting(
      time,
      () => imap.set(fault),
      () => imap.set('none'),
      () => imap.struck,
    ),
  };
}

/** Longer than its lease: the other one takes its mailboxes over, and it wakes up beside it. */
function stoppedMail({ processes }: Stage): Fault {
  return {
    kind: 'one mail process stopped for 45 s',
    strike: () => processes.of('mail')[0]!.freeze(sleep(45 * second)),
  };
}

function stoppedAll({ processes }: Stage): Fault {
  return {
    kind: 'all processes stopped for 20 s',
    async strike() {
      const thawed = sleep(20 * second);
      return (await Promise.all(processes.all.map(one => one.freeze(thawed)))).every(Boolean);
    },
  };
}

/** As a careless `alter table` does. Struck: somebody was seen waiting for the lock. */
function ordersLocked({ world }: Stage): Fault {
  return {
    kind: 'orders locked for 12 s',
    strike: () =>
      world.sql.begin(async tx => {
        await tx`lock table orders in access exclusive mode`;
        await sleep(12 * second);
        const [row] = await tx<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_locks where relation = 'orders'::regclass and not granted`;
        return row!.waiting > 0;
      }),
  };
}

/** A stranger takes every connection that the server has while ours are cut off. Struck: a further one was refused. */
function noConnectionLeft({ env }: Stage): Fault {
  return {
    kind: 'no connection left for 15 s',
    async strike() {
      const greedy = connect(env['DATABASE_URL']!, { most: 500 });
      const [row] = await greedy<{ most: number }[]>`select current_setting('max_connections')::int as most`;
      let refused = 0;
      const held = Array.from({ length: row!.most }, () =>
        greedy`select pg_sleep(15)`.catch(error => {
          if ((error as { code?: string }).code === '53300') refused++;
        }),
      );
      await sleep(2 * second);
      const own = connect(env['DATABASE_URL']!, { most: 1 });
      await own`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query not like '%pg_sleep%' and pid <> pg_backend_pid()`.catch(
        () => {},
      );
      await Promise.all(held);
      await Promise.all([greedy.end(), own.end()]);
      return refused > 0;
    },
  };
}

/** Struck: it was started with the small heap, and large mails came. What it cannot bear ends it, and another goes on. */
function smallMemory({ processes, businesses, deliver }: Stage): Fault {
  const [one] = processes.of('mail');
  return {
    kind: 'a heap of 96 MiB and large mails',
    async strike() {
      one!.limitMemory(96);
      const ended = await one!.end('SIGTERM', 0);
      for (let count = 0; count < 12; count++)
        await deliver(businesses[count % businesses.length]!, forgedMail(900_000, count), 'INBOX', 'mailbox');
      await sleep(15 * second);
      one!.limitMemory(null);
      return (await one!.end('SIGTERM', 0)) && ended;
    },
  };
}

/** More than one address may send: the rest is told to come later, and genuine alerts come beside them. */
function floodOfMails({ processes, businesses }: Stage): Fault {
  return {
    kind: 'flood of forged mails past its limit',
    async strike(over) {
      const ports = processes.of('receive').map(({ smtpPort }) => smtpPort);
      let refused = 0;
      for (let round = 0; round < 60 && !over.aborted; round++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            handMail(ports[at % ports.length]!, {
              to: businesses[0]!.forwardTo,
              raw: forgedMail(200, round * 10 + at),
            }),
          ),
        );
        refused += answers.filter(({ code }) => code >= 400 && code < 500).length;
      }
      return refused > 0;
    },
  };
}

function forgedMail(bytes: number, number: number): Buffer {
  const lines = genuineLines.map(line =>
    line.startsWith('From:') ? `From: Test Bank <alerts@${bankDomain}>` : line,
  );
  return Buffer.from(`${lines.join('\r\n')}\r\nX-Number: ${number}\r\n\r\n${'spam '.repeat(bytes / 5)}\r\n`);
}
