import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { mostPaise, type Paise, paiseFromText, rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { selectCounterSettings } from '../../orders/links/queries.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import { selectOneTapLimit, writeOneTapLimit } from '../../payments/review/one-tap.ts';
import { field, hidden, postForm, whenConfirmed } from '../frame/controls.ts';
import { rupees } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { selectLateMoney } from '../payments/queries/missing.ts';
import { ruleEntry, type SwitchName, switches } from '../payments/switches.ts';

const path = '/dashboard/shop/rules';

/** The shop's rules for payments that are not exact, or not in time. Only the limit needs a recent confirmation. */
export const rulesRoutes = [
  get(path, 'business.read', (world, visit) => rulesPage(world, visit)),
  post(path, 'business.change', (world, visit) => saveRules(world, visit)),
  post(`${path}/one-tap`, reauth('upi.ceiling'), async (world, visit) => {
    const { form, texts } = visit;
    const typed = form.text('below');
    const below = typed === '' ? null : paiseFromText(typed);
    if (typed !== '' && (below === null || below < 1 || below > mostPaise))
      return await rulesPage(world, visit, texts.counter.oneTap.wrong);
    // An old page whose limit nobody touched must not bring that limit back.
    return await saveRules(world, visit, typed === form.text('was') ? undefined : { below });
  }),
];

/** Saves the switches and a changed limit together, or nothing. */
async function saveRules(world: World, visit: Visit, limit?: { below: Paise | null }): Promise<Answer> {
  const { form, merchantId, texts } = visit;
  const before = await readRules(world, visit);
  await world.sql.begin(async tx => {
    for (const { name, isOn } of before.filter(rule => rule.isOn !== form.has(rule.name))) {
      await switches[name].write(tx, merchantId, !isOn);
      await recordChange(tx, visit, ruleEntry(name, !isOn));
    }
    if (!limit) return;
    await writeOneTapLimit(tx, merchantId, limit.below);
    const below = limit.below === null ? '' : rupeesText(limit.below);
    await recordChange(tx, visit, {
      action: 'one_tap.choose',
      subject: below === '' ? 'off' : 'on',
      details: { below },
    });
  });
  return redirect(path, texts.labels.saved);
}

type Rule = { name: SwitchName; isOn: boolean; label: string; text: string };

async function readRules({ sql }: World, { merchantId, texts, now }: Visit): Promise<Rule[]> {
  const words = texts.shop.rules;
  const [holds, { is_on, paid, waits }, { cap_added }] = await Promise.all([
    holdsNearMisses(sql, merchantId),
    selectLateMoney(sql, merchantId, later(now, -7 * day)),
    selectCounterSettings(sql, merchantId),
  ]);
  const lastWeek = paid === 0 ? '' : ` ${words.lastWeek({ count: paid, waits })}`;
  return [
    { name: 'near-misses', isOn: holds, label: words.wrong, text: words.wrongText },
    { name: 'fresh', isOn: is_on, label: words.late, text: `${words.lateText}${lastWeek}` },
    { name: 'cap-added', isOn: cap_added, label: words.added, text: words.addedText },
  ];
}

async function rulesPage(world: World, visit: Visit, fault?: string): Promise<Answer> {
  const { texts, form, may, session } = visit;
  const mayChange = may('business.change');
  const list = (await readRules(world, visit)).map(({ name, isOn, label, text }) => {
    const isShownOn = fault === undefined ? isOn : form.has(name);
    return html`<label class="switch" id="${name}"><span>${label}<br><span class="small quiet">${text}</span></span><input type="checkbox" role="switch" name="${name}"${isShownOn && html` checked`}${!mayChange && html` disabled`}></label>`;
  });
  const all = html`<div class="rules">${list}${await oneTap(world, visit, fault)}</div>`;
  const action = may('upi.ceiling') && session.confirmed ? `${path}/one-tap` : path;
  return shopScreen(visit, 'rules', { status: fault === undefined ? 200 : 400 })`
${mayChange ? postForm(action, texts.shell.save, all) : all}`;
}

async function oneTap({ sql }: World, visit: Visit, error?: string): Promise<Html> {
  const words = visit.texts.counter.oneTap;
  const below = await selectOneTapLimit(sql, visit.merchantId);
  const said = html`<p>${below === null ? words.isOff : words.isOn({ sum: rupees(below) })}</p>`;
  const shown = below === null ? '' : rupeesText(below).replace('.00', '');
  const limit = () =>
    html`${hidden({ was: shown })}${field('below', words.field, {
      hint: words.hint,
      value: visit.form.text('below') || shown,
      inputmode: 'decimal',
      maxlength: 12,
      error,
    })}`;
  return html`<div class="stack" id="one-tap">${!(visit.may('upi.ceiling') && visit.session.confirmed) && said}
${visit.may('upi.ceiling') && whenConfirmed(visit, limit)}</div>`;
}
