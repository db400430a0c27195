import type { World } from '../../base/world.ts';
import { longestReason } from '../../business/accounts/act-on-business.ts';
import { confirmPage, field, radioField } from '../frame/controls.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { addressOf, changeBusiness, findBusiness } from './change-business.ts';

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

/** The owner reads the reason. */
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
