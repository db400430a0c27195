import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  type ActionRefusal,
  actOnBusiness,
  type BusinessAction,
} from '../../business/accounts/act-on-business.ts';
import { doerOf } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { type BusinessRow, selectBusiness } from './queries/operator.ts';

export const home = '/dashboard/operator' as const;
type Named = Pick<BusinessRow, 'merchant_id' | 'name'>;
export const addressOf = (row: Pick<Named, 'merchant_id'>) => `${home}/businesses/${row.merchant_id}`;
export const businessLink = (row: Named) => html`<a href="${addressOf(row)}"><bdi>${row.name}</bdi></a>`;

/** Does it and says so, where `refusal` has no other answer. */
export async function changeBusiness(
  world: World,
  visit: Visit,
  action: BusinessAction,
  { flash, refusal = {} }: { flash: (row: BusinessRow) => string; refusal?: Refusals },
): Promise<Answer> {
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const refused = await actOnBusiness(world, doerOf(visit), row.merchant_id, action);
  if (refused === null) return redirect(addressOf(row), flash(row));
  return (await refusal[refused]?.(row)) ?? redirect(addressOf(row), visit.texts.operatorPlatform.unchanged);
}

type Refusals = Partial<Record<ActionRefusal, (row: BusinessRow) => Answer | Promise<Answer>>>;

export async function findBusiness(world: World, { params, now }: Visit): Promise<BusinessRow | null> {
  const id = params['merchant_id'] ?? '';
  return /^\d{1,15}$/.test(id) ? await selectBusiness(world.sql, Number(id), now) : null;
}
