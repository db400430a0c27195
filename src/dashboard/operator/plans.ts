import { html } from '../../base/http/html.ts';
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
import { confirmPage, hidden, postForm } from '../frame/controls.ts';
import { card, screen, table } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';

const home = '/dashboard/operator/plans';

export const planRoutesOfOperator = [
  get(home, 'operator', showPlans),
  post(home, fresh('operator'), applyPlans),
];

async function showPlans(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operatorPlans;
  const plans = await selectPlans(world.sql);
  const counts = new Map<string, number>();
  for (const { plan } of plans) counts.set(plan, await countOnPlan(world, plan));
  const columns = [
    { title: visit.texts.labels.plan, cell: ({ plan }: Plan) => plan },
    {
      title: visit.texts.shell.navigation.operator,
      cell: ({ plan }: Plan) => counts.get(plan),
      number: true,
    },
    ...planFields.map(field => ({
      // The words also occur inside sentences, so they are stored in lower case.
      title: words.fields[field].replace(/^\p{L}/u, letter => letter.toUpperCase()),
      cell: (plan: Plan) => sayField(visit.texts, plan, field),
    })),
  ];
  return screen(visit.texts.shell.navigation.operatorPlans, { text: words.text })`
${card(table(visit.texts.shell.navigation.operatorPlans, plans, columns))}
${card(
  postForm(
    home,
    words.show,
    html`<div class="field"><label for="plans">${words.json}</label>
<p class="hint" id="plans-hint">${words.jsonHint}</p>
<textarea id="plans" name="plans" rows="12" spellcheck="false" aria-describedby="plans-hint">${asJson(plans)}</textarea></div>`,
  ),
  { title: words.change },
)}`;
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
    const wanted = parsePlans(form.text('plans'), wrong);
    const seen = form.text('seen');
    const inForce = seen === '' ? await selectPlans(world.sql) : parsePlans(seen, wrong);
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
    if (error instanceof PlansRefused) return redirect(home, words.refused({ why: error.message }));
    throw error;
  }
}
