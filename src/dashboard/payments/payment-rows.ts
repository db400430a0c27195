import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { sayClock } from '../../texts/say-time.ts';
import { addDays, indianDay } from '../frame/indian-days.ts';
import { dayText, moment } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { dayHeading, type Face, type ListRow, letterFace, money, rowList, state } from '../frame/rows.ts';
import { creditKind, creditTone, isTaking, moneyPath } from '../money/credit-words.ts';
import type { CreditRow } from '../money/queries/money.ts';
import { orderRow, payerParts } from '../orders/order-row.ts';
import { type ListedOrder, selectListed } from '../orders/queries.ts';
import { noFilter } from '../orders/read-order-filter.ts';
import { type Entry, selectCredits, selectEntries, sumDays } from './queries.ts';

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
    const total = totals.find(one => one.day === day);
    const sum = total && total.count > 0 && html`${visit.texts.home.orders(total)} · ${money(total.paise)}`;
    return html`${dayHeading(dayName(visit, day), sum)}${rowList(await rowsOf(world, visit, ofDay), { wide })}`;
  });
  return html`${await Promise.all(lists)}`;
}

function dayName({ texts, now }: Visit, day: string): string {
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
    return [kind === 'refund' ? refundRow(visit, order, paise ?? 0, when) : orderRow(visit, order, when)];
  });
}

/** A refund has a row of its own under the tab "Given back". */
function refundRow(visit: Visit, order: ListedOrder, paise: number, when: ListRow['when']): ListRow {
  const { given } = visit.texts.payments.states;
  const still = { face: { icon: 'return', tone: 'still' }, state: state(given, 'quiet') } as const;
  return { ...orderRow(visit, order, when), ...still, sum: money(paise) };
}

/** Money without an order, or that did not find its order. */
export function creditRow({ texts }: Visit, credit: CreditRow, when: ListRow['when']): ListRow {
  const { states } = texts.payments;
  const { name, id } = payerParts(credit.payer);
  const who = name ?? id;
  const kind = creditKind(credit);
  const [face, word]: [Face, ListRow['state']] =
    kind === 'given_back'
      ? [{ icon: 'return', tone: 'still' }, state(states.given, 'quiet')]
      : kind === 'kept'
        ? [letterFace(who), state(states.kept, 'quiet')]
        : isTaking(credit)
          ? [letterFace(who), state(states.received, 'good')]
          : [
              { icon: 'ask', tone: 'ask' },
              state(states.decide, creditTone(credit) === 'bad' ? 'bad' : 'warn'),
            ];
  return {
    href: `${moneyPath}/${credit.alert_id}${credit.state === 'attached' ? `/orders/${credit.for_order}` : ''}`,
    face,
    who: html`<bdi>${who ?? texts.money.unknownPayer}</bdi>`,
    what: texts.money.kinds[kind],
    when,
    extra: name !== null && id !== null && html`<bdi>${id}</bdi>`,
    sum: credit.amount_paise === null ? '–' : money(credit.amount_paise),
    state: word,
  };
}
