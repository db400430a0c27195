import { hour, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { ChosenKind } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { selectSupportView, writeSupportView } from '../../business/accounts/queries/merchants.ts';
import { type AuditedChange, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { because } from '../../texts/verdicts.ts';
import { postButton } from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, lead, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { pageRow, rowList } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { leaveRoutes, privacyPath, waysOut } from './leave.ts';
import { keptPath, keptSection, saveKeeps } from './retention-settings.ts';

const viewPath = '/dashboard/settings/look';
const searchFor = 1 * hour;

export const privacyPageRoutes = [
  get(privacyPath, 'business.read', (world, visit) => privacyPage(world, visit)),
  lead(keptPath, privacyPath),
  post(keptPath, reauth('keep.choose'), async (world, visit) => {
    const wrong = await saveKeeps(world, visit);
    return wrong.length > 0
      ? await privacyPage(world, visit, wrong)
      : redirect(`${privacyPath}#kept`, visit.texts.kept.saved);
  }),
  ...leaveRoutes,
  // One press lets an operator see the screens for an hour, and one ends it. Every page checks the permission again.
  post(viewPath, 'look.allow', async (world, visit) => {
    const { now, texts } = visit;
    const until = later(now, searchFor);
    await changeView(world, visit, until, { action: 'look.give', notice: because('look_given', { until }) });
    return redirect(privacyPath, texts.labels.saved);
  }),
  post(`${viewPath}/end`, 'look.allow', async (world, visit) => {
    await changeView(world, visit, null, { action: 'look.take' });
    return redirect(privacyPath, visit.texts.labels.saved);
  }),
];

async function privacyPage(world: World, visit: Visit, wrong: readonly ChosenKind[] = []): Promise<Answer> {
  const { texts, may } = visit;
  const words = texts.privacy;
  const [kept, view] = await Promise.all([keptSection(world, visit, wrong), viewSection(world, visit)]);
  return shopScreen(visit, 'privacy', {
    status: wrong.length === 0 ? 200 : 400,
  })`<div class="stack groups">${kept}
${may('privacy') && html`<div class="wrapped">${rowList([pageRow('/dashboard/settings/privacy', 'search', words.findTitle, words.settingsText)])}</div>`}
${may('business.delete') && waysOut(visit)}${view}</div>`;
}

/** Recorded in the installation's log too, like everything that the operator then does. */
async function changeView(
  world: World,
  visit: Visit,
  until: Date | null,
  made: Omit<AuditedChange, 'subject'>,
) {
  const audited = { ...made, subject: String(visit.merchantId) };
  await makeChange(world, visit, async tx => {
    await writeSupportView(tx, visit.merchantId, until);
    await recordAudit(tx, { ...actorOf(visit), merchantId: installation }, audited);
    return audited;
  });
}

async function viewSection(world: World, { texts, merchantId, now, may }: Visit): Promise<Html | false> {
  if (!may('look.allow')) return false;
  const words = texts.platform;
  const until = await selectSupportView(world.sql, merchantId, now);
  return html`<section id="view"><p class="small quiet">${words.allowSupportViewText}</p>
${until && html`<p role="status">${words.supportViewUntil} ${moment(until)}</p>`}
<div class="actions">${until ? postButton(`${viewPath}/end`, words.endSupportView) : postButton(viewPath, words.allowSupportView)}</div></section>`;
}
