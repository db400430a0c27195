import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { sealAgain } from '../../../src/operator/seal-again.ts';
import { beginSettling, claimKeyBinding } from '../../../src/payments/matching/claim-credit.ts';
import { claimRules } from '../../../src/payments/matching/claim-rules.ts';
import { claimSettled } from '../../../src/payments/matching/claim-settled.ts';
import { endCredit } from '../../../src/payments/review/end-credit.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

/** R2 where there are several databases: one payment counts once in the whole installation. */

const stage = twoCellsStage();
const { halves } = stage;
let price = 100_01;
const amounts = () => {
  price += 1_00;
  return paise(price);
};

for (const half of ['signature', 'reference', 'both'] as const)
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const)
    test(`by ${half}: what paid in cell ${first} pays nothing in cell ${second}, and nobody there can accept it`, async () => {
      const [a, b] = [await stage.side(first), await stage.side(second)];
      const [amount, same] = [amounts(), halves[half]()];
      const [mine, theirs] = [await a.order(amount), await b.order(amount)];
      const [one, two] = [await a.mail({ amount, ...same }), await b.mail({ amount, ...same })];
      assert.deepEqual(await a.confirm(one), { outcome: 'paid', orderId: mine });
      assert.deepEqual(await b.confirm(two), { outcome: 'duplicate', orderId: null });
      assert.deepEqual(await b.verdictOf(two), ['duplicate', 'counted_elsewhere']);
      assert.equal(await b.accept(two.alertId, theirs), 'not_genuine');
      assert.equal(await stage.paidWith(amount), 1);
      // A judge that comes once more changes nothing.
      assert.equal((await a.confirm(one)).outcome, 'paid');
      assert.equal((await b.confirm(two)).outcome, 'duplicate');
    });

test('the same reference pays in both cells where the digits show two accounts', async () => {
  const [a, b] = await stage.sides();
  await b.world.sql`update upi_accounts set account_digits = '8765' where merchant_id = ${b.merchantId}`;
  const [amount, same] = [amounts(), halves.reference()];
  await a.order(amount);
  await b.order(amount);
  assert.equal((await a.confirm(await a.mail({ amount, ...same }))).outcome, 'paid');
  const other = await b.mail({ amount, ...same, accountDigits: '8765' });
  assert.equal((await b.confirm(other)).outcome, 'paid');
  // Mails that print none are of the only account that there is.
  const [next, again] = [amounts(), halves.reference()];
  await a.order(next);
  await b.order(next);
  const bare = { amount: next, ...again, accountDigits: null };
  assert.equal((await b.confirm(await b.mail(bare))).outcome, 'paid');
  assert.equal((await a.confirm(await a.mail(bare))).outcome, 'paid');
});

for (const waiting of [0, 1] as const)
  test(`money that waits in cell ${waiting} keeps no order of the other from being paid, and is settled then`, async () => {
    const [b, a] = [await stage.side(waiting), await stage.side(1 - waiting)];
    const [amount, same] = [amounts(), halves.both()];
    const stray = await b.mail({ amount, ...same });
    assert.equal((await b.confirm(stray)).outcome, 'no_order');
    assert.equal(
      (await stage.claims()).some(claim => claim.endsWith(stray.alertId)),
      false,
    );
    await a.order(amount);
    assert.equal((await a.confirm(await a.mail({ amount, ...same }))).outcome, 'paid');
    const late = await b.order(31_07);
    assert.equal(await b.accept(stray.alertId, late), 'credit_taken');
    assert.equal(await b.keep(stray.alertId), 'credit_taken');
  });

test('what a person has decided about pays nowhere else until they change their mind', async () => {
  const [a, b] = await stage.sides();
  const [amount, same] = [amounts(), halves.both()];
  const kept = await b.mail({ amount, ...same });
  await b.confirm(kept);
  assert.equal(await b.keep(kept.alertId), null);
  await a.order(amount);
  const paying = await a.mail({ amount, ...same });
  assert.equal((await a.confirm(paying)).outcome, 'duplicate');
  const [next, again] = [amounts(), halves.both()];
  const reopened = await b.mail({ amount: next, ...again });
  await b.confirm(reopened);
  await b.keep(reopened.alertId);
  await b.reopen(reopened.alertId);
  await a.order(next);
  assert.equal((await a.confirm(await a.mail({ amount: next, ...again }))).outcome, 'paid');
  assert.equal(await b.keep(reopened.alertId), 'credit_taken');
});

test('what was settled in cell 0 before there were cells is settled for the others', async () => {
  const [a, b] = await stage.sides();
  const { cells: _, cell: __, ...alone } = a.world;
  for (const half of ['signature', 'reference'] as const) {
    const [amount, same] = [amounts(), halves[half]()];
    await a.order(amount);
    await b.order(amount);
    assert.equal((await a.confirm(await a.mail({ amount, ...same }), alone)).outcome, 'paid');
    assert.equal((await b.confirm(await b.mail({ amount, ...same }))).outcome, 'duplicate', half);
  }
});

test('an alert whose row is gone has settled what it claimed; a business that is not where the map says is asked again', async () => {
  const [a, b] = await stage.sides();
  const [amount, same] = [amounts(), halves.both()];
  await b.order(amount);
  await a.order(amount);
  const one = await b.mail({ amount, ...same });
  await b.confirm(one);
  const two = await a.mail({ amount, ...same });
  const { sql } = b.world;
  const moved = (at: Date | null) =>
    sql`update merchants set moved_at = ${at} where merchant_id = ${b.merchantId}`;
  await moved(b.world.clock.now());
  await assert.rejects(a.confirm(two), { code: 'ML503' });
  assert.deepEqual(await a.verdictOf(two), ['unjudged', null]);
  await moved(null);
  const away = { ...stage.cells, of: () => stage.cells.worlds[0] };
  await assert.rejects(a.confirm(two, { ...a.world, cells: away }), { code: 'ML503' });
  await sql`update alerts set alert_id = 'gone' where alert_id = ${one.alertId}`;
  assert.equal((await a.confirm(two)).outcome, 'duplicate');
  await sql`update alerts set alert_id = ${one.alertId} where alert_id = 'gone'`;
});

test('with another SECRET_KEY nothing is paid, and the error says why', async () => {
  const [, b] = await stage.sides();
  const amount = amounts();
  await b.order(amount);
  const mail = await b.mail({ amount });
  const [first, second] = stage.cells.worlds;
  const strange = { ...stage.cells, worlds: [{ ...first, secrets: secretBox([randomBytes(32)]) }, second] };
  await assert.rejects(
    b.confirm(mail, { ...b.world, cells: strange }),
    /claimed over cells was sealed with a key that is not in SECRET_KEY/,
  );
  assert.deepEqual(await b.verdictOf(mail), ['unjudged', null]);
  // Nor is a new key made beside old claims, which would be forgotten.
  const [key] = await first.sql`delete from claim_keys returning sealed`;
  await assert.rejects(b.confirm(mail, { ...b.world, cells: { ...stage.cells } }), /restore claim_keys/);
  await first.sql`insert into claim_keys (merchant_id, sealed) values (0, ${key!['sealed']})`;
  assert.equal((await b.confirm(mail)).outcome, 'paid');
});

test('while cell 0 is away payments of other cells wait and orders are taken; then they are paid', async () => {
  const [, b] = await stage.sides();
  const amount = amounts();
  await b.order(amount);
  const mail = await b.mail({ amount });
  const [first, second] = stage.cells.worlds;
  const away = Object.assign(
    () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' })),
    first.sql,
  );
  const worlds = [{ ...first, sql: away as unknown as typeof first.sql }, second];
  await b.confirm(await b.mail({ amount: paise(1_01) }));
  await assert.rejects(b.confirm(mail, { ...b.world, cells: { ...stage.cells, worlds } }), /away/);
  assert.deepEqual(await b.verdictOf(mail), ['unjudged', null]);
  b.world.clock.advance(hour);
  assert.equal((await b.confirm(mail)).outcome, 'paid');
});

test('whatever a business settled before there were cells is claimed for it before it moves, once', async () => {
  const [a, b] = await stage.sides();
  const { cells: _, cell: __, ...alone } = a.world;
  const paid = [];
  for (let count = 0; count < 3; count++) {
    const [amount, same] = [amounts(), halves.both()];
    await a.order(amount);
    paid.push(await a.mail({ amount, ...same }));
    await a.confirm(paid.at(-1)!, alone);
  }
  const kept = await a.mail({ amount: amounts(), ...halves.both() });
  await a.confirm(kept, alone);
  await a.confirm(await a.mail({ amount: amounts() }), alone);
  await beginSettling(alone, tx =>
    endCredit(tx, a.doer(), { alertId: kept.alertId, end: 'kept', returnReference: null, note: '' }),
  );
  assert.equal(await claimSettled(stage.cells, a.merchantId), 8);
  assert.equal(await claimSettled(stage.cells, a.merchantId), 0);
  // As after the move, when cell 0 has its rows no more.
  await a.world.sql`delete from counted_signatures where merchant_id = ${a.merchantId}`;
  await a.world.sql`delete from counted_references where merchant_id = ${a.merchantId}`;
  for (const { amount, signatureIds, reference } of [paid[0]!, kept]) {
    await b.order(amount);
    assert.equal((await b.confirm(await b.mail({ amount, signatureIds, reference }))).outcome, 'duplicate');
  }
});

test('verify misses a claim, and finds what is claimed for another', async () => {
  const b = await stage.side(1);
  const { sql } = stage.cells.worlds[0];
  const amount = amounts();
  await b.order(amount);
  const mail = await b.mail({ amount });
  await b.confirm(mail);
  const breaches = async () =>
    (await Promise.all(claimRules(b.world).map(rule => rule.breaches(b.world.sql))))
      .flat()
      .filter(line => line.includes(mail.alertId));
  assert.deepEqual(await breaches(), []);
  await sql`update claimed_credits set merchant_id = 7 where alert_id = ${mail.alertId}`;
  assert.deepEqual(await breaches(), [`alert ${mail.alertId} settled what is claimed for merchant 7`]);
  await sql`delete from claimed_credits where alert_id = ${mail.alertId}`;
  assert.deepEqual(await breaches(), [`alert ${mail.alertId} settled what nobody has claimed`]);
  assert.equal(await claimSettled(stage.cells, b.merchantId), 2);
  assert.deepEqual(await breaches(), []);
});

test('seal-again gives the key of claims to the newest key of the ring', async () => {
  const { sql } = stage.cells.worlds[0];
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const [kept] = await sql`select sealed from claim_keys`;
  await sql`update claim_keys set sealed = ${secretBox([older]).seal('the key', claimKeyBinding())}`;
  await sealAgain({ sql, secrets: secretBox([newer, older]) });
  const [again] =
    await sql`update claim_keys k set sealed = ${kept!['sealed']} from claim_keys b returning b.sealed`;
  assert.equal(secretBox([newer]).open(again!['sealed'], claimKeyBinding()), 'the key');
});
