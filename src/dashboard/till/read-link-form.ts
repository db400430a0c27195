import { day, later } from '../../base/clock.ts';
import type { Form } from '../../base/http/form.ts';
import { paise } from '../../base/money.ts';
import { mostStock, type PaymentLink } from '../../orders/links/queries.ts';
import type { Texts } from '../../texts/languages.ts';
import { readAmount } from './make-from-form.ts';

type LinkTerms = Pick<PaymentLink, 'amount_paise' | 'least_paise' | 'most_paise' | 'ends_at' | 'stock'>;

const leastByDefault = paise(100);
const mostByDefault = paise(100_000_00);
/** Long enough for every season's sale; a link for ever has no end at all. */
const longestAhead = 3650 * day;
const indianDayAhead = '+05:30';

/** A fixed amount, or limits for one that the customer chooses; an end and a stock where they were given. */
export function readLinkForm(
  { till }: Texts,
  form: Form,
  now: Date,
): { link: LinkTerms } | { fault: LinkFault } {
  const fixed = readAmount(form);
  if (form.text('amount') !== '' && fixed === null)
    return { fault: { field: 'amount', text: till.wrongAmount } };
  const least = form.text('least') === '' ? leastByDefault : readAmount(form, 'least');
  const most = form.text('most') === '' ? mostByDefault : readAmount(form, 'most');
  if (fixed === null && least === null) return { fault: { field: 'least', text: till.wrongAmount } };
  if (fixed === null && (most === null || most < (least ?? 0)))
    return { fault: { field: 'most', text: till.wrongLimits } };
  const ends = readEnd(form.text('ends'), now);
  if (ends === undefined) return { fault: { field: 'ends', text: till.wrongEnd } };
  const stock = readStock(form.text('stock'));
  if (stock === undefined) return { fault: { field: 'stock', text: till.stockHint(mostStock) } };
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

/** The end of that Indian day; undefined for a day that is none, is over, or is too far. */
function readEnd(text: string, now: Date): Date | null | undefined {
  if (text === '') return null;
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return undefined;
  const end = later(new Date(`${text}T00:00:00${indianDayAhead}`), 1 * day);
  const isGood = !Number.isNaN(end.getTime()) && end > now && end < later(now, longestAhead);
  return isGood ? end : undefined;
}

function readStock(text: string): number | null | undefined {
  if (text === '') return null;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= mostStock ? count : undefined;
}

export type LinkFault = { field: 'title' | 'amount' | 'least' | 'most' | 'ends' | 'stock'; text: string };
