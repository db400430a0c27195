import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { OrderStatus } from '../../orders/order.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayClock, sayTime } from '../../texts/say-time.ts';
import { moment, rupees, type Tone } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { type Face, type ListRow, letterFace, money, state } from '../frame/rows.ts';
import type { ListedOrder } from './queries.ts';

/** An order in the list: the person and the purpose lead, ids are on its own page. */
export function orderRow(visit: Visit, order: ListedOrder, when: ListRow['when']): ListRow {
  const { texts } = visit;
  const { given_back_paise: back, payer } = order;
  const received = order.received_paise ?? order.payable_paise;
  const isReturned = back >= received;
  const person = personOf(order);
  const way = wayOf(texts, order);
  const what = order.purpose || (person === null ? null : way);
  const shown = stateOf(visit, order);
  const upiId = payerParts(payer).id;
  return {
    href: `/dashboard/orders/${order.order_id}`,
    face: isReturned ? { icon: 'return', tone: 'still' } : (faces[order.status] ?? letterFace(person ?? way)),
    who: html`<bdi>${person ?? way}</bdi>`,
    what: what !== null && html`<bdi>${what}</bdi>`,
    when,
    extra: upiId !== null && upiId !== person && html`<bdi>${upiId}</bdi>`,
    sum: isReturned ? html`<span class="was">${money(received)}</span>` : money(received),
    state: state(shown.text, shown.tone, { open: shown.open ?? false }),
  };
}

const faces: Partial<Record<OrderStatus, Face>> = {
  pending: { icon: 'clock', tone: 'ask' },
  manual_review: { icon: 'ask', tone: 'ask' },
  expired: { icon: 'clock', tone: 'still' },
  failed: { icon: 'cross', tone: 'still' },
};

type Shown = { text: string; tone: Tone; open?: boolean };

/** An order's state in the words of a shop. A waiting one says how long it can still be paid. */
export function stateOf({ texts, now }: Pick<Visit, 'texts' | 'now'>, order: ListedOrder): Shown {
  const { states } = texts.payments;
  const { status, given_back_paise: back } = order;
  if (status === 'paid' && back > 0)
    return back >= (order.received_paise ?? 0)
      ? { text: states.given, tone: 'quiet' }
      : { text: states.partGiven({ sum: rupees(back) }), tone: 'quiet' };
  if (status === 'pending') {
    const seconds = Math.max(0, Math.ceil((order.expires_at.getTime() - now.getTime()) / 1000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return { text: states.left({ time }), tone: 'warn', open: true };
  }
  return {
    paid: { text: states.paid, tone: 'good' as const },
    expired: { text: states.unpaid, tone: 'quiet' as const },
    failed: { text: states.declined, tone: 'quiet' as const },
    manual_review: { text: states.decide, tone: 'warn' as const },
  }[status];
}

/** The customer as the shop knows them, else the payer as the bank names them. */
export function personOf({ customer, payer }: Pick<ListedOrder, 'customer' | 'payer'>): string | null {
  const { name, id } = payerParts(payer);
  return shownName(customer?.name) || name || customer?.email || id;
}

/** How the order was made. The counter's own ids say nothing to anybody. */
export function wayOf(
  { payments }: Texts,
  order: Pick<ListedOrder, 'merchant_order_id' | 'is_link'>,
): string {
  if (order.is_link) return payments.ways.link;
  if (order.merchant_order_id.startsWith('till-')) return payments.ways.counter;
  return payments.ways.website({ id: order.merchant_order_id });
}

/** Some banks print "Asha Verma (asha@bank)", others only one of both. */
export function payerParts(payer: string | null): { name: string | null; id: string | null } {
  const shown = shownName(payer);
  const opening = shown.lastIndexOf('(');
  const id = opening >= 0 && shown.endsWith(')') ? shown.slice(opening + 1, -1) : '';
  if (id.includes('@')) return { name: shown.slice(0, opening).trimEnd() || null, id };
  return shown.includes('@') ? { name: null, id: shown } : { name: shown || null, id: null };
}

/** For a row's second line: today's time, or the day. */
export function shortTime({ texts, now }: Pick<Visit, 'texts' | 'now'>, at: Date): Html {
  const isToday = sayTime('en', at, 'date') === sayTime('en', now, 'date');
  return isToday
    ? html`<time datetime="${at.toISOString()}">${sayClock(texts.tag, at)}</time>`
    : moment(at, 'date');
}
