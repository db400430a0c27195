import { bankNames } from '../../alerts/banks/bank-support.ts';
import type { World } from '../../base/world.ts';
import type { Order } from '../../orders/order.ts';
import { selectTwins } from '../../payments/matching/queries/twins.ts';
import { type Answer, get, notFound, page, type Visit } from '../frame/route.ts';
import { selectListed, selectOneOrder } from '../orders/queries.ts';
import { moneyChanges } from './changes.ts';
import { creditPage } from './credit-page.ts';
import { creditSum, moneyPath } from './credit-words.ts';
import { searchUnpaid } from './decide-page.ts';
import { certainPayer, giveBackPage } from './give-back-page.ts';
import { heldMailRoutes } from './held-mail.ts';
import { selectCredit, selectLikelyOrders, selectMoneyToDo, selectOrdersAround } from './queries/money.ts';
import { switchRoutes } from './switches.ts';
import { missingChanges, oversoldChanges } from './to-do-cards.ts';

export const moneyRoutes = [
  ...heldMailRoutes,
  get(`${moneyPath}/:alert_id`, 'business.read', showCredit),
  get(`${moneyPath}/:alert_id/orders/:order_id`, 'business.read', showCredit),
  get(`${moneyPath}/:alert_id/give-back`, 'money.decide', showGiveBack),
  ...oversoldChanges,
  ...missingChanges,
  ...moneyChanges,
  ...switchRoutes,
];

/** So many others that wait are named next to a decision. */
const mostOthers = 5;

/** With an order in the address, the decision is about that one; else about the likeliest. */
async function showCredit(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const credit = await selectCredit(world.sql, merchantId, params['alert_id'] ?? '', now);
  const asked = params['order_id'];
  const order = asked === undefined ? null : await selectOneOrder(world.sql, merchantId, asked, now);
  if (!credit || (asked !== undefined && !order)) return notFound();
  const [twins, likely, around, found, toDo] = await Promise.all([
    selectTwins(world.sql, merchantId, credit.alert_id),
    selectLikelyOrders(world.sql, merchantId, credit, now),
    selectOrdersAround(world.sql, merchantId, credit, now),
    searchUnpaid(world, visit),
    selectMoneyToDo(world.sql, merchantId, { after: null, limit: mostOthers + 1, now }),
  ]);
  const all = [...(order ? [order] : []), ...likely, ...around, ...(found ?? [])].map(
    order => order.order_id,
  );
  const listed = await selectListed(world.sql, merchantId, all, now);
  const inList = (orders: readonly Order[]) =>
    orders.flatMap(({ order_id }) => listed.find(one => one.order_id === order_id) ?? []);
  const others = toDo.filter(one => one.alert_id !== credit.alert_id).slice(0, mostOthers);
  const body = creditPage(visit, {
    credit,
    twins,
    asked: listed.find(one => one.order_id === asked) ?? null,
    likely: inList(likely),
    around: inList(around),
    found: found && inList(found),
    others,
    bankName: bankNames(world),
  });
  return page({ title: texts.money.payment({ sum: creditSum(credit) }), body });
}

async function showGiveBack(world: World, visit: Visit): Promise<Answer> {
  const credit = await selectCredit(world.sql, visit.merchantId, visit.params['alert_id'] ?? '', visit.now);
  if (!credit || (credit.state !== 'open' && credit.state !== 'to_give_back')) return notFound();
  return giveBackPage(visit, credit, certainPayer(credit, world.banks.current()));
}
