import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  type ActionRefusal,
  actOnBusiness,
  type BusinessAction,
  longestReason,
} from '../../business/accounts/act-on-business.ts';
import type { Texts } from '../../texts/languages.ts';
import { tabs } from '../frame/choosing.ts';
import { confirmPage, field, radioField } from '../frame/controls.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { type BusinessRow, selectBusiness } from './queries/operator.ts';

export const home = '/dashboard/operator' as const;
type Named = Pick<BusinessRow, 'merchant_id' | 'name'>;
export const addressOf = (row: Pick<Named, 'merchant_id'>) => `${home}/businesses/${row.merchant_id}`;
export const businessLink = (row: Named) => html`<a href="${addressOf(row)}"><bdi>${row.name}</bdi></a>`;

const tabsOf =
  <Name extends keyof Texts['shell']['navigation']>(...pages: readonly [name: Name, path: string][]) =>
  ({ shell }: Texts, here: Name): Html =>
    tabs(
      shell.navigation[pages[0]![0]],
      pages.map(([name, path]) => ({
        href: `${home}/${path}`,
        text: shell.navigation[name],
        current: name === here,
      })),
    );
export const healthTabs = tabsOf(['operatorHealth', 'health'], ['operatorWatch', 'watch']);
export const bankTabs = tabsOf(['operatorBanks', 'banks'], ['workshop', 'workshop']);
export const planTabs = tabsOf(['operatorPlans', 'plans'], ['operatorSales', 'sales']);

/** Makes the change and reports it, unless `refusal` returns an answer. */
export async function changeBusiness(
  world: World,
  visit: Visit,
  action: BusinessAction,
  { flash, refusal = {} }: { flash: (row: BusinessRow) => string; refusal?: Refusals },
): Promise<Answer> {
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const refused = await actOnBusiness(world, actorOf(visit), row.merchant_id, action);
  if (refused === null) return redirect(addressOf(row), flash(row));
  return (await refusal[refused]?.(row)) ?? redirect(addressOf(row), visit.texts.operatorPlatform.unchanged);
}

type Refusals = Partial<Record<ActionRefusal, (row: BusinessRow) => Answer | Promise<Answer>>>;

export async function findBusiness(world: World, { params, now }: Visit): Promise<BusinessRow | null> {
  const id = params['merchant_id'] ?? '';
  return /^\d{1,15}$/.test(id) ? await selectBusiness(world.sql, Number(id), now) : null;
}

export async function askDisabling(world: World, visit: Visit, error?: string): Promise<Answer> {
  const { operator: words, operatorPlatform: platform } = visit.texts;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  return confirmPage(visit, {
    title: words.disableTitle(row),
    consequences: words.disableConsequences,
    submit: words.disable,
    back: addressOf(row),
    fields: [
      radioField('halt', platform.halt, {
        value: visit.form.text('halt') || 'all',
        choices: [
          { value: 'all', text: platform.haltAll, hint: platform.haltAllHint },
          { value: 'orders', text: platform.haltOrders, hint: platform.haltOrdersHint },
        ],
      }),
      field('reason', platform.haltReason, {
        value: visit.form.text('reason'),
        maxlength: longestReason,
        required: true,
        error,
      }),
    ],
    status: error === undefined ? 200 : 400,
  });
}

export async function disable(world: World, visit: Visit): Promise<Answer> {
  const { form, texts } = visit;
  const action = form.text('halt') === 'orders' ? 'business.halt_orders' : 'business.disable';
  return await changeBusiness(
    world,
    visit,
    { action, reason: form.text('reason') },
    {
      flash: row => texts.operator.disabledFlash(row),
      refusal: { wrong_reason: () => askDisabling(world, visit, texts.operatorPlatform.haltReasonWrong) },
    },
  );
}

export async function enable(world: World, visit: Visit): Promise<Answer> {
  return await changeBusiness(
    world,
    visit,
    { action: 'business.enable' },
    { flash: row => visit.texts.operator.enabledFlash(row) },
  );
}
