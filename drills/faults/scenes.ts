import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { handMail } from '../../test/support/mail-provider.ts';
import { startPgBouncer } from '../../test/support/pgbouncer.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Bank, forgedMail } from './bank.ts';
import type { Dice } from './dice.ts';
import { counted, type Fault, lasting, roundsOfFaults } from './faults.ts';
import { mailboxRenumbered } from './mailbox-renumbered.ts';
import type { Stage } from './stage.ts';

/** One after the other, each with customers of its own: those that need a stage, then every other kind of fault once. */
export function* scenes(stage: Stage, bank: Bank, dice: Dice, mails: number): Generator<Fault> {
  yield exhaustedPooler(stage);
  yield smallMemory(stage);
  yield floodOfMails(stage);
  yield mailboxRenumbered(stage, bank, mails);
  yield loginThrottled(stage);
  yield goodbye(stage);
  yield lastingImap(stage, 'IDLE without news', 'swallow exists', 45 * second);
  yield lastingImap(stage, 'answers that drip', 'slow drip', 20 * second);
  yield stoppedMail(stage);
  yield stoppedAll(stage);
  yield ordersLocked(stage);
  yield noConnectionLeft(stage);
  yield* roundsOfFaults(stage, dice, 15 * second, 1);
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

/** Stops it for longer than its lease: another process takes over its mailboxes, and then it wakes up. */
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

/** Locks the table like a careless `alter table`. It counts if somebody was seen waiting for the lock. */
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

const poolSize = 10;

/**
 * All processes use PgBouncer, and a stranger holds all connections that it may open. It counts if another query got no
 * answer during that time.
 */
function exhaustedPooler({ processes, env }: Stage): Fault {
  const restartAll = async () => {
    await Promise.all(processes.all.map(one => one.end('SIGTERM', 0)));
    await waitFor('all ready again', () => processes.all.every(one => one.isReady()), 4 * minute);
  };
  return {
    kind: 'pooler exhausted for 20 s',
    async strike() {
      const pooler = await startPgBouncer(env['DATABASE_URL']!, { mode: 'transaction', poolSize });
      for (const one of processes.all) one.useDatabase(pooler.url);
      await restartAll();
      await sleep(5 * second);
      const greedy = connect(pooler.url, { most: poolSize, pooling: 'by transaction' });
      const further = connect(pooler.url, { most: 1, pooling: 'by transaction' });
      const held = Array.from({ length: poolSize }, () => greedy`select pg_sleep(20)`.catch(() => {}));
      await sleep(5 * second);
      let isAnswered = false;
      const question = further`select 1`.then(
        () => {
          isAnswered = true;
        },
        () => {},
      );
      await sleep(5 * second);
      const struck = !isAnswered;
      await Promise.all([...held, question]);
      await sleep(5 * second);
      for (const one of processes.all) one.useDatabase(null);
      await restartAll();
      await Promise.all([greedy.end(), further.end()]);
      await pooler.stop();
      return struck;
    },
  };
}

/** Both processes that read mail have little memory. Struck: they read large mails with it. */
function smallMemory({ processes, merchants, deliver, world }: Stage): Fault {
  const readers = processes.of('mail');
  const restart = async (mebibytes: number | null) => {
    for (const one of readers) one.limitMemory(mebibytes);
    await Promise.all(readers.map(one => one.end('SIGTERM', 0)));
    await waitFor('mail is read again', () => readers.every(one => one.isReady()), 4 * minute);
  };
  return {
    kind: 'a heap of 96 MiB and large mails',
    async strike() {
      await restart(96);
      for (let count = 0; count < 24; count++)
        await deliver(merchants[count % merchants.length]!, forgedMail(900_000, count), 'INBOX', 'mailbox');
      const read = async () =>
        (await world.sql`select from alerts where raw_bytes > 800000 and verdict <> 'unjudged'`).length ===
        24;
      const struck = await waitFor('the large mails', read, 60 * second).catch(() => false);
      await restart(null);
      return struck;
    },
  };
}

/**
 * Sends more than one process accepts for a recipient. The rest is deferred, and genuine alerts arrive at the same
 * time.
 */
function floodOfMails({ processes, merchants }: Stage): Fault {
  return {
    kind: 'flood of forged mails past its limit',
    async strike(over) {
      const { smtpPort } = processes.of('receive')[0]!;
      let refused = 0;
      for (let round = 0; refused < 20 && round < 300 && !over.aborted; round++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            handMail(smtpPort, { to: merchants[0]!.forwardTo, raw: forgedMail(200, round * 10 + at) }),
          ),
        );
        refused += answers.filter(({ code }) => code >= 400 && code < 500).length;
      }
      return refused > 0;
    },
  };
}
