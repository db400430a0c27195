import { createHash } from 'node:crypto';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  type Contact,
  renameMerchant,
  selectContact,
  setContact,
} from '../../business/accounts/queries/merchants.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { longestMerchantName, readMerchantName } from '../../business/merchants/create-merchant.ts';
import { mostLogoBytes, readLogo } from '../../business/merchants/read-logo.ts';
import { readColour } from '../../business/merchants/shop-colours.ts';
import { logoAddress } from '../../orders/page/shop-brand.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { furtherTags } from '../../texts/language-tags.ts';
import { because } from '../../texts/verdicts.ts';
import { button, field, fileField, whenConfirmed } from '../frame/controls.ts';
import { facts } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { contactFields, contactWords } from './contact.ts';
import {
  type Brand,
  dropLogo,
  selectBrand,
  selectLanguages,
  storeLogo,
  updateColour,
  updateLanguages,
} from './queries.ts';

const path = '/dashboard/shop/customers';
const hashLength = 32;
/** More than a logo may have, so that a photo is refused at its field and not with a page of its own. */
const mostUploadBytes = 1024 * 1024;
const upload = { ...reauth('business.change'), upload: mostUploadBytes };

/** The shop as customers see it. All addresses but the first two are for forms of release 0.2.0. */
export const customersRoutes = [
  get(path, 'business.read', (world, visit) => customersPage(world, visit)),
  post(path, upload, save(readName, readNewLogo, readNewColour, readChosenLanguages, readContact)),
  post('/dashboard/settings/name', 'business.change', save(readName)),
  post('/dashboard/settings/contact', reauth('business.change'), save(readContact)),
  post('/dashboard/settings/look/colour', reauth('business.change'), save(readNewColour)),
  post('/dashboard/settings/look/logo', upload, save(readNewLogo)),
  post('/dashboard/settings/look/logo/remove', reauth('business.change'), save(readNewLogo)),
  post('/dashboard/settings/languages', 'business.change', save(readChosenLanguages)),
];

type Shown = { name: string; contact: Contact; brand: Brand; languages: readonly string[] };
type Faults = Partial<Record<'name' | 'logo' | 'colour' | (typeof contactFields)[number]['way'], string>>;
type Change = { entry: AuditedChange; write(tx: Transaction): Promise<unknown>; faults?: never };
/** A part of the form: null if it changes nothing. */
type Read = (visit: Visit, shown: Shown) => Change | { faults: Faults } | null;

async function readShown({ sql }: Pick<World, 'sql'>, { merchantId, merchant }: Visit): Promise<Shown> {
  const [contact, brand, languages] = await Promise.all([
    selectContact(sql, merchantId),
    selectBrand(sql, merchantId),
    selectLanguages(sql, merchantId),
  ]);
  return { name: merchant.name, contact, brand, languages };
}

/** Saves these parts of the form together, or none if one is wrong. Each change has its own audit entry. */
function save(...parts: Read[]) {
  return async (world: World, visit: Visit): Promise<Answer> => {
    const shown = await readShown(world, visit);
    const read = parts.map(part => part(visit, shown)).filter(one => one !== null);
    const wrong = read.flatMap(({ faults }) => faults ?? []);
    if (wrong.length > 0) return await customersPage(world, visit, Object.assign({}, ...wrong));
    await world.sql.begin(async tx => {
      for (const { entry, write } of read.filter(one => 'entry' in one)) {
        await write(tx);
        await recordChange(tx, visit, entry);
      }
    });
    return redirect(path, visit.texts.labels.saved);
  };
}

function readName({ form, texts, merchantId }: Visit, { name: before }: Shown): ReturnType<Read> {
  const name = readMerchantName(form.text('name'));
  if (!name) return { faults: { name: texts.account.wrongName({ most: longestMerchantName }) } };
  if (name === before) return null;
  const notice = because('renamed', { before, after: name });
  return {
    entry: { action: 'business.rename', subject: name, details: before, notice },
    write: (tx: Transaction) => renameMerchant(tx, merchantId, name),
  };
}

function readContact({ form, texts, merchantId }: Visit, { contact: before }: Shown): ReturnType<Read> {
  const given = contactFields.map(({ way, column, read }) => ({
    way,
    column,
    value: read(form.text(way)),
    isWrong: form.text(way) !== '' && read(form.text(way)) === null,
  }));
  const wrong = given.filter(({ isWrong }) => isWrong);
  if (wrong.length > 0)
    return { faults: Object.fromEntries(wrong.map(({ way }) => [way, contactWords(texts)[way].wrong])) };
  if (given.every(({ column, value }) => value === before[column])) return null;
  const contact = Object.fromEntries(given.map(({ column, value }) => [column, value])) as Contact;
  const subject = given.flatMap(({ value }) => value ?? []).join(', ');
  // The owner is notified, because a wrong contact would send the customers and their complaints to somebody else.
  const notice =
    subject === '' ? because('contact_removed') : because('contact_changed', { contact: subject });
  return {
    entry: { action: 'business.contact', subject, notice },
    write: (tx: Transaction) => setContact(tx, merchantId, contact),
  };
}

function readNewLogo({ form, texts, merchantId, url }: Visit, { brand }: Shown): ReturnType<Read> {
  const faults = texts.business.logoFaults;
  if (form.has('remove_logo') || url.endsWith('/remove')) {
    if (brand.logo === null) return null;
    return { entry: brandChange(''), write: (tx: Transaction) => dropLogo(tx, merchantId) };
  }
  const bytes = form.file('logo');
  if (bytes === null) return url.startsWith(path) ? null : { faults: { logo: faults.noPicture } };
  const read = readLogo(bytes);
  if ('problem' in read) return { faults: { logo: faults[read.problem] } };
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, hashLength)}.${read.type}`;
  if (name === brand.logo) return null;
  return { entry: brandChange(name), write: (tx: Transaction) => storeLogo(tx, merchantId, { name, bytes }) };
}

const ours = '0b6b4f';

function readNewColour({ form, texts, merchantId }: Visit, { brand }: Shown): ReturnType<Read> {
  const given = readColour(form.text('colour'));
  if (given === null && !form.has('ours')) return { faults: { colour: texts.business.colourWrong } };
  const chosen = form.has('ours') || given === ours ? null : given;
  if (chosen === brand.colour) return null;
  return {
    entry: brandChange(chosen === null ? '' : `#${chosen}`),
    write: (tx: Transaction) => updateColour(tx, merchantId, chosen),
  };
}

function readChosenLanguages({ form, merchantId }: Visit, { languages: before }: Shown): ReturnType<Read> {
  const chosen = furtherTags.filter(tag => form.all('language').includes(tag));
  if (chosen.join() === furtherTags.filter(tag => before.includes(tag)).join()) return null;
  return {
    entry: { action: 'business.languages', subject: chosen.join(', ') },
    write: (tx: Transaction) => updateLanguages(tx, merchantId, chosen),
  };
}

/** The owner is notified: somebody else's logo on the payment page would make customers trust another shop. */
function brandChange(subject: string): AuditedChange {
  return { action: 'business.look', subject, notice: because('look_changed') };
}

async function customersPage(world: World, visit: Visit, faults: Faults = {}): Promise<Answer> {
  const shown = await readShown(world, visit);
  const mayChange = visit.may('business.change');
  const isForm = mayChange && visit.session.confirmed;
  const status = Object.keys(faults).length === 0 ? 200 : 400;
  return shopScreen(visit, 'customers', { status })`
${!isForm && summary(visit, shown)}
${mayChange && whenConfirmed(visit, () => customersForm(visit, shown, faults))}`;
}

const languageName = (tag: (typeof furtherTags)[number]) => customerTexts(tag).page.language;

function summary({ texts, merchantId }: Visit, { name, contact, brand, languages }: Shown): Html {
  const said = contactWords(texts);
  const chosen = furtherTags.filter(tag => languages.includes(tag)).map(languageName);
  return facts([
    [texts.labels.businessName, html`<bdi>${name}</bdi>`],
    [texts.business.logo, brandPreview(texts.business.logo, merchantId, brand) ?? texts.labels.none],
    [texts.business.colour, brand.colour === null ? texts.labels.none : `#${brand.colour}`],
    [texts.business.languagesTitle, ['English', 'हिन्दी', ...chosen].join(', ')],
    ...contactFields.map(
      ({ way, column }) => [said[way].label, contact[column] ?? texts.labels.none] as const,
    ),
  ]);
}

function brandPreview(alt: string, merchant_id: number, brand: Brand): Html | null {
  const logo = logoAddress({ ...brand, merchant_id });
  return logo === null ? null : html`<img src="${logo}" alt="${alt}" width="64" height="64">`;
}

function customersForm(visit: Visit, shown: Shown, faults: Faults): Html {
  const { texts, form, merchantId } = visit;
  const { business: words, labels, shell } = texts;
  const isAnswer = form.has('name') || form.has('phone');
  const typed = (name: string, stored: string | null) => (isAnswer ? form.text(name) : (stored ?? ''));
  const { brand } = shown;
  const wanted: readonly string[] = isAnswer ? form.all('language') : shown.languages;
  const ways = contactFields.map(({ way, column, limits }) => {
    const { wrong: _, label, ...hint } = contactWords(texts)[way];
    const value = typed(way, shown.contact[column]);
    return field(way, label, { ...hint, ...limits, value, autocomplete: 'off', error: faults[way] });
  });
  return html`<form method="post" action="${path}" enctype="multipart/form-data" class="stack groups">
${field('name', labels.businessName, {
  hint: labels.businessNameHint,
  value: typed('name', shown.name),
  maxlength: longestMerchantName,
  required: true,
  error: faults.name,
})}
<fieldset class="stack" id="look"><legend class="unseen">${words.brandTitle}</legend>${brandPreview(words.logo, merchantId, brand)}
${fileField('logo', words.logo, {
  hint: words.logoHint,
  accept: 'image/png,image/jpeg,image/webp',
  mostBytes: mostLogoBytes,
  tooLarge: words.logoFaults.too_large,
  error: faults.logo,
  optional: true,
})}
${brand.logo !== null && tick('remove_logo', words.logoRemove)}
<div class="field"><label for="colour">${words.colour}</label><p class="hint" id="colour-hint">${words.colourHint}</p>
${faults.colour !== undefined && html`<p class="error">${faults.colour}</p>`}
<input id="colour" name="colour" type="color" value="#${readColour(form.text('colour')) ?? brand.colour ?? ours}" aria-describedby="colour-hint"></div>
${brand.colour !== null && tick('ours', words.colourOurs)}</fieldset>
<fieldset class="field" id="languages"><legend>${words.languagesTitle}</legend><p class="hint">${words.languagesText}</p>
<div class="tick-list">${furtherTags.map(tag => html`<div class="choice"><input type="checkbox" id="language-${tag}" name="language" value="${tag}"${wanted.includes(tag) && html` checked`}><label for="language-${tag}" lang="${tag}">${languageName(tag)}</label></div>`)}</div></fieldset>
<fieldset class="stack" id="contact"><legend>${words.contactTitle}</legend><p class="hint">${words.contactText}</p>${ways}</fieldset>
<div class="actions">${button(shell.save)}</div></form>`;
}

function tick(name: string, label: string): Html {
  return html`<div class="choice"><input type="checkbox" id="${name}" name="${name}"><label for="${name}">${label}</label></div>`;
}
