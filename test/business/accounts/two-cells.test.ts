import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeHashes, confirmAlertAddress } from '../../../src/alerts/addresses/confirm-alert-address.ts';
import { later, minute, second } from '../../../src/base/clock.ts';
import { forgetMerchant } from '../../../src/business/accounts/queries/taken.ts';
import { askForRecovery } from '../../../src/business/accounts/recover-password.ts';
import { mailRegistrationLink, registerMerchant } from '../../../src/business/accounts/register-merchant.ts';
import { signIn } from '../../../src/business/accounts/sign-in.ts';
import { fillTaken, sweepTaken, takeName } from '../../../src/business/accounts/taken-names.ts';
import { readToken } from '../../../src/business/accounts/tokens.ts';
import { addTestUser, callAs, openDashboard, testPassword } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { openTwoCells } from '../../support/two-cells.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

/** One address, one account and one business in the whole installation, where there are several databases. */

const cells = use(openTwoCells);

const address = '203.0.113.9';
const password = 'correct horse battery';
const merchant = (email: string) => ({ name: 'Chai', email, password, address, language: 'en' as const });
const caller = { address, agent: 'test' };
const takenBy = async (name: string) =>
  (await cells.worlds[0].sql`select merchant_id from taken where name = ${name}`)[0]?.['merchant_id'] ?? null;

test('a new business is in its id’s cell, and a sign-in looks for its address in that cell', async () => {
  const [first, other] = cells.worlds;
  const opened = await registerMerchant(first, merchant('Asha@example.in'));
  assert.equal(opened.outcome, 'opened');
  if (opened.outcome !== 'opened') return;
  assert.equal(cells.of(opened.merchantId), other);
  assert.equal(await takenBy('asha@example.in'), opened.merchantId);
  for (const asked of cells.worlds) {
    const signed = await signIn(asked, { email: 'asha@EXAMPLE.in', password, ...caller });
    assert.equal(signed.outcome, 'signed_in');
    assert.equal('token' in signed && readToken(signed.token)?.merchantId, opened.merchantId);
    assert.equal(
      (await signIn(asked, { email: 'asha@example.in', password: 'no', ...caller })).outcome,
      'refused',
    );
    assert.equal(
      (await signIn(asked, { email: 'nobody@example.in', password, ...caller })).outcome,
      'refused',
    );
  }
  await askForRecovery(first, { email: 'asha@example.in', address, language: 'en' });
  const [link] = await other.sql`select user_id from account_links where purpose = 'recover'`;
  assert.equal(link!['user_id'], opened.userId);
  for (const world of cells.worlds)
    assert.equal((await registerMerchant(world, merchant('ASHA@example.in'))).outcome, 'taken');
  await mailRegistrationLink(other, { name: 'Chai', email: 'asha@example.in', address, language: 'en' });
  const mails = await first.sql`select 1 from mails where recipient = 'asha@example.in'`;
  assert.equal(mails.length, 1, 'the installation answers from its own cell');
});

test('a cell that hangs delays nobody else’s sign-in by two seconds, and a wrong password is still refused', async t => {
  const [first, other] = cells.worlds;
  const site = await openDashboard(first);
  t.after(() => site.stop());
  const visitor = await callAs(site, first, null);
  const personOf = async (world: typeof first, cell: number) =>
    await addTestUser(
      world,
      (await addTestMerchant(world, { merchantId: cells.idIn(cell) })).merchantId,
      'owner',
    );
  const [near, far] = [await personOf(first, 0), await personOf(other, 1)];
  const typed = async (email: string, word: string) =>
    (await visitor.post('/dashboard/sign-in', { email, password: word })).statusCode;
  await other.sql.begin(async tx => {
    await tx`lock table users in access exclusive mode`;
    for (const [email, word, status] of [
      [near.email, testPassword, 303],
      [near.email, 'not the password', 401],
      [far.email, testPassword, 503],
    ] as const) {
      const took: number[] = [];
      while (took.length < 2) {
        const began = performance.now();
        assert.equal(await typed(email, word), status);
        took.push(performance.now() - began);
      }
      // The quicker one, since a busy machine delays some.
      assert.ok(Math.min(...took) < 2 * second, `${status} after ${took} ms`);
    }
    await waitFor('the end of every query that was given up', async () => {
      const waiting = await other.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length === 0;
    });
  });
  assert.equal(await typed(far.email, testPassword), 303);
});

test('the link to a new business works once, though it is in cell 0 and the business is elsewhere', async () => {
  const [first] = cells.worlds;
  const linked = async (email: string) => {
    await mailRegistrationLink(first, { name: 'Tea', email, address, language: 'en' });
    return (await first.sql`select link_id from account_links where email = ${email}`)[0]![
      'link_id'
    ] as string;
  };
  const linkId = await linked('ravi@example.in');
  const both = await Promise.all([
    registerMerchant(first, { ...merchant('ravi@example.in'), linkId }),
    registerMerchant(first, { ...merchant('ravi@example.in'), linkId }),
  ]);
  assert.deepEqual(both.map(one => one.outcome).toSorted(), ['opened', 'taken']);
  const [used] = await first.sql`select used_at from account_links where link_id = ${linkId}`;
  assert.notEqual(used!['used_at'], null);
});

test('an address that two cells claim at once gets one business', async () => {
  const [first, other] = cells.worlds;
  for (let turn = 0; turn < 10; turn++) {
    const email = `twice-${turn}@example.in`;
    const near = { ...first, cells: { ...cells, newId: () => cells.idIn(0) } };
    const both = await Promise.all([
      registerMerchant(near, merchant(email)),
      registerMerchant(other, merchant(email)),
    ]);
    assert.deepEqual(both.map(one => one.outcome).toSorted(), ['opened', 'taken'], email);
    const rows = await Promise.all(
      cells.worlds.map(({ sql }) => sql`select from users where email = ${email}`),
    );
    assert.equal(rows.flat().length, 1);
  }
});

test('a claim without its row is free after ten minutes, and not a second before; with its row it stays', async () => {
  const [first, other] = cells.worlds;
  const { clock } = first;
  const dead = cells.idIn(1);
  assert.equal(await takeName(other.sql, other, 'person', 'dead@example.in', dead), true);
  clock.advance(10 * minute - 1 * second);
  assert.equal((await registerMerchant(first, merchant('dead@example.in'))).outcome, 'taken');
  clock.advance(1 * second);
  assert.equal((await registerMerchant(first, merchant('dead@example.in'))).outcome, 'opened');
  clock.advance(60 * minute);
  assert.equal((await registerMerchant(first, merchant('dead@example.in'))).outcome, 'taken');
});

test('an alert address moves from one cell’s business to another cell’s after its row is deleted', async () => {
  const [first, other] = cells.worlds;
  const [a, b] = [
    await addTestMerchant(first, { merchantId: cells.idIn(0) }),
    await addTestMerchant(other, { merchantId: cells.idIn(1) }),
  ];
  const [name, code] = ['alerts@shop.example', '12345678'];
  const now = first.clock.now();
  const ask = (side: typeof a, { sql, secrets }: typeof first) =>
    sql`insert into extra_alert_addresses (merchant_id, address, added_at, code_hash, code_expires_at, codes_sent, first_code_at)
      values (${side.merchantId}, ${name}, ${now}, ${codeHashes(secrets, side.merchantId, name, code)[0]!},
        ${later(now, 60 * minute)}, 1, ${now})`;
  const confirm = (side: typeof a, world: typeof first) =>
    world.sql.begin(tx => confirmAlertAddress(tx, world, side.merchantId, code));
  await ask(a, first);
  await ask(b, other);
  assert.equal((await confirm(a, first)).outcome, 'confirmed');
  first.clock.advance(20 * minute);
  assert.equal((await confirm(b, other)).outcome, 'taken');
  await first.sql`delete from extra_alert_addresses where merchant_id = ${a.merchantId}`;
  assert.equal((await confirm(b, other)).outcome, 'confirmed');
  assert.equal(await takenBy(name), b.merchantId);
});

test('names without rows are deleted, as is everything of a deleted business; names with rows stay', async () => {
  const [first, other] = cells.worlds;
  const one = await registerMerchant(first, merchant('stays@example.in'));
  await takeName(other.sql, other, 'person', 'went@example.in', cells.idIn(1));
  first.clock.advance(11 * minute);
  await sweepTaken(first, null);
  assert.equal(await takenBy('went@example.in'), null);
  assert.equal(await takenBy('stays@example.in'), one.outcome === 'opened' && one.merchantId);
  await forgetMerchant(first.sql, one.outcome === 'opened' ? one.merchantId : 0);
  assert.equal(await takenBy('stays@example.in'), null);
});

test('adding the second cell claims the rows of the first, and repeating it changes nothing', async () => {
  const [first] = cells.worlds;
  const { cells: _, cell: __, ...alone } = first;
  const before = await registerMerchant(alone, merchant('before@example.in'));
  assert.equal(await takenBy('before@example.in'), null);
  await fillTaken(first, first);
  await fillTaken(first, first);
  assert.equal(await takenBy('before@example.in'), before.outcome === 'opened' && before.merchantId);
  assert.equal((await registerMerchant(first, merchant('before@example.in'))).outcome, 'taken');
});
