import { stopReading } from '../../alerts/forwarding/open-forwarding.ts';
import { isTaken } from '../../base/database/is-taken.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import {
  type ActionRefusal,
  actOnMerchant,
  longestReason,
  type MerchantAction,
} from '../../business/accounts/act-on-merchant.ts';
import { addUser } from '../../business/accounts/add-user.ts';
import { cancelDeletion, deletionDay, requestDeletion } from '../../business/accounts/delete-merchant.ts';
import { byOperator, recordAudit, recordAuditInBoth } from '../../business/accounts/record-audit.ts';
import { createApiKey } from '../../business/merchants/create-api-key.ts';
import {
  createMerchant,
  longestMerchantName,
  newMerchantId,
  readMerchantName,
} from '../../business/merchants/create-merchant.ts';
import { defaultPlan } from '../../business/merchants/plans.ts';
import { listMerchants, planExists } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { inEachCell } from '../cells/in-each-cell.ts';
import type { Command } from '../command.ts';
import { choosePassword, passwordOption } from './account-commands.ts';

const business = { meaning: 'the id of the business, as list-businesses prints it', required: true };

export const merchantCommands: Record<string, Command> = {
  'create-business': {
    needs: 'database',
    summary: 'create a business with its first user, an owner, and an API key',
    options: {
      name: { meaning: 'the name of the business', required: true },
      email: { meaning: "the owner's address, for sign-in", required: true },
      password: passwordOption,
      plan: { meaning: `a plan's id, as list-plans prints it; ${defaultPlan} if left out` },
      cell: { meaning: 'its cell, such as that of the same owner’s first shop' },
    },
    run: createWithOwner,
  },
  'list-businesses': {
    needs: 'database',
    summary: 'list the businesses: id, state, plan, owner, name',
    everyCell: true,
    async run(world) {
      const all = await inEachCell(world, async one =>
        (await listMerchants(one.sql)).filter(row => !world.cells || world.cells.of(row.merchant_id) === one),
      );
      const rows = all.flatMap(found => found ?? []);
      if (all.includes(null))
        console.error(`cell ${all.indexOf(null)} is down: its businesses are not listed`);
      if (rows.length === 0) console.error('there is no business yet: create-business makes one');
      for (const row of rows) {
        const halted = row.no_new_orders ? 'no new orders' : 'disabled';
        const closed = row.moved_at ? 'moved' : row.disabled_at ? halted : 'active';
        const state = row.deletion_requested_at ? 'leaving' : closed;
        console.log([row.merchant_id, state, row.plan, row.owner ?? '-', row.name].join('\t'));
      }
      return 0;
    },
  },
  disable: {
    needs: 'database',
    summary: 'disable a business: its API answers 403 from the next request on',
    options: {
      business,
      reason: { meaning: 'why; the owner reads it', required: true },
      'new-orders': { meaning: 'only refuse new orders; everything else continues', flag: true },
    },
    run: (world, options) =>
      act(world, options, {
        action: options['new-orders'] === undefined ? 'business.disable' : 'business.halt_orders',
        reason: options['reason'] ?? '',
      }),
  },
  enable: {
    needs: 'database',
    summary: 'enable a disabled business again, or approve one that waits for it (SIGNUPS=approve)',
    options: {
      business,
      approve: { meaning: 'approve a business that opened by itself; it gets the default plan', flag: true },
    },
    run: (world, options) =>
      act(world, options, {
        action: options['approve'] === undefined ? 'business.enable' : 'business.approve',
      }),
  },
  'delete-business': {
    needs: 'database',
    summary: 'delete a business: it closes at once, and its data is removed seven days later',
    options: {
      business,
      name: { meaning: 'its exact name, as a confirmation' },
      cancel: { meaning: 'cancel the deletion, within the seven days', flag: true },
    },
    run: deleteMerchant,
  },
  'set-plan': {
    needs: 'database',
    summary: 'put a business on another plan',
    options: { business, plan: { meaning: "the plan's id, as list-plans prints it", required: true } },
    run: (world, options) => act(world, options, { action: 'business.plan', plan: options['plan'] ?? '' }),
  },
};

/** Does the same as the dashboard, and notifies the owner in the same words. */
async function deleteMerchant({ sql, clock }: World, options: Record<string, string>): Promise<number> {
  const now = clock.now();
  const merchant = (await listMerchants(sql)).find(row => String(row.merchant_id) === options['business']);
  if (!merchant) throw new StartError(`there is no business ${options['business']}`);
  const { merchant_id: merchantId, name } = merchant;
  const isBack = options['cancel'] !== undefined;
  if (!isBack && options['name'] !== name)
    throw new StartError(`business ${merchantId} is "${name}": say so with --name`);
  const notice = because(isBack ? 'deletion_cancelled' : 'deletion_asked');
  const done = await sql.begin(async tx => {
    const changed = isBack
      ? await cancelDeletion(tx, merchantId, now)
      : await requestDeletion(tx, merchantId, now, stopReading);
    if (!changed) return false;
    const action = isBack ? 'business.delete_cancel' : 'business.delete';
    await recordAuditInBoth(tx, byOperator({ clock }, merchantId), merchantId, { action, notice });
    return true;
  });
  if (!done) {
    throw new StartError(
      isBack ? 'there is no deletion to take back, or its seven days are over' : 'it is leaving already',
    );
  }
  console.log(
    isBack
      ? `the deletion of business ${merchantId} is cancelled`
      : `business ${merchantId} is closed, and gone on ${deletionDay(now).toISOString().slice(0, 10)}; --cancel takes it back until then`,
  );
  return 0;
}

export async function createWithOwner(world: World, options: Record<string, string>): Promise<number> {
  const { plan = defaultPlan, cell } = options;
  // The same checks as on the dashboard: customers read the name, and the owner signs in with the address.
  const name = readMerchantName(options['name'] ?? '');
  if (!name) throw new StartError(`--name must have 1 to ${longestMerchantName} characters, on one line`);
  const email = parseMailAddress(options['email'] ?? '');
  if (!email) throw new StartError('--email must look like an email address');
  const password = choosePassword(options, email);
  if (!(await planExists(world.sql, plan))) throw new StartError(`there is no plan "${plan}"`);
  if (cell !== undefined && !(/^\d+$/.test(cell) && world.cells?.worlds[Number(cell)]))
    throw new StartError(`there is no cell ${cell}: list-cells shows them`);
  const merchantId = world.cells?.newId(cell === undefined ? undefined : Number(cell)) ?? newMerchantId();
  const home = world.cells?.of(merchantId) ?? world;
  // One transaction, because a business without a user, or a user without a business, could not be used.
  const created = await home.sql
    .begin(async tx => {
      await createMerchant(tx, home, { name, plan, merchantId });
      await addUser(tx, home, merchantId, { email, password, role: 'owner' });
      const { apiKey } = await createApiKey(tx, home, merchantId, 'first key');
      const audited = { action: 'business.open', subject: name, details: email } as const;
      await recordAudit(tx, byOperator(world, merchantId), audited);
      return { merchantId, apiKey };
    })
    .catch(error => {
      if (isTaken(error)) throw new StartError(`${email} belongs to another user already`);
      throw error;
    });
  console.log(
    `business  ${created.merchantId}\nAPI key   ${created.apiKey}  (shown once)\nsign in   ${world.baseUrl}/dashboard/sign-in\nemail     ${email}`,
  );
  if (!options['password']) console.log(`password  ${password}  (shown once)`);
  return 0;
}

async function act(world: World, options: Record<string, string>, action: MerchantAction): Promise<number> {
  const merchantId = Number(options['business']);
  const refused = Number.isSafeInteger(merchantId)
    ? await actOnMerchant(world, byOperator(world, merchantId), merchantId, action)
    : 'unchanged';
  if (refused !== null) throw new StartError(sayRefusal(refused, options, action));
  console.log(`business ${merchantId} ${done[action.action]}${'plan' in action ? ` ${action.plan}` : ''}`);
  return 0;
}

const done: Record<MerchantAction['action'], string> = {
  'business.disable': 'is now disabled',
  'business.halt_orders': 'now takes no new orders',
  'business.enable': 'is now enabled',
  'business.approve': `is now approved, on plan ${defaultPlan}`,
  'business.plan': 'is now on plan',
};

function sayRefusal(
  refused: ActionRefusal,
  { business = '', plan = '' }: Record<string, string>,
  { action }: MerchantAction,
): string {
  switch (refused) {
    case 'wrong_reason':
      return `--reason must have 1 to ${longestReason} characters`;
    case 'no_such_plan':
      return `there is no plan "${plan}"`;
    case 'limits_seller':
      return `it sells the plans, so its own must have no limits, and "${plan}" has some`;
    case 'unchanged':
      return `there is no business ${business}, ${action === 'business.approve' ? 'it does not wait for approval, ' : ''}or it was moved away (export-business --undo takes that back)`;
  }
}
