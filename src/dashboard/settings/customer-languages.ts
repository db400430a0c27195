import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { furtherTags } from '../../texts/language-tags.ts';
import { postForm } from '../frame/controls.ts';
import { titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { post, redirect, type Visit } from '../frame/route.ts';
import { selectLanguages, updateLanguages } from './queries.ts';

const path = '/dashboard/settings/languages';

/** Which languages customers may read beside English and Hindi, which are always there. */
export const customerLanguagesRoutes = [
  post(path, 'business.change', async (world, visit) => {
    const languages = furtherTags.filter(tag => visit.form.all('language').includes(tag));
    await makeChange(world, visit, async tx => {
      await updateLanguages(tx, visit.merchantId, languages);
      return { action: 'business.languages', subject: languages.join(', ') };
    });
    return redirect('/dashboard/settings#languages', visit.texts.business.languagesSaved);
  }),
];

export async function customerLanguagesCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const { business: words, shell } = visit.texts;
  const chosen = await selectLanguages(sql, visit.merchantId);
  const nameOf = (tag: (typeof furtherTags)[number]) => customerTexts(tag).page.language;
  const fields = html`<fieldset class="field"><legend class="unseen">${words.languagesTitle}</legend>
${furtherTags.map(tag => html`<div class="choice"><input type="checkbox" id="language-${tag}" name="language" value="${tag}"${chosen.includes(tag) && html` checked`}><label for="language-${tag}" lang="${tag}">${nameOf(tag)}</label></div>`)}</fieldset>`;
  const names = furtherTags.filter(tag => chosen.includes(tag)).map(nameOf);
  return titledCard({ title: words.languagesTitle, id: 'languages' })`
<p class="quiet">${words.languagesText}</p>
${visit.may('business.change') ? postForm({ action: path, fields, submit: shell.save }) : html`<p>${['English', 'हिन्दी', ...names].join(', ')}</p>`}`;
}
