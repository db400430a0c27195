import { type Html, html } from '../../../http/html.ts';
import { linkButton } from '../../components/button.ts';
import { postButton } from '../../components/form.ts';
import { moment } from '../../components/moment.ts';
import type { CreditRow } from '../../queries/money.ts';
import type { Visit } from '../../route.ts';
import { creditBadge, creditStory, creditSum, likelyOrder } from './credit-words.ts';
import { moneyPath } from './money-head.ts';

/** One payment of the list: who and how much first, then what is known of it, then the ways in which it can end. */
export function creditItem(visit: Visit, credit: CreditRow): Html {
  const { texts } = visit;
  const words = texts.money;
  const path = `${moneyPath}/${credit.alert_id}`;
  return html`<li class="money-item" id="${credit.alert_id}">
<div class="money-line"><a class="money-sum" href="${path}">${creditSum(credit)}</a>${creditBadge(texts, credit)}</div>
<p class="quiet">${credit.payer === null ? words.unknownPayer : html`<bdi>${credit.payer}</bdi>`} · ${moment(credit.alert_time ?? credit.arrived_at)}</p>
<p>${creditStory(texts, credit).join(' ')}</p>
${visit.may('money.decide') && html`<div class="actions">${waysOut(visit, credit, path)}</div>`}
</li>`;
}

function waysOut({ texts }: Visit, credit: CreditRow, path: string): Html {
  const words = texts.money;
  const plain = { plain: true };
  if (credit.state === 'attached') return linkButton(`${path}/orders/${credit.for_order}`, words.decide);
  const likely = credit.state === 'open' ? likelyOrder(credit) : null;
  const belongs =
    credit.state === 'to_give_back'
      ? null
      : likely === null
        ? linkButton(`${path}#orders`, words.belongs, plain)
        : linkButton(`${path}/orders/${likely.order_id}`, words.belongsTo(likely.order_id), plain);
  return html`${belongs}${linkButton(`${path}#give-back`, words.givenBack, plain)}${postButton(`${path}/keep`, words.keep)}`;
}
