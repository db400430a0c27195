import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  type ActionRefusal,
  actOnMerchant,
  longestReason,
  type MerchantAction,
} from '../../business/accounts/act-on-merchant.ts';
import type { Texts } from '../../texts/languages.ts';
import { tabs } from '../frame/choosing.ts';
import { confirmPage, field, radioField } from '../frame/controls.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, type DashboardRoute, notFound, redirect, type Visit } from '../frame/route.ts';
import { type MerchantOverview, selectMerchant } from './queries/operator.ts';

export const home = '/dashboard/operator' as const;
type Named = Pick<MerchantOverview, 'merchant_id' | 'name'>;
export const addressOf = (row: Pick<Named, 'merchant_id'>) => `${home}/businesses/${row.merchant_id}`;
export const merchantLink = (row: Named) => html`<a href="${addressOf(row)}"><bdi>${row.name}</bdi></a>`;

/** The screens are wide, and a list on them is cut nowhere. */
export function section(title: string, id?: string) {
  return (...template: Parameters<typeof html>): Html =>
    html`<section class="wrapped"${id !== undefined && html` id="${id}"`}><div class="heading"><h2>${title}</h2></div>${html(...template)}</section>`;
}

const tabsOf =
  <Name extends keyof Texts['operator']['navigation']>(...pages: readonly [name: Name, path: string][]) =>
  ({ operator: { navigation } }: Texts, here: Name): Html =>
    tabs(
      navigation[pages[0]![0]],
      pages.map(([name, path]) => ({
        href: `${home}/${path}`,
        text: navigation[name],
        current: name === here,
      })),
    );
export const healthTabs = tabsOf(['operatorHealth', 'health'], ['operatorWatch', 'watch']);
export const bankTabs = tabsOf(['operatorBanks', 'banks'], ['workshop', 'workshop']);
export const planTabs = tabsOf(['operatorPlans', 'plans'], ['operatorSales', 'sales']);

/** A change to one business runs in that business's cell. */
export function inItsCell(route: DashboardRoute): DashboardRoute {
  if (!route.path.includes(':merchant_id')) return route;
  const handle = route.handle as (world: World, visit: Visit) => ReturnType<typeof route.handle>;
  return {
    ...route,
    handle: (world: World, visit: Visit) =>
      handle(world.cells?.of(Number(visit.params['merchant_id']) || 0) ?? world, visit),
  } as DashboardRoute;
}

/** A page or a change of one business, whose id is in the address. */
export function ofMerchant(handle: (world: World, visit: Visit, row: MerchantOverview) => Promise<Answer>) {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const id = visit.params['merchant_id'] ?? '';
    const row = /^\d{1,15}$/.test(id) ? await selectMerchant(world.sql, Number(id), visit.now) : null;
    return row ? await handle(world, visit, row) : notFound();
  };
}

type Refusals = Partial<Record<ActionRefusal, () => Answer | Promise<Answer>>>;

/** Makes the change and reports it, unless one of `refusals` answers. */
export async function changeMerchant(
  world: World,
  visit: Visit,
  row: MerchantOverview,
  { action, flash, refusals = {} }: { action: MerchantAction; flash: string; refusals?: Refusals },
): Promise<Answer> {
  const refused = await actOnMerchant(world, actorOf(visit), row.merchant_id, action);
  if (refused === null) return redirect(addressOf(row), flash);
  return (await refusals[refused]?.()) ?? redirect(addressOf(row), visit.texts.operatorPlatform.unchanged);
}

export async function askDisabling(
  _world: World,
  visit: Visit,
  row: MerchantOverview,
  error?: string,
): Promise<Answer> {
  const { operator: words, operatorPlatform: platform } = visit.texts;
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

export async function disable(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const { form, texts } = visit;
  const action = form.text('halt') === 'orders' ? 'business.halt_orders' : 'business.disable';
  return await changeMerchant(world, visit, row, {
    action: { action, reason: form.text('reason') },
    flash: texts.operator.disabledFlash(row),
    refusals: {
      wrong_reason: () => askDisabling(world, visit, row, texts.operatorPlatform.haltReasonWrong),
    },
  });
}

export async function enable(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const flash = visit.texts.operator.enabledFlash(row);
  return await changeMerchant(world, visit, row, { action: { action: 'business.enable' }, flash });
}
