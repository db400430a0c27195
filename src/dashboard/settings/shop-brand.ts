import { createHash } from 'node:crypto';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { mostLogoBytes, readLogo } from '../../business/merchants/read-logo.ts';
import { readColour, type Shades, shopColours } from '../../business/merchants/shop-colours.ts';
import { logoAddress } from '../../orders/page/shop-brand.ts';
import { because } from '../../texts/verdicts.ts';
import { button, fileField, postButton, whenFresh } from '../frame/controls.ts';
import { titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, post, redirect, type Visit } from '../frame/route.ts';
import { dropLogo, selectBrand, storeLogo, updateColour } from './queries.ts';

const path = '/dashboard/settings/look';
const back = '/dashboard/settings#look';
const hashLength = 32;
/** More than a logo may have, so that a photo is refused at its field and not with a page of its own. */
const mostUploadBytes = 1024 * 1024;

type BrandFault = 'wrongColour' | 'noPicture' | 'not_a_picture' | 'too_large' | 'wrong_size';

/** `again` shows the settings once more with the fault. */
export function shopBrandRoutes(again: (world: World, visit: Visit, fault: BrandFault) => Promise<Answer>) {
  return [
    post(`${path}/colour`, fresh('business.change'), async (world, visit) => {
      const given = readColour(visit.form.text('colour'));
      const colour = visit.form.has('ours') ? null : given;
      if (colour === null && !visit.form.has('ours')) return await again(world, visit, 'wrongColour');
      await makeChange(world, visit, async tx => {
        await updateColour(tx, visit.merchantId, colour);
        return brandChange(colour === null ? '' : `#${colour}`);
      });
      return redirect(back, visit.texts.business.lookSaved);
    }),
    post(`${path}/logo`, { ...fresh('business.change'), upload: mostUploadBytes }, async (world, visit) => {
      const bytes = visit.form.file('logo');
      if (bytes === null) return await again(world, visit, 'noPicture');
      const read = readLogo(bytes);
      if ('problem' in read) return await again(world, visit, read.problem);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, hashLength);
      const name = `${hash}.${read.type}`;
      await makeChange(world, visit, async tx => {
        await storeLogo(tx, visit.merchantId, { name, bytes });
        return brandChange(name);
      });
      return redirect(back, visit.texts.business.lookSaved);
    }),
    post(`${path}/logo/remove`, fresh('business.change'), async (world, visit) => {
      await makeChange(world, visit, async tx => {
        await dropLogo(tx, visit.merchantId);
        return brandChange('');
      });
      return redirect(back, visit.texts.business.lookSaved);
    }),
  ];
}

/** The owner is notified: somebody else's logo on the payment page would make customers trust another shop. */
function brandChange(subject: string): AuditedChange {
  return { action: 'business.look', subject, notice: because('look_changed') };
}

export async function brandCard(
  { sql }: Pick<World, 'sql'>,
  visit: Visit,
  fault?: BrandFault,
): Promise<Html> {
  const { texts, merchantId, may } = visit;
  const words = texts.business;
  const look = await selectBrand(sql, merchantId);
  const logo = logoAddress({ ...look, merchant_id: merchantId });
  const colours = look.colour === null ? null : shopColours(look.colour);
  const shown = html`<div class="look">${logo !== null && html`<img src="${logo}" alt="${words.logo}" width="64" height="64">`}
${colours && html`${sample(colours.day, '#ffffff')}${sample(colours.night, '#16201d')}`}
${logo === null && colours === null && html`<p class="quiet">${words.lookNone}</p>`}</div>
${colours?.isDarkened && html`<p class="note">${words.colourDarkened({ colour: colours.day.deep })}</p>`}`;
  const forms = () => html`${logoForm(visit, logo !== null, fault)}${colourForm(visit, look.colour, fault)}`;
  return titledCard({ title: words.lookTitle, id: 'look' })`
<p class="quiet">${words.lookText}</p>${shown}${may('business.change') && whenFresh(visit, forms)}`;
}

function logoForm({ texts }: Visit, has: boolean, fault: BrandFault | undefined): Html {
  const words = texts.business;
  const file = fileField('logo', words.logo, {
    hint: words.logoHint,
    accept: 'image/png,image/jpeg,image/webp',
    mostBytes: mostLogoBytes,
    tooLarge: words.logoFaults.too_large,
    error: fault === undefined || fault === 'wrongColour' ? undefined : words.logoFaults[fault],
  });
  return html`<form method="post" action="${path}/logo" enctype="multipart/form-data" class="stack">
${file}
<div class="actions">${button(words.logoSave)}</div>
</form>
${has && html`<div class="actions">${postButton(`${path}/logo/remove`, words.logoRemove)}</div>`}`;
}

const ours = '0b6b4f';

function colourForm({ texts, form }: Visit, colour: string | null, fault: BrandFault | undefined): Html {
  const words = texts.business;
  const value = readColour(form.text('colour')) ?? colour ?? ours;
  return html`<form method="post" action="${path}/colour" class="stack">
<div class="field"><label for="colour">${words.colour}</label>
<p class="hint" id="colour-hint">${words.colourHint}</p>
${fault === 'wrongColour' && html`<p class="error" id="colour-error">${words.colourWrong}</p>`}
<input id="colour" name="colour" type="color" value="#${value}" aria-describedby="colour-hint"></div>
<div class="actions">${button(words.colourSave)}</div>
</form>
${colour !== null && html`<div class="actions">${postButton(`${path}/colour`, words.colourOurs, { values: { ours: 'yes' } })}</div>`}`;
}

/** Drawn as SVG, because the pages' policy allows no inline style. */
function sample({ deep, onDeep, tint }: Shades, ground: string): Html {
  return html`<svg viewBox="0 0 160 64" width="160" height="64" aria-hidden="true"><rect width="160" height="64" rx="10" fill="${ground}"/>
<rect x="10" y="10" width="88" height="44" rx="8" fill="${deep}"/><text x="54" y="37" text-anchor="middle" font-size="15" font-weight="600" fill="${onDeep}">UPI</text>
<rect x="106" y="10" width="44" height="44" rx="8" fill="${tint}"/><text x="128" y="37" text-anchor="middle" font-size="15" font-weight="600" fill="${deep}">.37</text></svg>`;
}
