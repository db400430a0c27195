import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { selectCounterTerms, updateCapAdded } from '../../orders/links/queries.ts';
import { holdsNearMisses, updateHoldNearMisses } from '../../payments/matching/queries/payments.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { note, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { nextPath, post, redirect, type Visit } from '../frame/route.ts';
import { selectLateMoney, updateHoldLate } from './queries/missing.ts';

/** The owner's switches. Each is a card in the settings and gives that card its path and id. */
const switches = {
  /** Whether a near miss moves its order to review automatically. Two other screens offer it too. */
  'near-misses': {
    field: 'hold',
    action: 'near_misses.choose',
    notices: { on: 'near_misses_held', off: 'near_misses_listed' },
    words: ({ money }: Texts) => money.nearMisses,
    write: updateHoldNearMisses,
  },
  /** Whether an amount that an earlier customer may still pay needs a tap from the present customer. */
  fresh: {
    field: 'fresh',
    action: 'fresh_only.choose',
    notices: { on: 'fresh_only_on', off: 'fresh_only_off' },
    words: ({ money }: Texts) => money.fresh,
    write: updateHoldLate,
  },
  /** Whether at most 99 paise are added to orders from links and the counter. */
  'cap-added': {
    field: 'cap',
    action: 'cap_added.choose',
    notices: { on: 'cap_added_on', off: 'cap_added_off' },
    words: ({ counter }: Texts) => counter.cap,
    write: updateCapAdded,
  },
} as const;
type Name = keyof typeof switches;

export const switchRoutes = (Object.keys(switches) as Name[]).map(name =>
  post(`/dashboard/settings/${name}`, 'business.change', async (world, visit) => {
    const { field, action, notices, words, write } = switches[name];
    const choice = visit.form.text(field) === 'on' ? 'on' : 'off';
    await makeChange(world, visit, async tx => {
      await write(tx, visit.merchantId, choice === 'on');
      return { action, subject: choice, notice: because(notices[choice]) };
    });
    const next = nextPath(visit.form, `/dashboard/settings#${name}`);
    return redirect(next, words(visit.texts).saved[choice]);
  }),
);

export async function holdCard({ sql }: World, visit: Visit): Promise<Html> {
  const isOn = await holdsNearMisses(sql, visit.merchantId);
  return switchCard(visit, 'near-misses', isOn, { next: '/dashboard/settings' });
}

/** Also says how many payments would have waited. */
export async function lateMoneyCard({ sql }: World, visit: Visit): Promise<Html> {
  const words = visit.texts.money.fresh;
  const since = later(visit.now, -7 * day);
  const { is_on, paid, waits } = await selectLateMoney(sql, visit.merchantId, since);
  return switchCard(visit, 'fresh', is_on, {
    more:
      paid === 0
        ? words.noneLastWeek
        : words.lastWeek({ count: paid, waits, percent: ((100 * waits) / paid).toFixed(1) }),
  });
}

export async function capCard({ sql }: World, visit: Visit): Promise<Html> {
  const { cap_added } = await selectCounterTerms(sql, visit.merchantId);
  return switchCard(visit, 'cap-added', cap_added);
}

type CardOptions = { more?: string; next?: string };

function switchCard(visit: Visit, name: Name, isOn: boolean, { more, next }: CardOptions = {}): Html {
  const words = switches[name].words(visit.texts);
  return titledCard({ title: words.title, id: name })`
<p>${isOn ? words.isOn : words.isOff}</p><p class="quiet">${words.explain}</p>${
    more &&
    html`
<p>${more}</p>`
  }
${visit.may('business.change') && html`<div class="actions">${switchButton(visit, name, !isOn, next)}</div>`}`;
}

/** Offers the choice when it is first useful. Null for a person who may not choose. */
export function holdOffer(visit: Visit, back: string): Html | null {
  if (!visit.may('business.change')) return null;
  const words = visit.texts.money.nearMisses;
  return note(
    html`<p><strong>${words.offer}</strong></p><p>${words.explain}</p><div class="note-link">${switchButton(visit, 'near-misses', true, back)}</div>`,
    'good',
  );
}

function switchButton({ texts }: Visit, name: Name, on: boolean, next?: string): Html {
  const { field, words } = switches[name];
  const { turnOn, turnOff } = words(texts);
  const values = { [field]: on ? 'on' : 'off', ...(next !== undefined && { next }) };
  return postButton(`/dashboard/settings/${name}`, on ? turnOn : turnOff, { values });
}
