import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { updateCapAdded } from '../../orders/links/queries.ts';
import { updateHoldNearMisses } from '../../payments/matching/queries/payments.ts';
import { because } from '../../texts/verdicts.ts';
import { makeChange } from '../frame/record-change.ts';
import { nextPath, post, redirect } from '../frame/route.ts';
import { updateHoldLate } from './queries/missing.ts';

export const switches = {
  /** Whether a near miss moves its order to review automatically. */
  'near-misses': {
    field: 'hold',
    write: updateHoldNearMisses,
    action: 'near_misses.choose',
    notices: { on: 'near_misses_held', off: 'near_misses_listed' },
  },
  /** Whether an amount that an earlier customer may still pay needs a tap from the present customer. */
  fresh: {
    field: 'fresh',
    write: updateHoldLate,
    action: 'fresh_only.choose',
    notices: { on: 'fresh_only_on', off: 'fresh_only_off' },
  },
  /** Whether at most 99 paise are added to orders from links and the counter. */
  'cap-added': {
    field: 'cap',
    write: updateCapAdded,
    action: 'cap_added.choose',
    notices: { on: 'cap_added_on', off: 'cap_added_off' },
  },
} as const;
export type SwitchName = keyof typeof switches;

/** One rule alone, for forms of release 0.2.0. */
export const switchRoutes = (Object.keys(switches) as SwitchName[]).map(name =>
  post(`/dashboard/settings/${name}`, 'business.change', async (world, visit) => {
    const { field, write } = switches[name];
    const isOn = visit.form.text(field) === 'on';
    await makeChange(world, visit, async tx => {
      await write(tx, visit.merchantId, isOn);
      return ruleEntry(name, isOn);
    });
    return redirect(nextPath(visit.form, '/dashboard/shop/rules'), visit.texts.labels.saved);
  }),
);

export function ruleEntry(name: SwitchName, isOn: boolean): AuditedChange {
  const { action, notices } = switches[name];
  const choice = isOn ? 'on' : 'off';
  return { action, subject: choice, notice: because(notices[choice]) };
}
