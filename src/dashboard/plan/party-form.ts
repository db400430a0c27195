import { type Html, html } from '../../base/http/html.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { type Party, writeParty } from '../../orders/sales/queries.ts';
import { field, postForm } from '../frame/controls.ts';
import { card, facts } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import type { Visit } from '../frame/route.ts';

const longestAddress = 300;

/** What stands on receipts beside the name, as buyer and as seller. */
export function partyCard({ texts, form, may }: Visit, party: Party): Html {
  const words = texts.plan;
  const options = { title: words.partyTitle, id: 'receipts' };
  if (!may('business.change')) {
    const rows = [
      [texts.labels.address, party.address ?? texts.labels.none],
      ['GSTIN', party.gstin ?? texts.labels.none],
    ] as const;
    return card(facts(rows), options);
  }
  const gstin = form.text('gstin');
  const fields = [
    field('address', texts.labels.address, {
      value: form.has('address') ? form.text('address') : (party.address ?? ''),
      maxlength: longestAddress,
      autocomplete: 'street-address',
    }),
    field('gstin', 'GSTIN', {
      hint: words.gstinHint,
      value: form.has('gstin') ? gstin : (party.gstin ?? ''),
      maxlength: 20,
      autocomplete: 'off',
      error: gstin !== '' && readGstin(gstin) === null ? words.gstinWrong : undefined,
    }),
  ];
  return card(
    html`<p class="quiet">${words.partyText}</p>${postForm('/dashboard/plan/receipts', texts.shell.save, fields)}`,
    options,
  );
}

/** False: the GSTIN is none, and nothing is saved. */
export async function saveParty(world: Pick<World, 'sql'>, visit: Visit): Promise<boolean> {
  const typed = visit.form.text('gstin').trim();
  const gstin = readGstin(typed);
  if (typed !== '' && gstin === null) return false;
  const address = storable(visit.form.text('address').trim(), longestAddress) || null;
  return await makeChange(world, visit, async tx => {
    await writeParty(tx, visit.merchantId, { address, gstin });
    return { action: 'business.receipts', subject: String(visit.merchantId) };
  });
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** 15 characters, the last of which checks the others: a slip of one is noticed. Null: it is none. */
function readGstin(text: string): string | null {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/.test(gstin)) return null;
  const sum = [...gstin.slice(0, -1)].reduce((sum, character, at) => {
    const product = digits.indexOf(character) * (1 + (at % 2));
    return sum + Math.floor(product / digits.length) + (product % digits.length);
  }, 0);
  return gstin.endsWith(digits[(digits.length - (sum % digits.length)) % digits.length]!) ? gstin : null;
}
