import { type Html, html } from '../../base/http/html.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { type Party, selectPeriods, writeParty } from '../../orders/sales/queries.ts';
import { sayTime } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { field, postForm } from '../frame/controls.ts';
import { facts, rupees } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';

/** A printable receipt: what was paid for which days. The tax in it is for the accountant's own invoice. */
export async function showReceipt(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const periods = await selectPeriods(world.sql, merchantId, { all: true });
  const period = periods.find(one => one.order_id === params['order_id']);
  if (!period) return notFound();
  const words = texts.plan;
  const { receipt, days, carried_days: carried } = period;
  const party = ({ name, address, gstin }: Party) =>
    html`<bdi>${name}</bdi>${address !== null && html`<br><bdi>${address}</bdi>`}${gstin !== null && html`<br>GSTIN ${gstin}`}`;
  const number = `R-${receipt.number}`;
  return shopScreen(visit, 'plan', { title: words.receipt({ number }) })`
<section class="card receipt"><div class="card-head"><h2>${words.receipt({ number })}</h2></div>
${facts([
  [words.receiptFrom, party(receipt.seller)],
  [words.receiptTo, party(receipt.buyer)],
  [texts.labels.plan, period.title[texts.tag]],
  [texts.labels.days, carried === 0 ? String(days) : words.daysCarried({ days, carried })],
  [words.price, rupees(period.price_paise)],
  [texts.labels.received, html`<strong>${rupees(receipt.received_paise)}</strong>`],
  [texts.labels.when, sayTime(texts.tag, new Date(receipt.paid_at), 'full')],
  [texts.labels.bankReference, receipt.bank_reference],
  [texts.labels.order, period.order_id],
])}
<p class="quiet">${words.receiptText}</p>
<div class="actions"><button type="button" class="button" data-print hidden>${texts.counter.print}</button></div></section>`;
}

const longestAddress = 300;

/** Folded, because a shop fills it in once. */
export function partySection({ texts, form, may }: Visit, party: Party): Html {
  const words = texts.plan;
  if (!may('business.change')) {
    const rows = [
      [texts.labels.address, party.address ?? texts.labels.none],
      ['GSTIN', party.gstin ?? texts.labels.none],
    ] as const;
    return html`<section id="receipts">${fold(words.partyTitle, facts(rows))}</section>`;
  }
  const gstin = form.text('gstin');
  const isWrong = gstin !== '' && readGstin(gstin) === null;
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
      error: isWrong ? words.gstinWrong : undefined,
    }),
  ];
  const all = postForm('/dashboard/plan/receipts', texts.shell.save, fields);
  return html`<section id="receipts">${isWrong ? all : fold(words.partyTitle, all)}</section>`;
}

/** False if the GSTIN is invalid; then nothing is saved. */
export async function saveParty(world: Pick<World, 'sql'>, visit: Visit): Promise<boolean> {
  const typed = visit.form.text('gstin').trim();
  const gstin = readGstin(typed);
  if (typed !== '' && gstin === null) return false;
  const address = storable(visit.form.text('address').trim(), longestAddress) || null;
  await makeChange(world, visit, async tx => {
    await writeParty(tx, visit.merchantId, { address, gstin });
    return { action: 'business.receipts', subject: String(visit.merchantId) };
  });
  return true;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A GSTIN has 15 characters, and the last one is a checksum that detects one wrong character. Null if it is none. */
function readGstin(text: string): string | null {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/.test(gstin)) return null;
  const sum = [...gstin.slice(0, -1)].reduce((sum, character, at) => {
    const product = digits.indexOf(character) * (1 + (at % 2));
    return sum + Math.floor(product / digits.length) + (product % digits.length);
  }, 0);
  return gstin.endsWith(digits[(digits.length - (sum % digits.length)) % digits.length]!) ? gstin : null;
}
