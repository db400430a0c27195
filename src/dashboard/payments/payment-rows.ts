import { html } from '../../base/http/html.ts';
import type { Visit } from '../frame/route.ts';
import { type Face, type ListRow, letterFace, money, state } from '../frame/rows.ts';
import { creditKind, creditTone, isTaking, moneyPath } from '../money/credit-words.ts';
import type { CreditRow } from '../money/queries/money.ts';
import { orderRow, payerParts } from '../orders/order-row.ts';
import type { ListedOrder } from '../orders/queries.ts';

/** What a refund gave back, as a row of its own in the list of what was given back. */
export function refundRow(visit: Visit, order: ListedOrder, paise: number, when: ListRow['when']): ListRow {
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
