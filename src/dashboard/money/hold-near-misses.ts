import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { holdsNearMisses, updateHoldNearMisses } from '../../payments/matching/queries/payments.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { nextPath } from '../frame/next-path.ts';
import { note, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { post, redirect, type Visit } from '../frame/route.ts';

const path = '/dashboard/settings/near-misses';

/** Whether a plain slip moves its order to review by itself: the owner's choice, made in three places. */
export const holdNearMissesRoutes = [
  post(path, 'business.change', async (world, visit) => {
    const { merchantId, form, texts } = visit;
    const choice = form.text('hold') === 'on' ? 'on' : 'off';
    await makeChange(world, visit, async tx => {
      await updateHoldNearMisses(tx, merchantId, choice === 'on');
      const notice = because(choice === 'on' ? 'near_misses_held' : 'near_misses_listed');
      return { action: 'near_misses.choose', subject: choice, notice };
    });
    return redirect(nextPath(form, '/dashboard/settings'), texts.money.holdSaved[choice]);
  }),
];

/** On the settings: how it is, and the button that changes it. */
export async function holdCard({ sql }: World, visit: Visit): Promise<Html> {
  const words = visit.texts.money;
  const holds = await holdsNearMisses(sql, visit.merchantId);
  return titledCard({ title: words.holdTitle, id: 'near-misses' })`
<p>${holds ? words.holdIsOn : words.holdIsOff}</p><p class="quiet">${words.holdExplain}</p>
${visit.may('business.change') && html`<div class="actions">${holdButton(visit, !holds, '/dashboard/settings')}</div>`}`;
}

/** Where the choice is of use for the first time. Nothing for who may not choose. */
export function holdOffer(visit: Visit, back: string): Html | null {
  if (!visit.may('business.change')) return null;
  const words = visit.texts.money;
  return note(
    html`<p><strong>${words.holdOffer}</strong></p><p>${words.holdExplain}</p><div class="note-link">${holdButton(visit, true, back)}</div>`,
    'good',
  );
}

function holdButton({ texts }: Visit, on: boolean, next: string): Html {
  const { holdOn, holdOff } = texts.money;
  return postButton(path, on ? holdOn : holdOff, { values: { hold: on ? 'on' : 'off', next } });
}
