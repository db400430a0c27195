import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql, Transaction } from '../../../src/base/database/connect.ts';
import { paise } from '../../../src/base/money.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

const stage = twoCellsStage();
const { halves } = stage;

test('who has lost the lock meanwhile frees no claim that was made anew', async () => {
  const [a, b] = await stage.sides();
  const amount = paise(104_01);
  const same = halves.both();
  const kept = await b.mail({ amount, ...same });
  await b.confirm(kept);
  await b.keep(kept.alertId);
  await b.reopen(kept.alertId);
  const theirOrder = await b.order(41_07);
  await a.order(amount);
  const mail = await a.mail({ amount, ...same });
  const real = a.world.sql;
  let pid = 0;
  const late = Object.assign(async (strings: TemplateStringsArray, ...values: never[]) => {
    if (String(strings).includes('delete from claimed_credits')) {
      // Cell 1 fails over, or ends a transaction that was idle; its owner accepts the money; then the delete comes.
      await b.world.sql`select pg_terminate_backend(${pid})`;
      assert.equal(await b.accept(kept.alertId, theirOrder), null);
    }
    return await real(strings, ...values);
  }, real) as unknown as Sql;
  const begin = <T>(work: (tx: Transaction) => Promise<T>) =>
    b.world.sql.begin(async tx => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      pid = row!.pid;
      return await work(tx);
    });
  const asked = (...args: Parameters<Sql>) => b.world.sql(...args);
  const theirs = { ...b.world, sql: Object.assign(asked, b.world.sql, { begin }) as Sql };
  const cells = {
    ...stage.cells,
    worlds: [{ ...a.world, sql: late }, theirs],
    of: (id: number) => (id === b.merchantId ? theirs : a.world),
  };
  await a.confirm(mail, { ...a.world, cells } as never).catch(() => null);
  assert.ok(pid > 0, 'it was asked for');
  assert.equal((await a.confirm(mail)).outcome, 'duplicate');
});
