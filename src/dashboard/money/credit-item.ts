import { type Html, html } from '../../base/http/html.ts';
import { longestNote } from '../../payments/review/decide-by-hand.ts';
import { linkButton, postButton, unitsOfACodePoint } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';
import { creditBadge, creditSource, creditStory, creditSum, likelyOrder } from './credit-words.ts';
import { moneyPath } from './money-head.ts';
import type { CreditRow } from './queries/money.ts';

/** One payment in a list: amount and payer first, then `about` it, then the possible actions. */
export function moneyItem({ texts }: Visit, credit: CreditRow, about: Html | null, ways: Html | null): Html {
  return html`<li class="money-item" id="${credit.alert_id}">
<div class="money-about"><p class="money-line"><a class="money-sum" href="${moneyPath}/${credit.alert_id}">${creditSum(credit)}</a> ${creditBadge(texts, credit)}</p>
<p class="quiet">${creditSource(texts, credit)}</p>
${about}</div>
${ways && html`<div class="actions">${ways}</div>`}
</li>`;
}

export function creditItem(visit: Visit, credit: CreditRow): Html {
  const story = html`<p>${creditStory(visit.texts, credit)}</p>`;
  return moneyItem(visit, credit, story, visit.may('money.decide') ? waysOut(visit, credit) : null);
}

function waysOut({ texts }: Visit, credit: CreditRow): Html {
  const words = texts.money;
  const path = `${moneyPath}/${credit.alert_id}`;
  const plain = { plain: true };
  if (credit.state === 'attached') return linkButton(`${path}/orders/${credit.for_order}`, words.decide);
  const likely = likelyOrder(credit);
  const belongs =
    likely === null
      ? linkButton(`${path}#orders`, words.belongs, plain)
      : linkButton(`${path}/orders/${likely.order_id}`, words.belongsTo({ order: likely.order_id }), plain);
  const giveBack = linkButton(`${path}#give-back`, words.givenBack, plain);
  return html`${credit.state === 'open' && belongs}${giveBack}${postButton(`${path}/keep`, words.keep)}`;
}

/** An optional note, folded until somebody opens it. `id` keeps two forms on one page apart. */
export function noteField({ texts }: Visit, id: string): Html {
  const { note, addNote } = texts.money;
  return html`<details class="add-note" id="${id}-more"><summary>${addNote}</summary><div class="field">
<label for="${id}">${note}</label>
<textarea id="${id}" name="note" rows="2" maxlength="${longestNote * unitsOfACodePoint}"></textarea>
</div></details>`;
}
