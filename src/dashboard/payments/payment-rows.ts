import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { counterPrefix } from '../../orders/links/pay-by-link.ts';
import type { OrderStatus } from '../../orders/schemas.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayClock } from '../../texts/say-time.ts';
import { addDays, indianDay } from '../frame/indian-days.ts';
import { dayText, moment, rupees } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { dayHeading, type Face, type ListRow, letterFace, money, rowList, state } from '../frame/rows.ts';
import { creditKind, moneyPath } from './credit-words.ts';
import { noFilter } from './order-filter.ts';
import { type CreditRow, selectCredits } from './queries/credits.ts';
import { selectEntries, sumDays } from './queries/entries.ts';
import { type Entry, type ListedOrder, selectListed } from './queries/orders.ts';

/** The latest payments and what is to decide, for Home. Null before the first one. */
export async function latestDays(world: World, visit: Visit, limit: number): Promise<Html | null> {
  const { merchantId, now } = visit;
  const of = async (view: 'paid' | 'decide') =>
    await selectEntries(world.sql, merchantId, { view, filter: noFilter, after: null, limit, now });
  const entries = [...(await of('paid')), ...(await of('decide'))];
  const latest = entries.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit);
  return latest.length === 0 ? null : await dayList(world, visit, latest, { isCounted: true });
}

/** The entries by day, each day with all that was received on it if they are `isCounted`. */
export async function dayList(
  world: World,
  visit: Visit,
  entries: readonly Entry[],
  { isCounted, wide = false }: { isCounted: boolean; wide?: boolean },
): Promise<Html> {
  const days = Map.groupBy(entries, ({ at }) => indianDay(at));
  const totals = isCounted ? await sumDays(world.sql, visit.merchantId, [...days.keys()], visit.now) : [];
  const lists = [...days].map(async ([day, ofDay]) => {
    // The sum of a single payment is in its row.
    const total = totals.find(one => one.day === day && one.count > 1);
    const sum = total && html`${visit.texts.payments.count(total)} · ${money(total.paise)}`;
    return html`${dayHeading(dayName(visit, day), sum)}${rowList(await rowsOf(world, visit, ofDay), { wide })}`;
  });
  return html`${await Promise.all(lists)}`;
}

export function dayName({ texts, now }: Visit, day: string): string {
  const { ranges } = texts.orders;
  const today = indianDay(now);
  const said = dayText(texts.tag, day, 'day');
  if (day === today) return ranges.today;
  if (day === addDays(today, -1)) return `${ranges.yesterday}, ${said}`;
  return day.slice(0, 4) === today.slice(0, 4) ? said : `${said} ${day.slice(0, 4)}`;
}

/** A search's rows have their whole time, because they are under no day. */
export async function rowsOf({ sql }: World, visit: Visit, entries: readonly Entry[]) {
  const idsOf = (isCredit: boolean) =>
    entries.filter(({ kind }) => (kind === 'credit') === isCredit).map(({ id }) => id);
  const [orders, credits] = await Promise.all([
    selectListed(sql, visit.merchantId, idsOf(false), visit.now),
    selectCredits(sql, visit.merchantId, idsOf(true)),
  ]);
  const isSearch = visit.query.text('q') !== '';
  return entries.flatMap(({ kind, id, at, paise }): ListRow[] => {
    const order = orders.find(one => one.order_id === id);
    const credit = credits.find(one => one.alert_id === id);
    const shown = (kind === 'order' && order?.paid_at) || at;
    const when = isSearch
      ? moment(shown)
      : html`<time datetime="${shown.toISOString()}">${sayClock(visit.texts.tag, shown)}</time>`;
    if (kind === 'credit') return credit ? [creditRow(visit, credit, when)] : [];
    if (!order) return [];
    const row = orderRow(visit, order, when);
    return [kind === 'refund' ? { ...row, ...givenBack(visit.texts), sum: money(paise ?? 0) } : row];
  });
}

type Standing = Pick<ListRow, 'face' | 'state'>;

function givenBack({ payments }: Texts): Standing {
  return { face: { icon: 'return', tone: 'still' }, state: state(payments.states.given, 'quiet') };
}

/** Money without an order, or that did not find its order. */
export function creditRow({ texts }: Visit, credit: CreditRow, when: ListRow['when']): ListRow {
  const { name, id } = payerParts(credit.payer);
  const who = name ?? id;
  const kind = creditKind(credit);
  return {
    href: `${moneyPath}/${credit.alert_id}${credit.state === 'attached' ? `/orders/${credit.for_order}` : ''}`,
    who: html`<bdi>${who ?? texts.money.unknownPayer}</bdi>`,
    what: texts.money.kinds[kind],
    when,
    extra: name !== null && id !== null && html`<bdi>${id}</bdi>`,
    sum: credit.amount_paise === null ? '–' : money(credit.amount_paise),
    ...standing(texts, kind, who),
  };
}

function standing(texts: Texts, kind: ReturnType<typeof creditKind>, who: string | null): Standing {
  const { states, views } = texts.payments;
  if (kind === 'given_back') return givenBack(texts);
  if (kind === 'kept') return { face: letterFace(who), state: state(texts.money.kinds.kept, 'quiet') };
  if (kind === 'orderless' || kind === 'accepted')
    return { face: letterFace(who), state: state(states.received, 'good') };
  const tone = kind === 'to_give_back' ? 'bad' : 'warn';
  return { face: { icon: 'ask', tone: 'ask' }, state: state(views.decide, tone) };
}

export const orderPath = (orderId: string) => `/dashboard/orders/${orderId}`;

/** An order in the list: the person and the purpose lead, ids are on its own page. */
export function orderRow(visit: Visit, order: ListedOrder, when: ListRow['when']): ListRow {
  const { texts } = visit;
  const { given_back_paise: back, payer } = order;
  const received = order.received_paise ?? order.payable_paise;
  const isReturned = back >= received;
  const person = personOf(order);
  const way = wayOf(texts, order);
  const what = order.purpose || (person === null ? null : way);
  const upiId = payerParts(payer).id;
  return {
    href: orderPath(order.order_id),
    face: isReturned ? { icon: 'return', tone: 'still' } : (faces[order.status] ?? letterFace(person ?? way)),
    who: html`<bdi>${person ?? way}</bdi>`,
    what: what !== null && html`<bdi>${what}</bdi>`,
    when,
    extra: upiId !== null && upiId !== person && html`<bdi>${upiId}</bdi>`,
    sum: isReturned ? html`<span class="was">${money(received)}</span>` : money(received),
    state: stateOf(visit, order),
  };
}

const faces: Partial<Record<OrderStatus, Face>> = {
  pending: { icon: 'clock', tone: 'ask' },
  manual_review: { icon: 'ask', tone: 'ask' },
  expired: { icon: 'clock', tone: 'still' },
  failed: { icon: 'cross', tone: 'still' },
};

/** An order's state in the words of a shop. A waiting one says how long it can still be paid. */
export function stateOf({ texts, now }: Visit, order: ListedOrder): Html {
  const { states, views } = texts.payments;
  const { status, given_back_paise: back } = order;
  if (status === 'paid' && back > 0)
    return state(
      back >= (order.received_paise ?? 0) ? states.given : states.partGiven({ sum: rupees(back) }),
      'quiet',
    );
  if (status === 'pending') {
    const seconds = Math.max(0, Math.ceil((order.expires_at.getTime() - now.getTime()) / 1000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return state(texts.payments.states.left({ time }), 'warn', { open: true });
  }
  return {
    paid: state(texts.shell.statuses.paid, 'good'),
    expired: state(texts.payments.states.unpaid, 'quiet'),
    failed: state(states.declined, 'quiet'),
    manual_review: state(views.decide, 'warn'),
  }[status];
}

/** The customer as the shop knows them, else the payer as the bank names them. */
export function personOf({ customer, payer }: ListedOrder): string | null {
  const { name, id } = payerParts(payer);
  return shownName(customer?.name) || name || customer?.email || id;
}

/** How the order was made. The counter's own ids say nothing to anybody. */
export function wayOf({ payments }: Texts, order: ListedOrder): string {
  if (order.is_link) return payments.ways.link;
  if (order.merchant_order_id.startsWith(counterPrefix)) return payments.ways.counter;
  return payments.ways.website({ id: order.merchant_order_id });
}

/** Some banks print "Asha Verma (asha@bank)", others only one of both. */
function payerParts(payer: string | null): { name: string | null; id: string | null } {
  const shown = shownName(payer);
  const opening = shown.lastIndexOf('(');
  const id = opening >= 0 && shown.endsWith(')') ? shown.slice(opening + 1, -1) : '';
  if (id.includes('@')) return { name: shown.slice(0, opening).trimEnd() || null, id };
  return shown.includes('@') ? { name: null, id: shown } : { name: shown || null, id: null };
}

export function shortTime({ texts, now }: Visit, at: Date, otherwise: 'date' | 'full' = 'date'): Html {
  return indianDay(at) === indianDay(now)
    ? html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${sayClock(texts.tag, at)}</time>`
    : moment(at, otherwise);
}
