import { stopReading } from '../../alerts/forwarding/open-forwarding.ts';
import { hour, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { ChosenKind } from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';
import { cancelDeletion, deletionDay, requestDeletion } from '../../business/accounts/delete-business.ts';
import { selectSupportView, writeSupportView } from '../../business/accounts/queries/businesses.ts';
import { type AuditedChange, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { because } from '../../texts/verdicts.ts';
import { dangerLink, plainLink, postButton } from '../frame/controls.ts';
import { moment } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, lead, post, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { keptPath, keptSection, saveKeeps } from './kept.ts';
import { askName, leaveRoutes, leaveSection, privacyPath } from './leave.ts';

const viewPath = '/dashboard/settings/look';
const searchFor = 1 * hour;

/** Stored data, a customer's data, the operator's look, leaving and deleting. */
export const privacyPageRoutes = [
  get(privacyPath, 'business.read', (world, visit) => privacyPage(world, visit)),
  lead(keptPath, privacyPath),
  post(keptPath, fresh('keep.choose'), async (world, visit) => {
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
    return redirect(privacyPath, texts.platform.lookGiven);
  }),
  post(`${viewPath}/end`, 'look.allow', async (world, visit) => {
    await changeView(world, visit, null, { action: 'look.take' });
    return redirect(privacyPath, visit.texts.platform.lookTaken);
  }),
  get('/dashboard/settings/delete', fresh('business.delete'), async (_world, visit) => deletePage(visit)),
  post('/dashboard/settings/delete', fresh('business.delete'), async (world, visit) => {
    const { merchantId, form, texts, business, now } = visit;
    if (form.text('name') !== business.name.trim())
      return deletePage(visit, texts.business.deleteNameWrong, 400);
    await makeChange(world, visit, async tx => {
      if (!(await requestDeletion(tx, merchantId, now, stopReading))) return null;
      return { action: 'business.delete', subject: business.name, notice: because('deletion_asked') };
    });
    return redirect(privacyPath, texts.business.deleteAsked);
  }),
  post('/dashboard/settings/delete/cancel', 'business.delete', async (world, visit) => {
    const { merchantId, texts, business, now } = visit;
    const cancelled = await makeChange(world, visit, async tx => {
      if (!(await cancelDeletion(tx, merchantId, now))) return null;
      const notice = because('deletion_cancelled');
      return { action: 'business.delete_cancel', subject: business.name, notice };
    });
    const { deleteCancelled, deleteTooLate } = texts.business;
    return redirect(privacyPath, cancelled ? deleteCancelled : deleteTooLate);
  }),
];

async function privacyPage(world: World, visit: Visit, wrong: readonly ChosenKind[] = []): Promise<Answer> {
  const { texts, may, business } = visit;
  const words = texts.privacy;
  const [kept, view] = await Promise.all([keptSection(world, visit, wrong), viewSection(world, visit)]);
  return shopScreen(visit, 'privacy', {
    status: wrong.length === 0 ? 200 : 400,
  })`<div class="stack groups">${kept}
${
  may('privacy') &&
  html`<section><h2>${words.findTitle}</h2><p class="small quiet">${words.settingsText}</p>
<div class="actions">${plainLink('/dashboard/settings/privacy', texts.shell.search)}</div></section>`
}
${view}
${may('business.delete') && business.deletionRequestedAt === null && leaveSection(visit)}
${may('business.delete') && deleteSection(visit)}</div>`;
}

function deleteSection({ texts, business: { deletionRequestedAt } }: Visit): Html {
  const { business } = texts;
  const asked =
    deletionRequestedAt &&
    html`<p>${business.deleteOn} ${moment(deletionDay(deletionRequestedAt))}</p>
<div class="actions">${postButton('/dashboard/settings/delete/cancel', business.deleteCancel, { plain: false })}</div>`;
  const ask = html`<div class="actions">${dangerLink('/dashboard/settings/delete', business.deleteAsk)}</div>`;
  return html`<section id="delete"><h2>${business.deleteTitle}</h2><p class="small quiet">${business.deleteText}</p>${asked ?? ask}</section>`;
}

function deletePage(visit: Visit, error?: string, status = 200): Answer {
  const { business } = visit.texts;
  const title = business.deleteConfirmTitle(visit.business);
  return askName(visit, title, business.deleteConsequences, business.deleteNow, error, status);
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
  return html`<section id="view"><h2>${words.letLook}</h2><p class="small quiet">${words.letLookText}</p>
${until && html`<p role="status">${words.letLookUntil} ${moment(until)}</p>`}
<div class="actions">${until ? postButton(`${viewPath}/end`, words.takeLook) : postButton(viewPath, words.letLook)}</div></section>`;
}
