import { hour, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { selectLook, writeLook } from '../../business/accounts/queries/businesses.ts';
import { type Deed, installation, recordDeed } from '../../business/accounts/record-deed.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { moment, titledCard } from '../frame/parts.ts';
import { doerOf, makeChange } from '../frame/record-change.ts';
import { post, redirect, type Visit } from '../frame/route.ts';

const path = '/dashboard/settings/look' as const;
const lookFor = 1 * hour;

/** One press lets an operator look at the screens for an hour, and one ends it: every page asks whether it still may. */
export const letLookRoutes = [
  post(path, 'look.allow', async (world, visit) => {
    const { now, texts } = visit;
    const until = later(now, lookFor);
    await change(world, visit, until, { action: 'look.give', notice: because('look_given', { until }) });
    return redirect('/dashboard/settings', texts.platform.lookGiven);
  }),
  post(`${path}/end`, 'look.allow', async (world, visit) => {
    await change(world, visit, null, { action: 'look.take' });
    return redirect('/dashboard/settings', visit.texts.platform.lookTaken);
  }),
];

/** In the installation's log too, as all that comes of it. */
async function change(world: World, visit: Visit, until: Date | null, made: Omit<Deed, 'subject'>) {
  const deed = { ...made, subject: String(visit.merchantId) };
  await makeChange(world, visit, async tx => {
    await writeLook(tx, visit.merchantId, until);
    await recordDeed(tx, { ...doerOf(visit), merchantId: installation }, deed);
    return deed;
  });
}

export async function letLookCard(
  world: World,
  { texts, merchantId, now, may }: Visit,
): Promise<Html | false> {
  if (!may('look.allow')) return false;
  const words = texts.platform;
  const until = await selectLook(world.sql, merchantId, now);
  return titledCard({ title: words.letLook })`
<p class="quiet">${words.letLookText}</p>
${until && html`<p role="status">${words.letLookUntil} ${moment(until)}</p>`}
<div class="actions">${until ? postButton(`${path}/end`, words.takeLook) : postButton(path, words.letLook)}</div>`;
}
