import { day, later } from '../../base/clock.ts';
import type { Form } from '../../base/http/form.ts';
import { html } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { randomId } from '../../base/random.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import {
  countLinks,
  insertLink,
  lockLinks,
  mostLinks,
  mostStock,
  type PaymentLink,
} from '../../orders/links/queries.ts';
import { newPayToken } from '../../orders/order.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayDay } from '../../texts/say-time.ts';
import { fold } from '../frame/choosing.ts';
import { postForm, selectField, typedFields } from '../frame/controls.ts';
import { addDays, addMonths, indianDay, readDay, startOfDay } from '../frame/indian-days.ts';
import { screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, post, redirect, type Visit } from '../frame/route.ts';
import { readAmount } from './payment-page.ts';

const home = '/dashboard/links';
const mostTitle = 80;

export const newLinkRoutes = [
  post(home, 'links.change', makeLink),
  get(`${home}/new`, 'links.change', async (_world, visit) => newLinkPage(visit)),
];

function newLinkPage({ texts, form, now }: Visit, fault: LinkFault | null = null): Answer {
  const words = texts.counter;
  const wrong = (name: LinkFault['field']) => (fault?.field === name ? fault.text : undefined);
  const input = typedFields(form, wrong, { autocomplete: 'off' });
  const decimal = { inputmode: 'decimal', maxlength: 12 } as const;
  const more = html`<div class="stack">
${input('least', words.least, { hint: words.limitsHint, ...decimal })}${input('most', words.most, decimal)}
${selectField('ends', words.endsOn, { value: form.text('ends'), choices: lastDays(texts, now), error: wrong('ends') })}
${input('stock', words.stock, { inputmode: 'numeric', hint: words.stockHint({ most: mostStock }), maxlength: 5 })}</div>`;
  const isFolded = folded.every(name => form.text(name) === '' && wrong(name) === undefined);
  const back = { href: home, text: words.places.links };
  return screen(words.newLink, { back, ...(fault && { status: 400 }) })`
${postForm(home, words.makeLink, [
  input('title', words.linkTitle, { required: true, maxlength: mostTitle, autofocus: fault === null }),
  input('amount', words.amount, { hint: words.amountHint, ...decimal }),
  isFolded ? fold(words.moreOfLink, more) : more,
])}`;
}

/** The next days, then the ends of months. Browsers show a date field in their own language. */
function lastDays({ counter, tag }: Texts, now: Date) {
  const today = indianDay(now);
  const days = Array.from({ length: 31 }, (_, ahead) => addDays(today, ahead));
  const months = Array.from({ length: 12 }, (_, ahead) => addDays(addMonths(today, ahead + 2), -1));
  const later = months.filter(one => one > days.at(-1)!);
  return ['', ...days, ...later].map(value => ({
    value,
    text: value === '' ? counter.endsNever : sayDay(tag, value),
  }));
}

const folded = ['least', 'most', 'ends', 'stock'] as const;

async function makeLink(world: World, visit: Visit): Promise<Answer> {
  const { form, texts, merchantId, user, now } = visit;
  const words = texts.counter;
  const read = readLinkForm(texts, form, now);
  if ('fault' in read) return newLinkPage(visit, read.fault);
  const title = readName(form.text('title'), mostTitle);
  if (title === null) return newLinkPage(visit, { field: 'title', text: words.tooLong });
  const linkId = randomId('paylink');
  const made = await makeChange(world, visit, async tx => {
    await lockLinks(tx, merchantId);
    if ((await countLinks(tx, merchantId)) >= mostLinks) return null;
    await insertLink(tx, {
      ...read.link,
      merchant_id: merchantId,
      link_id: linkId,
      token: newPayToken(merchantId),
      title,
      made_by: user.email,
      created_at: now,
    });
    return { action: 'payment_link.create', subject: linkId, details: title };
  });
  if (!made) return newLinkPage(visit, { field: 'title', text: words.tooManyLinks({ most: mostLinks }) });
  return redirect(`${home}/${linkId}`, words.linkMade);
}

type LinkPrice = Pick<PaymentLink, 'amount_paise' | 'least_paise' | 'most_paise' | 'ends_at' | 'stock'>;

const leastByDefault = paise(100);
const mostByDefault = paise(100_000_00);
/** Enough for every season's sale; a link without an end never expires. */
const longestAhead = 3650 * day;

function readLinkForm({ counter }: Texts, form: Form, now: Date): { link: LinkPrice } | { fault: LinkFault } {
  const fault = (field: LinkFault['field'], text: string) => ({ fault: { field, text } });
  const fixed = readAmount(form);
  if (form.text('amount') !== '' && fixed === null) return fault('amount', counter.wrongAmount);
  const limited = (['least', 'most'] as const).find(name => form.text(name) !== '');
  if (fixed !== null && limited) return fault(limited, counter.limitsWithPrice);
  const least = form.text('least') === '' ? leastByDefault : readAmount(form, 'least');
  const most = form.text('most') === '' ? mostByDefault : readAmount(form, 'most');
  if (fixed === null && least === null) return fault('least', counter.wrongAmount);
  if (fixed === null && (most === null || most < (least ?? 0))) return fault('most', counter.wrongLimits);
  const ends = readEnd(form.text('ends'), now);
  if (ends === undefined) return fault('ends', counter.wrongEnd);
  const stock = readStock(form.text('stock'));
  if (stock === undefined) return fault('stock', counter.stockHint({ most: mostStock }));
  return {
    link: {
      amount_paise: fixed,
      least_paise: fixed === null ? least : null,
      most_paise: fixed === null ? most : null,
      ends_at: ends,
      stock,
    },
  };
}

/** The end of that Indian day; undefined if it is no date, is over or is too far ahead. */
function readEnd(text: string, now: Date): Date | null | undefined {
  if (text === '') return null;
  const last = readDay(text);
  const end = last && startOfDay(addDays(last, 1));
  return end && end > now && end < later(now, longestAhead) ? end : undefined;
}

function readStock(text: string): number | null | undefined {
  if (text === '') return null;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= mostStock ? count : undefined;
}

type LinkFault = { field: 'title' | 'amount' | 'least' | 'most' | 'ends' | 'stock'; text: string };
