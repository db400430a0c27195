import type { Html } from '../../http/html.ts';
import type { OrderStatus } from '../../orders/order.ts';
import type { Texts } from '../../texts/languages.ts';
import { badge, type Tone } from '../components/parts.ts';

const tones: Record<OrderStatus, Tone> = {
  pending: 'warn',
  paid: 'good',
  expired: 'quiet',
  failed: 'bad',
  manual_review: 'warn',
};

export function statusBadge(texts: Texts, status: OrderStatus): Html {
  return badge(texts.shell.statuses[status], tones[status]);
}
