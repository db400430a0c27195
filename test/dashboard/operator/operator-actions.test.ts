import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { unapprovedPlan } from '../../../src/business/merchants/plans.ts';
import { commands } from '../../../src/operator/commands/commands.ts';
import { operator, useBusyDashboard, world } from '../../support/busy-dashboard.ts';
import { addTestMerchant } from '../../support/test-world.ts';

useBusyDashboard();

const reason = 'Papers are missing';
/** In an order in which each of them changes something. */
const actions = [
  { command: 'enable', options: { approve: 'true' }, path: 'approve', form: {} },
  { command: 'set-plan', options: { plan: 'small' }, path: 'plan', form: { plan: 'small' } },
  {
    command: 'disable',
    options: { reason: ` Papers are  missing\n`, 'new-orders': 'true' },
    path: 'disable',
    form: { halt: 'orders', reason: ` Papers are  missing\n` },
  },
  { command: 'disable', options: { reason }, path: 'disable', form: { halt: 'all', reason } },
  { command: 'enable', options: {}, path: 'enable', form: {} },
];

async function byCommand(command: string, options: Record<string, string>): Promise<number> {
  const log = mock.method(console, 'log', () => {});
  const found = await commands[command]!();
  assert.ok(found.needs === 'database');
  return await found.run(world, options).finally(() => log.mock.restore());
}

/** The rows that an action wrote, without the business's id. */
async function left(merchantId: number) {
  const { sql } = world;
  const [merchant] = await sql`
    select plan, disabled_at, disabled_reason, no_new_orders from merchants where merchant_id = ${merchantId}`;
  const entries = await sql`
    select merchant_id = 0 as of_installation, actor, address, at, action, replace(subject, ${String(merchantId)}, 'id') as subject, details
    from audit_log where merchant_id = ${merchantId} or merchant_id = 0 and subject = ${String(merchantId)} order by merchant_id, seq`;
  const notices = await sql<{ kind: string; facts: Record<string, unknown> }[]>`
    select kind, created_at, facts from notices where merchant_id = ${merchantId} order by notice_id`;
  const actors = [
    ...entries.map(({ actor, address }) => [actor, address]),
    ...notices.map(({ facts }) => [facts['by'], facts['from']]),
  ];
  const rows = {
    merchant,
    entries: entries.map(({ actor: _actor, address: _address, ...entry }) => entry),
    notices: notices.map(notice => ({ ...notice, facts: { ...notice.facts, by: '', from: '' } })),
  };
  return { rows, actors };
}

test('an action on a business writes the same rows by command and by screen, except the actor', async () => {
  await world.sql`insert into plans (plan, account_limit) values ('small', 1), (${unapprovedPlan}, 1) on conflict do nothing`;
  const one = await addTestMerchant(world, { plan: unapprovedPlan });
  const other = await addTestMerchant(world, { plan: unapprovedPlan });
  let entries = 0;
  for (const { command, options, path, form } of actions) {
    assert.equal(await byCommand(command, { business: String(one.merchantId), ...options }), 0);
    await operator.post(`/dashboard/operator/businesses/${other.merchantId}/${path}`, form);
    const [said, pressed] = [await left(one.merchantId), await left(other.merchantId)];
    assert.deepEqual(said.rows, pressed.rows, command);
    entries += 2;
    assert.equal(said.rows.entries.length, entries, `${command}: an entry in either log`);
    assert.equal(said.rows.notices.length, entries / 2, `${command}: a notice`);
    assert.deepEqual([...new Set(said.actors.map(([actor]) => actor))], ['operator']);
    const [, email] = /^operator (.*@.*)$/.exec(String(pressed.actors.at(-1)![0]))!;
    assert.deepEqual([...new Set(pressed.actors.map(([actor]) => actor))].sort(), [
      `operator ${email}`,
      email,
    ]);
  }
});

test('command and screen both need a reason of at most 500 characters to disable a business', async () => {
  const { merchantId } = await addTestMerchant(world);
  const merchant = String(merchantId);
  for (const wrong of ['', ' \n', 'x'.repeat(501)]) {
    await assert.rejects(
      byCommand('disable', { business: merchant, reason: wrong }),
      /--reason must have 1 to 500/,
    );
    const answer = await operator.post(`/dashboard/operator/businesses/${merchant}/disable`, {
      reason: wrong,
    });
    assert.equal(answer.statusCode, 400);
  }
  await assert.rejects(
    byCommand('enable', { business: merchant, approve: 'true' }),
    /does not wait for approval/,
  );
  const { rows } = await left(merchantId);
  assert.deepEqual([rows.merchant!['disabled_at'], rows.entries, rows.notices], [null, [], []]);
});
