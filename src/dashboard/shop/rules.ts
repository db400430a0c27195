import { day, later } from '../../base/clock.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { selectCounterTerms } from '../../orders/links/queries.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import { button } from '../frame/controls.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, post, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { selectLateMoney } from '../payments/queries/missing.ts';
import { ruleEntry, type SwitchName, switches } from '../payments/switches.ts';

import { oneTapCard, oneTapRoutes } from './one-tap-card.ts';

const path = '/dashboard/shop/rules';

/** The shop's rules for payments that are not exact, or not in time. */
export const rulesRoutes = [
  get(path, 'business.read', rulesPage),
  ...oneTapRoutes,
  post(path, 'business.change', async (world, visit) => {
    const { form, merchantId, texts } = visit;
    const before = await readRules(world, visit);
    await world.sql.begin(async tx => {
      for (const { name, isOn } of before.filter(rule => rule.isOn !== form.has(rule.name))) {
        await switches[name].write(tx, merchantId, !isOn);
        await recordChange(tx, visit, ruleEntry(name, !isOn));
      }
    });
    return redirect(path, texts.shop.rulesSaved);
  }),
];

async function readRules({ sql }: World, { merchantId, texts, now }: Visit) {
  const words = texts.shop.rules;
  const [holds, late, { cap_added }] = await Promise.all([
    holdsNearMisses(sql, merchantId),
    selectLateMoney(sql, merchantId, later(now, -7 * day)),
    selectCounterTerms(sql, merchantId),
  ]);
  const { paid, waits } = late;
  const lastWeek =
    paid === 0
      ? words.noneLastWeek
      : words.lastWeek({ count: paid, waits, percent: ((100 * waits) / paid).toFixed(1) });
  return [
    { name: 'near-misses', isOn: holds, words: words.wrong, more: '' },
    { name: 'fresh', isOn: late.is_on, words: words.late, more: lastWeek },
    { name: 'cap-added', isOn: cap_added, words: words.added, more: '' },
  ] satisfies { name: SwitchName; [more: string]: unknown }[];
}

async function rulesPage(world: World, visit: Visit): Promise<Answer> {
  const mayChange = visit.may('business.change');
  const rules = await readRules(world, visit);
  const list = rules.map(
    ({ name, isOn, words, more }) =>
      html`<section id="${name}"><h2>${words.title}</h2><label class="switch"><span>${words.label}<br><span class="small quiet">${words.text}${more !== '' && ` ${more}`}</span></span><input type="checkbox" role="switch" name="${name}"${isOn && html` checked`}${!mayChange && html` disabled`}></label></section>`,
  );
  const save = html`<form method="post" action="${path}" class="stack groups">${list}
<div class="actions">${button(visit.texts.shell.save)}</div></form>`;
  return shopScreen(visit, 'rules')`
${mayChange ? save : html`<div class="stack groups">${list}</div>`}${await oneTapCard(world, visit)}`;
}
