import type { Html } from '../../http/html.ts';
import type { OrderStatus } from '../../orders/order.ts';
import { badge, type Tone } from '../components/badge.ts';
import type { Texts } from '../texts/texts.ts';
import { type BothLanguages, inLanguage } from './in-language.ts';

export const statusWords: BothLanguages<Record<OrderStatus, string>> = {
  en: { pending: 'Pending', paid: 'Paid', expired: 'Expired', failed: 'Failed', manual_review: 'In review' },
  hi: {
    pending: 'बाकी',
    paid: 'भुगतान हुआ',
    expired: 'समय समाप्त',
    failed: 'असफल',
    manual_review: 'जाँच में',
  },
};

const tones: Record<OrderStatus, Tone> = {
  pending: 'warn',
  paid: 'good',
  expired: 'quiet',
  failed: 'bad',
  manual_review: 'warn',
};

export function statusBadge(texts: Texts, status: OrderStatus): Html {
  return badge(inLanguage(texts, statusWords)[status], tones[status]);
}
