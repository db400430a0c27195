import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { selectTillTerms, updateCapAdded } from '../../orders/links/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { post, redirect, type Visit } from '../frame/route.ts';

const path = '/dashboard/settings/cap-added';

/** Whether at most 99 paise are added to the orders of links and the counter: the owner's choice. */
export const capAddedRoutes = [
  post(path, 'business.change', async (world, visit) => {
    const { merchantId, form, texts } = visit;
    const choice = form.text('cap') === 'on' ? 'on' : 'off';
    await makeChange(world, visit, async tx => {
      await updateCapAdded(tx, merchantId, choice === 'on');
      return {
        action: 'cap_added.choose',
        subject: choice,
        notice: because(choice === 'on' ? 'cap_added_on' : 'cap_added_off'),
      };
    });
    return redirect('/dashboard/settings#cap-added', texts.till.cap.saved[choice]);
  }),
];

export async function capCard({ sql }: World, visit: Visit): Promise<Html> {
  const words = visit.texts.till.cap;
  const { cap_added } = await selectTillTerms(sql, visit.merchantId);
  const values = { cap: cap_added ? 'off' : 'on' };
  return titledCard({ title: words.title, id: 'cap-added' })`
<p>${cap_added ? words.isOn : words.isOff}</p><p class="quiet">${words.explain}</p>
${visit.may('business.change') && html`<div class="actions">${postButton(path, cap_added ? words.turnOff : words.turnOn, { values })}</div>`}`;
}
