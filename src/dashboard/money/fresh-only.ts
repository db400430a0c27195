import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { post, redirect, type Visit } from '../frame/route.ts';
import { selectFreshness, updateFreshOnly } from './queries/fresh.ts';

const path = '/dashboard/settings/fresh';

/** Whether an amount that an earlier customer may still pay needs a tap of the present one: the owner's choice. */
export const freshOnlyRoutes = [
  post(path, 'business.change', async (world, visit) => {
    const { merchantId, form, texts } = visit;
    const choice = form.text('fresh') === 'on' ? 'on' : 'off';
    await makeChange(world, visit, async tx => {
      await updateFreshOnly(tx, merchantId, choice === 'on');
      const notice = because(choice === 'on' ? 'fresh_only_on' : 'fresh_only_off');
      return { action: 'fresh_only.choose', subject: choice, notice };
    });
    return redirect('/dashboard/settings#fresh', texts.money.fresh.saved[choice]);
  }),
];

/** On the settings: how it is, what it would have made wait, and the button that changes it. */
export async function freshCard({ sql }: World, visit: Visit): Promise<Html> {
  const words = visit.texts.money.fresh;
  const since = later(visit.now, -7 * day);
  const { is_on, paid, waits } = await selectFreshness(sql, visit.merchantId, since);
  const values = { fresh: is_on ? 'off' : 'on' };
  return titledCard({ title: words.title, id: 'fresh' })`
<p>${is_on ? words.isOn : words.isOff}</p><p class="quiet">${words.explain}</p>
<p>${paid === 0 ? words.noneLastWeek : words.lastWeek(waits, paid)}</p>
${visit.may('business.change') && html`<div class="actions">${postButton(path, is_on ? words.turnOff : words.turnOn, { values })}</div>`}`;
}
