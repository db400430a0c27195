import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import { plainLink, postButton } from '../frame/controls.ts';
import { card, emptyState, note, pagination, rupees } from '../frame/parts.ts';
import { type Answer, page, type Visit } from '../frame/route.ts';
import { creditItem } from './credit-item.ts';
import { creditSum } from './credit-words.ts';
import { missingCard, mostMissing } from './missing-card.ts';
import { moneyHead, moneyPath, readPosition, writePosition } from './money-head.ts';
import { oversoldCard } from './oversold-card.ts';
import { selectMissing } from './queries/missing.ts';
import {
  type CreditRow,
  selectCredit,
  selectMoneyToDo,
  selectTakings,
  sumMoneyToDo,
} from './queries/money.ts';
import { selectOversold } from './queries/oversold.ts';
import { holdOffer } from './switches.ts';

const perPage = 20;

/** Money that came in and that nobody has brought to an end. */
export async function moneyList(world: World, visit: Visit): Promise<Answer> {
  const { sql } = world;
  const { texts, merchantId, now, query } = visit;
  const words = texts.money;
  const after = readPosition(query.text('after'));
  const [missing, oversold, rows, toDo, holds, done, takings] = await Promise.all([
    after === null ? selectMissing(sql, merchantId, { now, limit: mostMissing }) : [],
    after === null ? selectOversold(sql, merchantId) : [],
    selectMoneyToDo(sql, merchantId, { after, limit: perPage + 1, now }),
    sumMoneyToDo(sql, merchantId, now),
    holdsNearMisses(sql, merchantId),
    selectCredit(sql, merchantId, query.text('done'), now),
    selectTakings(sql, merchantId, { after: null, limit: 1, now }),
  ]);
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const links = {
    newer: after === null ? null : moneyPath,
    older:
      rows.length > perPage && last
        ? `${moneyPath}?after=${writePosition({ arrivedAt: last.arrived_at, alertId: last.alert_id })}`
        : null,
  };
  const firstSlip = holds ? undefined : shown.find(hasSlip);
  const body = html`${moneyHead(visit, 'toDo', words.text, takings.length > 0)}
${done && doneNote(visit, done)}
${missingCard(world, visit, missing)}
${oversold.map(one => oversoldCard(visit, one))}
${
  shown.length === 0 && links.newer === null && oversold.length > 0
    ? null
    : shown.length === 0 && links.newer === null
      ? card(
          emptyState(words.emptyTitle, words.emptyText, plainLink(`${moneyPath}/handled`, words.seeHandled)),
        )
      : card(html`<p class="quiet">${words.waiting(toDo.count, rupees(toDo.paise))}</p>
<ul class="money">${shown.map(credit => html`${creditItem(visit, credit)}${credit === firstSlip && html`<li>${holdOffer(visit, moneyPath)}</li>`}`)}</ul>`)
}
${pagination(texts, links)}`;
  return page({ title: texts.shell.navigation.money, body });
}

function hasSlip({ state, near_misses }: CreditRow): boolean {
  return state === 'open' && near_misses.some(near => near.slip);
}

/** What has just left the list, with the way back: a slip of the thumb must not cost a search. */
function doneNote(visit: Visit, credit: CreditRow): Html | null {
  const { done, undo } = visit.texts.money;
  const { state } = credit;
  if (state !== 'kept' && state !== 'given_back') return null;
  return note(
    html`<div class="attention"><p>${done[state](creditSum(credit))}</p>${visit.may('money.decide') && html`<div class="note-link">${postButton(`${moneyPath}/${credit.alert_id}/reopen`, undo)}</div>`}</div>`,
    'good',
  );
}
