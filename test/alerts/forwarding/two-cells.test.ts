import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { openForwarding } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { endForwarding } from '../../../src/alerts/forwarding/queries/forwarding.ts';
import { startMailServers } from '../../../src/alerts/forwarding/start-mail-servers.ts';
import { judgeStoredMails, leaseFor } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { minute, systemClock } from '../../../src/base/clock.ts';
import { DatabaseDown } from '../../../src/base/database/database-down.ts';
import { unreachableSql } from '../../../src/base/database/unreachable-sql.ts';
import { testBank } from '../../support/alert-banks.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { alertsOf, creditTo } from '../../support/forwarding-stage.ts';
import { bankZone } from '../../support/genuine-alert.ts';
import { handMail } from '../../support/mail-provider.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';
import { openTwoCells } from '../../support/two-cells.ts';
import { prepare, use } from '../../support/use.ts';

/** One receiver, two databases: a mail finds the cell of whoever it is for. */

let turned = 0;
const cells = use(openTwoCells);
prepare(async () => {
  const [first] = cells.worlds;
  Object.assign(first.clock, { ...systemClock, now: () => new Date(Date.now() + turned) });
  for (const [name, record] of Object.entries(bankZone())) first.dns.texts.set(name, [record]);
  for (const world of cells.worlds) world.banks = openBankBook(() => [testBank()]);
});
const mailServers = use(() => startMailServers(cells.worlds[0]));
const judging = use(() => {
  const all = cells.worlds.map(world => openJudging(world));
  return { all, stop: () => Promise.all(all.map(one => one.close())) };
});

const sides = () => Promise.all(cells.worlds.map((world, cell) => sideIn(world, cell)));
const alone = ({ world }: { world: TestWorld }) => sideIn(world, world.cell!);

async function sideIn(world: TestWorld, cell: number) {
  const shop = await addTestMerchant(world, { merchantId: cells.idIn(cell), account: { bank: 'test' } });
  const { merchantId } = shop;
  const opening = { merchantId, mailDomain: world.config.mailDomain!, now: world.clock.now() };
  const forwardTo = (await world.sql.begin(tx => openForwarding(tx, opening)))!;
  await addTestOrder(world, shop, { payable: 500_37, merchantOrderId: `basket-${merchantId}` });
  return { world, merchantId, forwardTo };
}

const verdictsOf = async ({ world, merchantId }: Awaited<ReturnType<typeof sides>>[0]) =>
  await world.sql`
    select a.verdict, a.reason_code, o.status from alerts a left join orders o on o.merchant_id = a.merchant_id
    where a.merchant_id = ${merchantId}`;
const judgeAll = () =>
  Promise.all(cells.worlds.map((world, cell) => judgeStoredMails(world, judging.all[cell]!.tools)));

test('a genuine mail to businesses of two cells is stored in both, and waits for a person in both', async () => {
  const [a, b] = await sides();
  const raw = creditTo(`${a!.forwardTo}, ${b!.forwardTo}`);
  assert.equal((await handMail(mailServers.smtpPort!, { to: [a!.forwardTo, b!.forwardTo], raw })).code, 250);
  await judgeAll();
  for (const side of [a!, b!])
    assert.deepEqual(
      [...(await verdictsOf(side))],
      [{ verdict: 'no_order', reason_code: 'waits_two_cells', status: 'manual_review' }],
    );
  const [, domain] = a!.forwardTo.split('@');
  const nobody = `alerts-${'0'.repeat(32)}@${domain}`;
  assert.equal((await handMail(mailServers.smtpPort!, { to: nobody, raw })).code, 550);
});

test('a near miss in a mail to businesses of two cells cannot be accepted by one tap in either', async () => {
  const [a, b] = await sides();
  const to = [a!.forwardTo, b!.forwardTo];
  const raw = creditTo(to.join(', '), { amount: '500.00' });
  assert.equal((await handMail(mailServers.smtpPort!, { to, raw })).code, 250);
  await judgeAll();
  for (const side of [a!, b!])
    assert.deepEqual(
      [...(await verdictsOf(side))],
      [{ verdict: 'no_order', reason_code: 'near_two_cells', status: 'pending' }],
    );
});

test('an unknown address is refused for good only if this process knows every cell', async () => {
  const [{ config, sql }] = cells.worlds;
  const to = `alerts-${'1'.repeat(32)}@${config.mailDomain}`;
  const hand = async () => (await handMail(mailServers.smtpPort!, { to, raw: creditTo(to) })).code;
  assert.equal(await hand(), 550);
  await sql`insert into placed (merchant_id, last_id, cell, since) values (${2 ** 48 - 9}, ${2 ** 48 - 1}, 2, now())`;
  assert.equal(await hand(), 451);
  await sql`delete from placed`;
  assert.equal(await hand(), 550);
});

test('a mail that is also signed to a stranger pays, but waits while another cell cannot say whose address that is', async () => {
  const paid = { verdict: 'paid', reason_code: 'paid', status: 'paid' };
  const [a] = await sides();
  const both = (side: { forwardTo: string }) => creditTo(`${side.forwardTo}, accounts@elsewhere.example`);
  assert.equal((await handMail(mailServers.smtpPort!, { to: a!.forwardTo, raw: both(a!) })).code, 250);
  await judgeAll();
  assert.deepEqual([...(await verdictsOf(a!))], [paid]);

  const [c] = await sides();
  const [one, two] = [await alone(c!), await alone(c!)];
  const { sql } = cells.worlds[1];
  const [mail, plain] = [both(one), creditTo(two.forwardTo)];
  for (const [to, raw] of [
    [one.forwardTo, mail],
    [two.forwardTo, plain],
  ] as const)
    assert.equal((await handMail(mailServers.smtpPort!, { to, raw })).code, 250);
  cells.worlds[1].sql = unreachableSql();
  await judgeStoredMails(cells.worlds[0], judging.all[0]!.tools);
  cells.worlds[1].sql = sql;
  assert.deepEqual(
    [...(await verdictsOf(one))],
    [{ verdict: 'no_order', reason_code: 'waits_two_cells', status: 'manual_review' }],
  );
  assert.deepEqual([...(await verdictsOf(two))], [paid], 'one recipient: nobody is asked');
});

test('a mail that is also signed to a stranger waits while this process does not know every cell', async () => {
  const [a] = await sides();
  const raw = creditTo(`${a!.forwardTo}, accounts@elsewhere.example`);
  assert.equal((await handMail(mailServers.smtpPort!, { to: a!.forwardTo, raw })).code, 250);
  const [first] = cells.worlds;
  Object.assign(first.cells!, {
    unlisted: [{ from: 2 ** 47 - 9, last: 2 ** 47 - 1, cell: 2, knownBy: first }],
  });
  await judgeStoredMails(first, judging.all[0]!.tools);
  Object.assign(first.cells!, { unlisted: [] });
  assert.deepEqual(
    [...(await verdictsOf(a!))],
    [{ verdict: 'no_order', reason_code: 'waits_two_cells', status: 'manual_review' }],
  );
});

test('an exported business’s old copy has no addresses: its mail is stored and judged in the new cell', async () => {
  const [a, b] = await sides();
  const { world, merchantId, forwardTo } = b!;
  const old = a!.world.sql;
  await old`
    insert into merchants (merchant_id, name, plan, created_at, webhook_secret, moved_at)
    values (${merchantId}, 'Moved', 'standard', ${world.clock.now()}, '', ${world.clock.now()})`;
  await old`
    insert into forward_addresses (merchant_id, address, opened_at)
    values (${merchantId}, ${forwardTo}, ${world.clock.now()})`;
  assert.equal(
    (await handMail(mailServers.smtpPort!, { to: forwardTo, raw: creditTo(forwardTo) })).code,
    250,
  );
  await Promise.all(cells.worlds.map((one, cell) => judgeStoredMails(one, judging.all[cell]!.tools)));
  assert.deepEqual(await alertsOf(world, merchantId), [{ verdict: 'paid', found_in: 'forwarding' }]);
  assert.deepEqual(await alertsOf(a!.world, merchantId), []);

  await world.sql.begin(tx => endForwarding(tx, merchantId, null));
  assert.equal(
    (await handMail(mailServers.smtpPort!, { to: forwardTo, raw: creditTo(forwardTo) })).code,
    550,
  );
});

test('a mail whose database fails during judging counts no try, and is judged again after its lease', async () => {
  const [, b] = await sides();
  const { world, merchantId, forwardTo } = b!;
  assert.equal(
    (await handMail(mailServers.smtpPort!, { to: forwardTo, raw: creditTo(forwardTo) })).code,
    250,
  );
  const away = async () => {
    throw new DatabaseDown(new Error('the database is down'));
  };
  const { tools } = judging.all[1]!;
  for (let rounds = 0; rounds < 6; rounds++) {
    assert.equal(await judgeStoredMails(world, { ...tools, confirm: away }), 1);
    assert.deepEqual(await alertsOf(world, merchantId), [{ verdict: 'unjudged', found_in: 'forwarding' }]);
    assert.equal(await judgeStoredMails(world, tools), 0);
    turned += leaseFor + 1;
  }
  const fault = () => Promise.reject(new Error('a fault of another kind'));
  assert.equal(await judgeStoredMails(world, { ...tools, confirm: fault }), 1);
  assert.deepEqual(await alertsOf(world, merchantId), [{ verdict: 'retrying', found_in: 'forwarding' }]);
  turned += minute;
  assert.equal(await judgeStoredMails(world, tools), 1);
  assert.deepEqual(await alertsOf(world, merchantId), [{ verdict: 'paid', found_in: 'forwarding' }]);
});
