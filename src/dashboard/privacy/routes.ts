import type { World } from '../../base/world.ts';
import { askErasure } from '../../operator/privacy/ask-erasure.ts';
import { readPersonValues } from '../../operator/privacy/person-values.ts';
import { showPerson } from '../../operator/privacy/show-person.ts';
import { doerOf, makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';
import { personPage } from './person-page.ts';
import { privacyPage } from './privacy-page.ts';

const path = '/dashboard/settings/privacy';

export const privacyRoutes = [
  get(path, fresh('privacy'), (world, visit) => privacyPage(world, visit)),
  post(`${path}/person`, fresh('privacy'), (world, visit) => withPerson(world, visit, look)),
  post(`${path}/export`, fresh('privacy'), (world, visit) => withPerson(world, visit, takeAlong)),
  post(`${path}/erase`, fresh('privacy'), (world, visit) => withPerson(world, visit, erase)),
];

type Answering = (world: World, visit: Visit, values: string[]) => Promise<Answer>;

async function withPerson(world: World, visit: Visit, answer: Answering): Promise<Answer> {
  const values = readPersonValues(visit.form.text('person'));
  if (values === null) return await privacyPage(world, visit, { problem: 'personWrong' });
  return await answer(world, visit, values);
}

/** Which kinds of value were given, and never the values: the audit log keeps what it is told for ever. */
const kindsOf = (values: readonly string[]) =>
  [...new Set(values.map(value => value.split(' ', 1)[0]!))].join(', ');

async function look(world: World, visit: Visit, values: string[]): Promise<Answer> {
  const person = await showPerson(world, visit.merchantId, values, { whole: false });
  await makeChange(world, visit, async () => ({ action: 'person.look', subject: kindsOf(values) }));
  return personPage(visit, person, visit.form.text('person'));
}

async function takeAlong(world: World, visit: Visit, values: string[]): Promise<Answer> {
  const { merchantId, business, now } = visit;
  const { isPartial: _, ...person } = await showPerson(world, merchantId, values, { whole: true });
  await makeChange(world, visit, async () => ({ action: 'person.export', subject: kindsOf(values) }));
  const told = { business: business.name, asked_for: values, at: now, ...person };
  const name = `person-${now.toISOString().slice(0, 10)}.json`;
  return { kind: 'download', name, type: 'application/json', content: JSON.stringify(told, null, 2) };
}

async function erase(world: World, visit: Visit, values: string[]): Promise<Answer> {
  if (visit.form.text('sure') !== 'yes') return await privacyPage(world, visit, { problem: 'eraseNotSure' });
  const asked = await world.sql.begin(tx => askErasure(tx, world, doerOf(visit), values));
  if (asked === null) return await privacyPage(world, visit, { problem: 'tooMany' });
  return redirect(path, visit.texts.privacy.asked);
}
