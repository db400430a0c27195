import assert from 'node:assert/strict';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../src/base/database/connect.ts';
import { DatabaseDown, isDatabaseDown } from '../../../src/base/database/database-down.ts';
import { withDeadline } from '../../../src/base/database/with-deadline.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { prepare, use } from '../../support/use.ts';

const database = use(() => openTestDatabase({ most: 2 }));
prepare(async () => {
  await database.sql`create table notes (id int primary key, text text, at timestamptz, data jsonb, bytes bytea)`;
});

/** Ends a backend as an administrator or a failing network would. */
async function cut(pid: number): Promise<void> {
  const other = connect(database.url, { most: 1 });
  // Waits until it is gone: one that ends later would be met by a query that expects it no more.
  await other`select pg_terminate_backend(${pid}, 5000)`;
  await other.end();
}

describe('statements', () => {
  test('values become parameters, and templates inside templates become text', async () => {
    const { sql } = database;
    const row = {
      id: 1,
      text: "O'Neil; drop table notes",
      at: new Date(1234),
      data: sql.json({ a: [1] }),
      bytes: Buffer.from([0, 255]),
    };
    await sql`insert into notes ${sql({ ...row, data: null })}`;
    await sql`update notes set data = ${row.data} where id = ${1}`;
    const condition = sql`id in ${sql([1, 2])} and text = ${row.text}`;
    const [found] =
      await sql`select *, 9007199254740991::bigint as big, '2026-11-01'::date as day from notes where ${condition}`;
    assert.deepEqual(found, { ...row, data: { a: [1] }, big: 9007199254740991, day: '2026-11-01' });
  });

  test('several rows are inserted at once', async () => {
    const { sql } = database;
    await sql`insert into notes ${sql([
      { id: 101, text: 'a' },
      { id: 102, text: null },
    ])}`;
    assert.deepEqual(
      [...(await sql`select id, text from notes where id in ${sql([101, 102])} order by id`)],
      [
        { id: 101, text: 'a' },
        { id: 102, text: null },
      ],
    );
  });

  test('a query gives its first row, its only column, or whether it found a row', async () => {
    const { sql } = database;
    const numbers = () => sql<{ number: number }[]>`select n as number from generate_series(1, 2) n`;
    const none = () => sql<{ number: number }[]>`select 1 as number where false`;
    assert.deepEqual([await numbers().first(), await numbers().value()], [{ number: 1 }, 1]);
    assert.deepEqual([await numbers().column(), await numbers().some()], [[1, 2], true]);
    assert.deepEqual([await none().first(), await none().value(), await none().some()], [null, null, false]);
    assert.equal(await sql`select where true`.some(), true, 'a row without columns');
  });

  test('undefined and empty lists are refused before anything is sent', async () => {
    const { sql } = database;
    await assert.rejects(async () => await sql`select ${undefined}`, TypeError);
    await assert.rejects(async () => await sql`select 1 where 1 in ${sql([])}`, TypeError);
  });

  test('a query that is not awaited is not sent; awaited twice it is sent once', async () => {
    const { sql } = database;
    const query = sql`insert into notes (id) values (50)`;
    assert.equal((await sql`select from notes where id = 50`).length, 0);
    await query;
    await query;
    assert.equal((await sql`select from notes where id = 50`).length, 1);
  });
});

describe('transactions', () => {
  test('a transaction writes everything or nothing', async () => {
    const { sql } = database;
    await assert.rejects(
      sql.begin(async tx => {
        await tx`insert into notes (id) values (2)`;
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.equal((await sql`select from notes where id = 2`).length, 0);
    assert.equal(
      await sql.begin(async tx => (await tx`insert into notes (id) values (3) returning id`)[0]?.['id']),
      3,
    );
  });

  test('a connection that dies in a transaction rolls all of it back, and nothing runs outside it', async () => {
    const { sql } = database;
    for (const when of ['before a statement', 'before the commit']) {
      const outcome = sql.begin(async tx => {
        await tx`insert into notes (id) values (10)`;
        const [me] = await tx`select pg_backend_pid() as pid`;
        await cut(me?.['pid']);
        // Others keep the pool busy, so that a driver which reconnects would find a fresh connection.
        await Promise.all([1, 2, 3].map(() => sql`select 1`));
        if (when === 'before a statement') await tx`insert into notes (id) values (11)`;
      });
      await assert.rejects(outcome, error => isDatabaseDown(error), when);
      assert.equal((await sql`select from notes where id in (10, 11)`).length, 0, when);
    }
  });

  test('a swallowed failure does not count as a commit', async () => {
    const { sql } = database;
    const outcome = sql.begin(async tx => {
      await tx`insert into notes (id) values (20)`;
      await tx`select nonsense`.catch(() => {});
    });
    await assert.rejects(outcome, /rolled back/);
    assert.equal((await sql`select from notes where id = 20`).length, 0);
  });

  test('the pool works again after every connection was cut', async () => {
    const { sql } = database;
    for (let round = 0; round < 5; round++) {
      const pids = await Promise.all([
        sql`select pg_backend_pid() as pid`,
        sql`select pg_backend_pid() as pid`,
      ]);
      for (const [row] of pids) await cut(row?.['pid']);
      // Each connection may tell its loss once, to the query that meets it.
      for (const _ of pids) await sql`select 1`.catch(error => assert.ok(isDatabaseDown(error)));
      assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
    }
  });

  test('a transaction of a hanging process is ended by the server, with its locks', async () => {
    const { sql } = database;
    const [inside] = await sql.begin(tx => tx`show idle_in_transaction_session_timeout`);
    const [outside] = await sql`show idle_in_transaction_session_timeout`;
    assert.deepEqual(
      [inside, outside].map(row => row?.['idle_in_transaction_session_timeout']),
      ['30s', '0'],
    );
  });

  test('a query that is cut off while it runs rejects with DatabaseDown', async () => {
    const { sql } = database;
    const outcome = sql.begin(async tx => {
      const [me] = await tx`select pg_backend_pid() as pid`;
      void cut(me?.['pid']);
      await tx`select pg_sleep(20)`;
    });
    await assert.rejects(outcome, error => isDatabaseDown(error));
  });
});

describe('deadlines', () => {
  test('a query beyond its deadline is cancelled on the server, and its connection serves the next', async () => {
    const { sql } = database;
    await assert.rejects(withDeadline(sql`select pg_sleep(60)`, 100), DatabaseDown);
    await assert.rejects(withDeadline(sql`select pg_sleep(60)`, 100), DatabaseDown);
    assert.deepEqual([...(await sql`select 2 as two`)], [{ two: 2 }]);
    const sleeping = async () =>
      (await sql`select from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`)
        .length;
    await until('nothing sleeps on', async () => (await sleeping()) === 0);
  });

  test('a query that waits for a connection beyond its deadline is never sent', async () => {
    const { sql } = database;
    const held = [await sql.reserve(), await sql.reserve()];
    await assert.rejects(withDeadline(sql`insert into notes (id) values (30)`, 50), DatabaseDown);
    for (const connection of held) connection.release();
    assert.equal((await sql`select from notes where id = 30`).length, 0);
  });
});

describe('listening', () => {
  test('listening continues after its connection was cut', async () => {
    const { sql } = database;
    const heard: string[] = [];
    let starts = 0;
    let wake = () => {};
    const next = () => new Promise<void>(resolve => (wake = resolve));
    let started = next();
    const listener = await sql.listen(
      'news',
      payload => {
        heard.push(payload);
        wake();
      },
      () => {
        starts++;
        wake();
      },
    );
    let said = next();
    await sql.notify('news', 'one');
    await said;
    started = next();
    const [row] =
      await sql`select pid from pg_stat_activity where query like 'listen%' and datname = current_database()`;
    await cut(row?.['pid']);
    await started;
    said = next();
    await sql.begin(async tx => {
      await tx.notify('news', 'two');
    });
    await said;
    assert.deepEqual([heard, starts], [['one', 'two'], 2]);
    await listener.unlisten();
  });
});

describe('a bad line to the server', () => {
  test('a late request to cancel one query does not cancel the next on the same connection', async () => {
    const line = await startLine(database.url);
    const sql = connect(line.url, { most: 1 });
    await sql`select 1`;
    // The wish travels on a connection of its own, and arrives when the query has ended by itself.
    line.delayNew(700);
    const first = withDeadline(sql`select pg_sleep(0.5)`, 20);
    const next = sql`select pg_sleep(0.5), 'untouched' as text`;
    await assert.rejects(first, DatabaseDown);
    assert.equal((await next)[0]?.['text'], 'untouched');
    await sql.end();
    line.stop();
  });

  test('a query given up in the queue leaves its connection to the others', async () => {
    const sql = connect(database.url, { most: 1 });
    const backend = async () => (await sql`select pg_backend_pid() as pid`)[0]?.['pid'];
    const before = await backend();
    const held = await sql.reserve();
    await assert.rejects(withDeadline(sql`select 1`, 20), DatabaseDown);
    held.release();
    assert.equal(await backend(), before);
    await sql.end();
  });

  test('a server that stops answering costs its connections, and new ones replace them', async () => {
    const line = await startLine(database.url);
    const sql = connect(line.url, { most: 1, statementTimeout: 1_000 });
    await sql`select 1`;
    line.swallow();
    // One whose caller gave up, and one that nobody cancels.
    await assert.rejects(withDeadline(sql`select 1`, 20), DatabaseDown);
    assert.deepEqual([...(await sql`select 2 as two`.catch(() => sql`select 2 as two`))], [{ two: 2 }]);
    line.swallow();
    await assert.rejects(
      sql.begin(tx => tx`select 1`),
      DatabaseDown,
    );
    assert.deepEqual([...(await sql`select 3 as three`)], [{ three: 3 }]);
    await sql.end();
    line.stop();
  });
});

/** A line to the server whose open connections can go dead without a word, and whose new ones can be slow. */
async function startLine(to: string) {
  const sockets = new Set<Socket>();
  const dead = new Set<Socket>();
  let delay = 0;
  const { hostname, port } = new URL(to);
  const listener = createServer(async near => {
    near.on('error', () => {});
    sockets.add(near);
    near.pause();
    await sleep(delay);
    const far = dial(Number(port), hostname);
    sockets.add(far.on('error', () => near.destroy()));
    near.on('data', chunk => dead.has(near) || far.write(chunk)).on('close', () => far.destroy());
    near.resume();
    far.on('data', chunk => dead.has(near) || near.write(chunk)).on('close', () => near.destroy());
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    delayNew(milliseconds: number) {
      delay = milliseconds;
    },
    swallow() {
      for (const socket of sockets) dead.add(socket);
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
