import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/database/connect.ts';
import { DatabaseAway, isDatabaseAway } from '../../src/database/database-away.ts';
import { withDeadline } from '../../src/database/with-deadline.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase({ most: 2 });
  await database.sql`create table notes (id int primary key, text text, at timestamptz, data jsonb, bytes bytea)`;
});
after(() => database.stop());

/** Ends a backend as an administrator or a failing network would. */
async function cut(pid: number): Promise<void> {
  const other = connect(database.url, { most: 1 });
  await other`select pg_terminate_backend(${pid})`;
  await other.end();
}

describe('statements', () => {
  test('values are parameters and templates inside templates are text', async () => {
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
  test('all or nothing', async () => {
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

  test('a connection that dies in the middle takes the whole transaction with it, and nothing runs outside it', async () => {
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
      await assert.rejects(outcome, error => isDatabaseAway(error), when);
      assert.equal((await sql`select from notes where id in (10, 11)`).length, 0, when);
    }
  });

  test('a swallowed failure is not taken for a commit', async () => {
    const { sql } = database;
    const outcome = sql.begin(async tx => {
      await tx`insert into notes (id) values (20)`;
      await tx`select nonsense`.catch(() => {});
    });
    await assert.rejects(outcome, /rolled back/);
    assert.equal((await sql`select from notes where id = 20`).length, 0);
  });

  test('the pool is whole again after every connection was cut', async () => {
    const { sql } = database;
    for (let round = 0; round < 5; round++) {
      const pids = await Promise.all([
        sql`select pg_backend_pid() as pid`,
        sql`select pg_backend_pid() as pid`,
      ]);
      for (const [row] of pids) await cut(row?.['pid']);
      // Each connection may tell its loss once, to the query that meets it.
      for (const _ of pids) await sql`select 1`.catch(error => assert.ok(isDatabaseAway(error)));
      assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
    }
  });

  test('what is cut off while it runs rejects as away', async () => {
    const { sql } = database;
    const outcome = sql.begin(async tx => {
      const [me] = await tx`select pg_backend_pid() as pid`;
      void cut(me?.['pid']);
      await tx`select pg_sleep(20)`;
    });
    await assert.rejects(outcome, error => isDatabaseAway(error));
  });
});

describe('deadlines', () => {
  test('a query beyond its deadline is given up, interrupted on the server, and its connection serves the next', async () => {
    const { sql } = database;
    await assert.rejects(withDeadline(sql`select pg_sleep(60)`, 100), DatabaseAway);
    await assert.rejects(withDeadline(sql`select pg_sleep(60)`, 100), DatabaseAway);
    assert.deepEqual([...(await sql`select 2 as two`)], [{ two: 2 }]);
    const sleeping = async () =>
      (await sql`select from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`)
        .length;
    for (let tries = 0; tries < 100 && (await sleeping()) > 0; tries++) await sleep(50);
    assert.equal(await sleeping(), 0);
  });

  test('one that still waits for a connection is given up too, and never sent', async () => {
    const { sql } = database;
    const held = [await sql.reserve(), await sql.reserve()];
    await assert.rejects(withDeadline(sql`insert into notes (id) values (30)`, 50), DatabaseAway);
    for (const connection of held) connection.release();
    assert.equal((await sql`select from notes where id = 30`).length, 0);
  });
});

describe('listening', () => {
  test('hears what is said, and again after its connection was cut', async () => {
    const { sql } = database;
    const heard: string[] = [];
    let starts = 0;
    let wake = () => {};
    const next = () => new Promise<void>(resolve => (wake = resolve));
    let started = next();
    const ear = await sql.listen(
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
    await ear.unlisten();
  });
});
