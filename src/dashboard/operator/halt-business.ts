import type { World } from '../../base/world.ts';
import { setDisabled } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, field, radioField } from '../frame/controls.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { addressOf, changeBusiness, findBusiness } from './change-business.ts';

const longestReason = 500;

export async function askDisabling(world: World, visit: Visit, error?: string): Promise<Answer> {
  const { operator: words, operatorPlatform: platform } = visit.texts;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  return confirmPage(visit, {
    title: words.disableTitle(row.name),
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

/** The owner is told the reason: whoever stands before a wall must know why. */
export async function disable(world: World, visit: Visit): Promise<Answer> {
  const { form, now, texts } = visit;
  const reason = form.text('reason').replaceAll(/\s+/g, ' ');
  if (reason === '' || [...reason].length > longestReason)
    return await askDisabling(world, visit, texts.operatorPlatform.haltReasonWrong);
  const onlyNewOrders = form.text('halt') === 'orders';
  return await changeBusiness(world, visit, {
    make: (tx, id) => setDisabled(tx, id, now, { reason, onlyNewOrders }),
    deed: onlyNewOrders
      ? {
          action: 'business.halt_orders',
          details: reason,
          notice: because('orders_halted_by_operator', { reason }),
        }
      : { action: 'business.disable', details: reason, notice: because('halted_by_operator', { reason }) },
    flash: row => texts.operator.disabledFlash(row.name),
  });
}

export async function enable(world: World, visit: Visit): Promise<Answer> {
  return await changeBusiness(world, visit, {
    make: (tx, id) => setDisabled(tx, id, null),
    deed: { action: 'business.enable', notice: because('enabled_by_operator') },
    flash: row => visit.texts.operator.enabledFlash(row.name),
  });
}
