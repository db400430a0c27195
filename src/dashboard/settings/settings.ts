import { stopReading } from '../../alerts/forwarding/open-forwarding.ts';
import { hour, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { cancelDeletion, deletionDay, requestDeletion } from '../../business/accounts/delete-business.ts';
import {
  renameBusiness,
  selectSupportView,
  writeSupportView,
} from '../../business/accounts/queries/businesses.ts';
import { type AuditedChange, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { longestBusinessName, readBusinessName } from '../../business/merchants/create-merchant.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { furtherTags } from '../../texts/language-tags.ts';
import { because } from '../../texts/verdicts.ts';
import {
  confirmPage,
  copyable,
  dangerLink,
  field,
  plainLink,
  postButton,
  postForm,
} from '../frame/controls.ts';
import { card, facts, moment, screen, titledCard } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';
import { capCard, holdCard, lateMoneyCard } from '../money/switches.ts';
import { contactCard, saveContact } from './contact-form.ts';
import { keptCard, keptRoutes } from './kept.ts';
import { leaveCard, leaveRoutes } from './leave.ts';
import { selectLanguages, updateLanguages } from './queries.ts';
import { brandCard, shopBrandRoutes } from './shop-brand.ts';

const viewPath = '/dashboard/settings/look';
const searchFor = 1 * hour;

export const settingsRoutes = [
  get('/dashboard/settings', 'business.read', settingsPage),
  post('/dashboard/settings/name', 'business.change', async (world, visit) => {
    const { merchantId, form, texts, business } = visit;
    const name = readBusinessName(form.text('name'));
    if (!name)
      return await settingsPage(world, visit, {
        name: texts.account.wrongName({ most: longestBusinessName }),
      });
    await makeChange(world, visit, async tx => {
      await renameBusiness(tx, merchantId, name);
      const notice = because('renamed', { before: business.name, after: name });
      return { action: 'business.rename', subject: name, details: business.name, notice };
    });
    return redirect('/dashboard/settings', texts.business.nameSaved);
  }),
  post('/dashboard/settings/contact', fresh('business.change'), async (world, visit) => {
    if (!(await saveContact(world, visit))) return await settingsPage(world, visit, { contact: true });
    return redirect('/dashboard/settings', visit.texts.business.contactSaved);
  }),
  ...shopBrandRoutes((world, visit, lookFault) => settingsPage(world, visit, { lookFault })),
  post('/dashboard/settings/languages', 'business.change', async (world, visit) => {
    const languages = furtherTags.filter(tag => visit.form.all('language').includes(tag));
    await makeChange(world, visit, async tx => {
      await updateLanguages(tx, visit.merchantId, languages);
      return { action: 'business.languages', subject: languages.join(', ') };
    });
    return redirect('/dashboard/settings#languages', visit.texts.business.languagesSaved);
  }),
  ...leaveRoutes,
  ...keptRoutes,
  // One press lets an operator see the screens for an hour, and one ends it. Every page checks the permission again.
  post(viewPath, 'look.allow', async (world, visit) => {
    const { now, texts } = visit;
    const until = later(now, searchFor);
    await changeView(world, visit, until, { action: 'look.give', notice: because('look_given', { until }) });
    return redirect('/dashboard/settings', texts.platform.lookGiven);
  }),
  post(`${viewPath}/end`, 'look.allow', async (world, visit) => {
    await changeView(world, visit, null, { action: 'look.take' });
    return redirect('/dashboard/settings', visit.texts.platform.lookTaken);
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
    return redirect('/dashboard/settings', texts.business.deleteAsked);
  }),
  post('/dashboard/settings/delete/cancel', 'business.delete', async (world, visit) => {
    const { merchantId, texts, business, now } = visit;
    const cancelled = await makeChange(world, visit, async tx => {
      if (!(await cancelDeletion(tx, merchantId, now))) return null;
      const notice = because('deletion_cancelled');
      return { action: 'business.delete_cancel', subject: business.name, notice };
    });
    const { deleteCancelled, deleteTooLate } = texts.business;
    return redirect('/dashboard/settings', cancelled ? deleteCancelled : deleteTooLate);
  }),
];

type Wrong = { name?: string; lookFault?: Parameters<typeof brandCard>[2]; contact?: true };

async function settingsPage(world: World, visit: Visit, wrong: Wrong = {}): Promise<Answer> {
  const { texts } = visit;
  const [contact, look, languages, hold, freshness, cap, letSupportView] = await Promise.all([
    contactCard(world, visit),
    brandCard(world, visit, wrong.lookFault),
    customerLanguagesCard(world, visit),
    holdCard(world, visit),
    lateMoneyCard(world, visit),
    capCard(world, visit),
    supportViewCard(world, visit),
  ]);
  return screen(texts.shell.navigation.settings, { status: Object.keys(wrong).length === 0 ? 200 : 400 })`
${card(nameBody(visit, wrong.name), { title: texts.labels.business })}
${contact}${look}${languages}${hold}${freshness}${cap}
${visit.may('privacy') && privacyCard(visit)}
${keptCard(visit)}
${letSupportView}
${visit.may('business.delete') && visit.business.deletionRequestedAt === null && leaveCard(visit)}
${visit.may('business.delete') && deleteCard(visit)}`;
}

function nameBody({ texts, business, merchantId, form, may }: Visit, error?: string): Html {
  const words = texts.business;
  const rows = facts([
    [words.businessId, copyable(texts, 'business-id', String(merchantId), words.businessId)],
  ]);
  if (!may('business.change')) return html`${facts([[texts.labels.businessName, business.name]])}${rows}`;
  const name = field('name', texts.labels.businessName, {
    hint: texts.labels.businessNameHint,
    value: form.has('name') ? form.text('name') : business.name,
    maxlength: longestBusinessName,
    required: true,
    error,
  });
  return html`${postForm('/dashboard/settings/name', texts.shell.save, name)}${rows}`;
}

function privacyCard({ texts: { privacy } }: Visit): Html {
  return titledCard({ title: privacy.title })`
<p class="quiet">${privacy.settingsText}</p>
<div class="actions">${plainLink('/dashboard/settings/privacy', privacy.open)}</div>`;
}

function deleteCard({ texts, business: { deletionRequestedAt } }: Visit): Html {
  const { business } = texts;
  const asked =
    deletionRequestedAt &&
    html`<p>${business.deleteOn} ${moment(deletionDay(deletionRequestedAt))}</p>
<div class="actions">${postButton('/dashboard/settings/delete/cancel', business.deleteCancel, { plain: false })}</div>`;
  const ask = html`<div class="actions">${dangerLink('/dashboard/settings/delete', business.deleteAsk)}</div>`;
  return titledCard({ title: business.deleteTitle })`
<p class="quiet">${business.deleteText}</p>${asked ?? ask}`;
}

function deletePage(visit: Visit, error?: string, status = 200): Answer {
  const { business } = visit.texts;
  const { name } = visit.business;
  return confirmPage(visit, {
    title: business.deleteConfirmTitle({ name }),
    consequences: business.deleteConsequences,
    submit: business.deleteNow,
    back: '/dashboard/settings',
    fields: [
      field('name', business.deleteTypeName({ name }), { autocomplete: 'off', required: true, error }),
    ],
    status,
  });
}

/** The customers' languages; English and Hindi are always offered. */
async function customerLanguagesCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const { business: words, shell } = visit.texts;
  const chosen = await selectLanguages(sql, visit.merchantId);
  const nameOf = (tag: (typeof furtherTags)[number]) => customerTexts(tag).page.language;
  const fields = html`<fieldset class="field"><legend class="unseen">${words.languagesTitle}</legend>
${furtherTags.map(tag => html`<div class="choice"><input type="checkbox" id="language-${tag}" name="language" value="${tag}"${chosen.includes(tag) && html` checked`}><label for="language-${tag}" lang="${tag}">${nameOf(tag)}</label></div>`)}</fieldset>`;
  const names = furtherTags.filter(tag => chosen.includes(tag)).map(nameOf);
  return titledCard({ title: words.languagesTitle, id: 'languages' })`
<p class="quiet">${words.languagesText}</p>
${visit.may('business.change') ? postForm('/dashboard/settings/languages', shell.save, fields) : html`<p>${['English', 'हिन्दी', ...names].join(', ')}</p>`}`;
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

async function supportViewCard(world: World, { texts, merchantId, now, may }: Visit): Promise<Html | false> {
  if (!may('look.allow')) return false;
  const words = texts.platform;
  const until = await selectSupportView(world.sql, merchantId, now);
  return titledCard({ title: words.letLook })`
<p class="quiet">${words.letLookText}</p>
${until && html`<p role="status">${words.letLookUntil} ${moment(until)}</p>`}
<div class="actions">${until ? postButton(`${viewPath}/end`, words.takeLook) : postButton(viewPath, words.letLook)}</div>`;
}
