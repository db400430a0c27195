import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { upsertTaken } from '../../../src/business/accounts/queries/taken.ts';
import { sweepTaken } from '../../../src/business/accounts/taken-names.ts';
import { removeHere } from '../../../src/operator/cells/queries.ts';
import { settleRestored } from '../../../src/operator/cells/settle-restored.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

const stage = twoCellsStage();
const { halves } = stage;

test('cell 0 comes back from a backup: what paid in cell 1 since pays nothing', async () => {
  const [a, b] = await stage.sides();
  const amount = paise(101_01);
  const same = halves.both();
  await b.order(amount);
  await a.order(amount);
  assert.equal((await b.confirm(await b.mail({ amount, ...same }))).outcome, 'paid');
  // The backup of cell 0 is of before that.
  await a.world.sql`delete from claimed_credits`;
  await settleRestored(stage.cells as never, stage.cells.worlds[0]);
  const second = await a.confirm(await a.mail({ amount, ...same }));
  assert.equal(second.outcome, 'duplicate');
});

test('the stale claim of a business that left keeps no other from being paid', async () => {
  const [a, b] = await stage.sides();
  const amount = paise(102_01);
  const same = halves.both();
  const kept = await b.mail({ amount, ...same });
  await b.confirm(kept);
  await b.keep(kept.alertId);
  await b.reopen(kept.alertId);
  const now = b.world.clock.now();
  await b.world
    .sql`update merchants set moved_at = ${now}, left_at = ${now} where merchant_id = ${b.merchantId}`;
  await a.order(amount);
  const mail = await a.mail({ amount, ...same });
  const first = await a.confirm(mail).then(
    x => x.outcome,
    e => e.code,
  );
  a.world.clock.advance(30 * day);
  assert.equal(first, 'paid');
});

test('a dead name of a business that left is swept', async () => {
  const [a, b] = await stage.sides();
  const { clock } = a.world;
  await upsertTaken(a.world.sql, {
    kind: 'person',
    name: 'gone@x.example',
    merchant_id: b.merchantId,
    since: clock.now(),
  });
  await upsertTaken(a.world.sql, {
    kind: 'person',
    name: 'zz@x.example',
    merchant_id: stage.cells.idIn(1),
    since: clock.now(),
  });
  const now = clock.now();
  await b.world
    .sql`update merchants set moved_at = ${now}, left_at = ${now} where merchant_id = ${b.merchantId}`;
  clock.advance(hour);
  const swept = await sweepTaken(a.world, null).then(
    () => 'ok',
    e => e.code,
  );
  assert.equal(swept, 'ok');
});

test('two businesses of a cell have one mail; one moves away: the other can still accept it', async () => {
  const b = await stage.side(0);
  const m = await stage.side(0);
  const amount = paise(103_01);
  const same = halves.both();
  const waiting = await b.mail({ amount, ...same });
  assert.equal((await b.confirm(waiting)).outcome, 'no_order');
  const other = await m.mail({ amount, ...same });
  assert.equal((await m.confirm(other)).outcome, 'no_order');
  const late = await b.order(31_07);
  await m.world
    .sql`update merchants set moved_at = ${m.world.clock.now()} where merchant_id = ${m.merchantId}`;
  const [seen] = await m.world.sql`select moved_at from merchants where merchant_id = ${m.merchantId}`;
  await removeHere(m.world, m.merchantId, seen!['moved_at']);
  const refused = await b.accept(waiting.alertId, late);
  assert.equal(refused, null);
});
