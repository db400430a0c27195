import type { Form } from '../../base/http/form.ts';
import { html } from '../../base/http/html.ts';
import { paiseFromText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import {
  differences,
  type Plan,
  PlansRefused,
  parsePlans,
  planFields,
  selectPlans,
  writePlans,
} from '../../business/merchants/plans.ts';
import { copyToOthers } from '../../operator/cells/copy-installation.ts';
import { countOnPlan } from '../../operator/cells/in-each-cell.ts';
import { describePlans, sayField } from '../../operator/commands/describe-plans.ts';
import { languages } from '../../texts/languages.ts';
import { button, confirmPage, hidden, linkButton, field as textField } from '../frame/controls.ts';
import { note, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { planTabs } from './change-merchant.ts';

const home = '/dashboard/operator/plans';

export const planRoutesOfOperator = [
  get(home, 'operator', showPlans),
  get(`${home}/:plan`, 'operator', (world, visit) => showPlan(world, visit, null)),
  post(home, reauth('operator'), applyPlans),
];

async function showPlans(world: World, { texts }: Visit): Promise<Answer> {
  const words = texts.operatorPlans;
  const plans = await selectPlans(world.sql);
  const counts = new Map<string, number>();
  for (const { plan } of plans) counts.set(plan, await countOnPlan(world, plan));
  const said = (plan: Plan) =>
    planFields
      .filter(field => plan[field] !== null && field !== 'title')
      .map(field => `${words.fields[field]}: ${sayField(texts, plan, field)}`);
  const rows = plans.map(plan => ({
    href: `${home}/${plan.plan}`,
    face: { icon: 'plan', tone: 'still' } as const,
    who: plan.plan,
    what: said(plan).join(', ') || texts.labels.noLimit,
    state: html`<span class="quiet">${words.businesses({ count: counts.get(plan.plan) ?? 0 })}</span>`,
  }));
  return screen(texts.operator.navigation.operatorPlans, { quietOnPhone: true })`
${planTabs(texts, 'operatorPlans')}
<p class="quiet">${words.text}</p>
${rowList(rows)}
<div class="actions">${linkButton(`${home}/new`, words.new)}</div>`;
}

const numbers = ['account_limit', 'history_days', 'period_days'] as const;
const sums = ['monthly_limit_paise', 'price_paise'] as const;
const rupee = 100;
const newPlan = 'new';

/** One plan's fields; an empty one is no limit. A refused form is shown again with the reason. */
async function showPlan(world: World, visit: Visit, problem: string | null): Promise<Answer> {
  const { texts, form, params } = visit;
  const words = texts.operatorPlans;
  const name = params['plan'] ?? form.text('was');
  const plan = (await selectPlans(world.sql)).find(one => one.plan === name);
  if (!plan && name !== newPlan) return notFound();
  const typed = (field: string, stored: string | number | null | undefined) =>
    problem === null ? String(stored ?? '') : form.text(field);
  const numberField = (field: (typeof numbers | typeof sums)[number], unit = 1) => {
    const stored = plan?.[field];
    const value = typed(field, typeof stored === 'number' ? stored / unit : null);
    return textField(field, words.labels[field], { value, inputmode: unit === 1 ? 'numeric' : 'decimal' });
  };
  const fields = html`${hidden({ was: name })}
${plan ? hidden({ plan: name }) : textField('plan', words.name, { value: form.text('plan'), required: true })}
${languages.map(({ tag, language }) => textField(`title_${tag}`, words.titleIn({ language }), { value: typed(`title_${tag}`, plan?.title?.[tag]) }))}
${numberField('monthly_limit_paise', rupee)}${numberField('account_limit')}${numberField('history_days')}
${textField('upgrade_url', words.labels.upgrade_url, { value: typed('upgrade_url', plan?.upgrade_url), type: 'url' })}
${numberField('price_paise', rupee)}${numberField('period_days')}`;
  const back = { href: home, text: texts.operator.navigation.operatorPlans };
  return screen(plan?.plan ?? words.new, { back, ...(problem !== null && { status: 400 }) })`
${problem !== null && note(words.refused({ why: problem }), 'bad')}
<form method="post" action="${home}" class="stack"><p class="quiet">${words.emptyField}</p>${fields}
<div class="actions">${button(words.show)}${plan && button(texts.labels.remove, { answer: 'remove', danger: true, plain: true })}</div></form>`;
}

/** The form's plan in the notation of the file. A text that is no number stays a text, and is refused as one. */
function readPlan(form: Form): Record<string, unknown> {
  const whole = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
  const titles = languages.map(({ tag }) => [tag, form.text(`title_${tag}`)] as const);
  const entries: [string, unknown][] = [
    ['title', titles.every(([, title]) => title === '') ? '' : Object.fromEntries(titles)],
    ['upgrade_url', form.text('upgrade_url')],
    ...numbers.map((field): [string, unknown] => [field, whole(form.text(field))]),
    ...sums.map((field): [string, unknown] => [field, paiseFromText(form.text(field)) ?? form.text(field)]),
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/** All plans with the form's one in its place, or without it. */
function withForm(inForce: readonly Plan[], form: Form): string {
  const others = JSON.parse(asJson(inForce.filter(({ plan }) => plan !== form.text('was'))));
  if (form.text('answer') === 'remove') return JSON.stringify(others);
  const name = form.text('plan');
  if (name in others || name === newPlan) throw new PlansRefused(`there is a plan "${name}" already`);
  return JSON.stringify({ ...others, [name]: readPlan(form) });
}

/** The plans in the form of the file for `apply-plans`; an unlimited field is left out. */
function asJson(plans: readonly Plan[]): string {
  const entries = plans.map(({ plan, ...fields }) => [
    plan,
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  ]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

/** First shows the difference and a question. `seen` has the plans that were in force when it was asked. */
async function applyPlans(world: World, visit: Visit): Promise<Answer> {
  const { texts, form, now } = visit;
  const words = texts.operatorPlans;
  try {
    const wrong = (what: string) => new PlansRefused(what);
    const seen = form.text('seen');
    const inForce = seen === '' ? await selectPlans(world.sql) : parsePlans(seen, wrong);
    const wanted = parsePlans(form.has('was') ? withForm(inForce, form) : form.text('plans'), wrong);
    const differing = differences(inForce, wanted);
    if (differing.length === 0) return redirect(home, words.same);
    if (seen === '') {
      const fields = hidden({ plans: asJson(wanted), seen: asJson(inForce) });
      const consequences = await describePlans(world, differing, now, texts);
      return confirmPage(visit, {
        title: words.ask,
        consequences,
        submit: words.apply,
        back: home,
        fields: [fields],
      });
    }
    await makeChange(world, visit, async tx => {
      await writePlans(tx, wanted, { expected: inForce, now, cells: world.cells });
      return { action: 'plans.apply', subject: differing.map(({ plan }) => plan).join(', ') };
    });
    await copyToOthers(world);
    return redirect(home, words.applied);
  } catch (error) {
    if (error instanceof PlansRefused && form.has('was')) return await showPlan(world, visit, error.message);
    if (error instanceof PlansRefused) return redirect(home, words.refused({ why: error.message }));
    throw error;
  }
}
