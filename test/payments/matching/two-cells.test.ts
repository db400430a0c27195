import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { later, minute, second } from '../../../src/base/clock.ts';
import { unreachableSql } from '../../../src/base/database/unreachable-sql.ts';
import { paise } from '../../../src/base/money.ts';
import { askOtherCells } from '../../../src/business/merchants/ask-other-cells.ts';
import { changeAccountBank } from '../../../src/business/merchants/upi-accounts.ts';
import { findCountedTwice } from '../../../src/operator/cells/find-counted-twice.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

/** R2 where there are several databases: each counts by itself, two rules prevent what they can, verify reports the rest. */

const stage = twoCellsStage();
type Side = Awaited<ReturnType<typeof stage.side>>;

let sum = 500_00;
const nextSum = () => {
  sum += 1_00;
  return paise(sum);
};
const sameAs = async ({ world, merchantId }: Side) =>
  (await world.sql`select same_as from upi_accounts where merchant_id = ${merchantId}`)[0]!['same_as'];
const ask = ({ world }: Side) => askOtherCells(stage.cells, world);
/** An owner who gives all shops one account. */
const giveAccount = ({ world, merchantId }: Side, vpa: string) => world.sql`
  update upi_accounts set vpa = ${vpa}, payee_name = ${vpa}, same_as = 0, bank_named_at = ${world.clock.now()}
  where merchant_id = ${merchantId}`;
const payExactly = async (side: Side) => {
  const amount = nextSum();
  await side.order(amount);
  const credit = await side.mail({ amount });
  assert.equal((await side.confirm(credit)).outcome, 'paid');
  return credit;
};
const settleDown = async (...sides: Side[]) => {
  for (const { world, merchantId } of sides)
    await world.sql`update upi_accounts set same_as = null where merchant_id = ${merchantId}`;
};

test('with one database no account is compared', async () => {
  const { world, merchantId } = await stage.side(0);
  const { cells: _, cell: __, ...alone } = world;
  const [{ account_id }] = (await world.sql`
    update upi_accounts set same_as = null where merchant_id = ${merchantId} returning account_id`) as never as [
    { account_id: string },
  ];
  await world.sql.begin(tx =>
    changeAccountBank(tx, alone, merchantId, account_id, { bank: 'icici', accountDigits: '1234' }),
  );
  const [row] = await world.sql`select same_as from upi_accounts where merchant_id = ${merchantId}`;
  assert.equal(row!['same_as'], null);
});

test('the upgrade of several databases asks about every account once, and that of one database about none', async () => {
  const side = await stage.side(0);
  const { sql, clock } = side.world;
  const migration = readFileSync('migrations/0040_several_databases.sql', 'utf8');
  const [compare = ''] = /^update upi_accounts[^;]+;/m.exec(migration) ?? [];
  await sql.unsafe(compare);
  assert.equal(await sameAs(side), null);
  await sql`insert into placed values (${2 ** 47}, ${2 ** 48 - 1}, 1, ${clock.now()})`;
  await sql.unsafe(compare);
  assert.equal(await sameAs(side), 0);
  await ask(side);
  assert.equal(await sameAs(side), null);
  await sql`delete from placed`;
});

test('a new or changed account waits until the other cells were asked, and a cell that is down is asked again', async () => {
  const side = await stage.side(0);
  const { world, merchantId } = side;
  await giveAccount(side, `own-${merchantId}@okaxis`);
  const amount = nextSum();
  await side.order(amount);
  const credit = await side.mail({ amount });
  assert.equal((await side.confirm(credit)).outcome, 'no_order');
  assert.deepEqual(await side.verdictOf(credit), ['no_order', 'waits_shared_account']);
  const other = stage.cells.worlds[1];
  const { sql } = other;
  other.sql = unreachableSql();
  await assert.rejects(ask(side));
  other.sql = sql;
  assert.equal(await sameAs(side), 0, 'a cell that could not be asked has said nothing');
  await ask(side);
  assert.equal(await sameAs(side), null);
  await payExactly(side);
  const [{ account_id }] =
    (await world.sql`select account_id from upi_accounts where merchant_id = ${merchantId}`) as never as [
      { account_id: string },
    ];
  const change = { bank: 'icici', accountDigits: '9876' };
  await world.sql.begin(tx => changeAccountBank(tx, world, merchantId, account_id, change));
  assert.equal(await sameAs(side), 0);
  await settleDown(side);
});

test('one account in two cells: payments to the later one wait for a tap, also above its owner’s ceiling', async () => {
  const [first, second_] = await stage.sides();
  const vpa = `both-${first.merchantId}@okaxis`;
  await giveAccount(first, vpa);
  await ask(first);
  assert.equal(await sameAs(first), null);
  await payExactly(first);
  first.world.clock.advance(1 * minute);
  await giveAccount(second_, vpa.toUpperCase());
  await second_.world
    .sql`update upi_accounts set review_above_paise = 100000000 where merchant_id = ${second_.merchantId}`;
  await ask(second_);
  assert.equal(await sameAs(second_), first.merchantId);
  const amount = nextSum();
  const orderId = await second_.order(amount);
  const credit = await second_.mail({ amount });
  assert.equal((await second_.confirm(credit)).outcome, 'no_order');
  assert.deepEqual(await second_.verdictOf(credit), ['no_order', 'waits_shared_account']);
  assert.equal(await second_.accept(credit.alertId, orderId), null, 'one tap');
  // The first one goes on as before, also when it is asked about again.
  await first.world.sql`update upi_accounts set same_as = 0 where merchant_id = ${first.merchantId}`;
  await ask(first);
  assert.equal(await sameAs(first), null);
  await payExactly(first);
});

test('the same bank, digits and payee name are one account, whatever the VPA; other digits are another', async () => {
  const [first, second_] = await stage.sides();
  const name = `Payee ${first.merchantId}`;
  const give = async (side: Side, vpa: string, digits: string) => {
    await giveAccount(side, vpa);
    await side.world.sql`
      update upi_accounts set payee_name = ${name}, account_digits = ${digits} where merchant_id = ${side.merchantId}`;
  };
  await give(first, `a-${first.merchantId}@okaxis`, '4321');
  await ask(first);
  const amount = nextSum();
  await first.order(amount);
  assert.equal((await first.confirm(await first.mail({ amount, accountDigits: '4321' }))).outcome, 'paid');
  first.world.clock.advance(1 * minute);
  await give(second_, `b-${first.merchantId}@okaxis`, '4322');
  await ask(second_);
  assert.equal(await sameAs(second_), null);
  await give(second_, `b-${first.merchantId}@okaxis`, '4321');
  await ask(second_);
  assert.equal(await sameAs(second_), first.merchantId);
});

test('nobody blocks a stranger by entering their VPA first: only an account that received money counts as earlier', async () => {
  const [stranger, owner] = await stage.sides();
  const vpa = `owner-${owner.merchantId}@okaxis`;
  await giveAccount(stranger, vpa);
  await ask(stranger);
  await stranger.order(nextSum());
  owner.world.clock.advance(1 * minute);
  await giveAccount(owner, vpa);
  await ask(owner);
  assert.equal(await sameAs(owner), null);
  await payExactly(owner);
  // From then on whoever adds it again is the later one.
  owner.world.clock.advance(1 * minute);
  await giveAccount(stranger, vpa);
  await ask(stranger);
  assert.equal(await sameAs(stranger), owner.merchantId);
});

test('a VPA entered with another bank or digits blocks nobody, though money reached that account', async () => {
  for (const typed of [
    { bank: 'hdfc', digits: '7777' },
    { bank: 'icici', digits: null },
  ]) {
    const [stranger, owner] = await stage.sides();
    const vpa = `typed-${owner.merchantId}@okaxis`;
    await giveAccount(stranger, vpa);
    await stranger.world.sql`
      update upi_accounts set bank = ${typed.bank}, account_digits = ${typed.digits}
      where merchant_id = ${stranger.merchantId}`;
    await ask(stranger);
    const amount = nextSum();
    await stranger.order(amount);
    const credit = await stranger.mail({ amount, bank: typed.bank, accountDigits: typed.digits });
    assert.equal((await stranger.confirm(credit)).outcome, 'paid');
    owner.world.clock.advance(1 * minute);
    await giveAccount(owner, vpa);
    await owner.world
      .sql`update upi_accounts set account_digits = '8888' where merchant_id = ${owner.merchantId}`;
    await ask(owner);
    assert.equal(await sameAs(owner), null);
  }
});

test('an account that cannot be compared delays no other', async () => {
  const [first, other] = [await stage.side(0), await stage.side(0)];
  await giveAccount(first, `slow-${first.merchantId}@okaxis`);
  await giveAccount(other, `quick-${other.merchantId}@okaxis`);
  const [, there] = stage.cells.worlds;
  const { sql } = there;
  // The question about it fails.
  there.sql = new Proxy(sql, {
    apply: (target, self, [text, ...values]) =>
      values.includes(`slow-${first.merchantId}@okaxis`)
        ? target`select 1 / 0`
        : Reflect.apply(target, self, [text, ...values]),
  });
  await assert.rejects(ask(first), /division by zero/);
  there.sql = sql;
  assert.equal(await sameAs(first), 0);
  assert.equal(await sameAs(other), null);
  await settleDown(first);
});

test('each cell counts a signature and a reference once, and verify over all cells reports what counted in two', async () => {
  const [first, second_] = await stage.sides();
  assert.deepEqual(await findCountedTwice({ cells: stage.cells }), []);
  for (const half of ['signature', 'reference', 'both'] as const) {
    await settleDown(first, second_);
    const shared = stage.halves[half]();
    const amount = nextSum();
    const before = await findCountedTwice({ cells: stage.cells });
    await first.order(amount);
    await second_.order(amount);
    const mails = [
      await first.mail({ amount, ...shared }),
      await second_.mail({ amount, ...shared }),
    ] as const;
    assert.equal((await first.confirm(mails[0])).outcome, 'paid');
    // A copy in the same cell counts nothing.
    first.world.clock.advance(1 * second);
    const copy = await first.mail({ amount, ...shared, alertTime: later(mails[0].alertTime, 1) });
    assert.equal((await first.confirm(copy)).outcome, 'duplicate');
    assert.equal((await second_.confirm(mails[1])).outcome, 'paid');
    const found = (await findCountedTwice({ cells: stage.cells })).filter(line => !before.includes(line));
    assert.deepEqual(found, [
      `alert ${mails[0].alertId} of business ${first.merchantId} in cell 0 and alert ${mails[1].alertId} of business ${second_.merchantId} in cell 1 settled one credit`,
    ]);
  }
  // Two accounts are two credits, though one bank gives both the same number.
  const amount = nextSum();
  const before = await findCountedTwice({ cells: stage.cells });
  const shared = stage.halves.reference();
  for (const [side, accountDigits] of [
    [await stage.side(0), '1111'],
    [await stage.side(1), '2222'],
  ] as const) {
    await settleDown(side);
    await side.world
      .sql`update upi_accounts set account_digits = ${accountDigits} where merchant_id = ${side.merchantId}`;
    await side.order(amount);
    assert.equal((await side.confirm(await side.mail({ amount, accountDigits, ...shared }))).outcome, 'paid');
  }
  assert.deepEqual(await findCountedTwice({ cells: stage.cells }), before);
});
