import { bankNames } from '../../alerts/banks/bank-support.ts';
import type { World } from '../../base/world.ts';
import { selectTwins } from '../../payments/matching/queries/twins.ts';
import { type Answer, get, notFound, page, type Visit } from '../frame/route.ts';
import { selectOneOrder } from '../orders/queries.ts';
import { moneyChanges } from './changes.ts';
import { creditPage, payerId } from './credit-page.ts';
import { creditSum } from './credit-words.ts';
import { decidePage, searchUnpaid } from './decide-page.ts';
import { heldMailRoutes } from './held-mail.ts';
import { moneyPath } from './money-head.ts';
import { handledList, missingChanges, moneyList, oversoldChanges, takingsList } from './money-list.ts';
import { selectCredit, selectLikelyOrders, selectOrdersAround } from './queries/money.ts';
import { refusedMails } from './refused-mails.ts';
import { switchRoutes } from './switches.ts';

export const moneyRoutes = [
  get(moneyPath, 'business.read', moneyList),
  get(`${moneyPath}/takings`, 'business.read', takingsList),
  get(`${moneyPath}/handled`, 'business.read', handledList),
  get(`${moneyPath}/refused`, 'business.read', refusedMails),
  ...heldMailRoutes,
  get(`${moneyPath}/:alert_id`, 'business.read', showCredit),
  get(`${moneyPath}/:alert_id/orders/:order_id`, 'business.read', showDecision),
  ...oversoldChanges,
  ...missingChanges,
  ...moneyChanges,
  ...switchRoutes,
];

async function showCredit(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const credit = await selectCredit(world.sql, merchantId, params['alert_id'] ?? '', now);
  if (!credit) return notFound();
  const [twins, likely, around, found] = await Promise.all([
    selectTwins(world.sql, merchantId, credit.alert_id),
    selectLikelyOrders(world.sql, merchantId, credit, now),
    selectOrdersAround(world.sql, merchantId, credit, now),
    searchUnpaid(world, visit),
  ]);
  const view = { credit, twins, likely, around, found, bankName: bankNames(world) };
  const body = creditPage(visit, { ...view, payerId: payerId(credit, world.banks.current()) });
  return page({ title: texts.money.payment({ sum: creditSum(credit) }), body });
}

async function showDecision(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params, now } = visit;
  const alertId = params['alert_id'] ?? '';
  const [twins, credit, order] = await Promise.all([
    selectTwins(world.sql, merchantId, alertId),
    selectCredit(world.sql, merchantId, alertId, now),
    selectOneOrder(world.sql, merchantId, params['order_id'] ?? '', now),
  ]);
  if (!credit || !order) return notFound();
  return page({
    title: texts.money.decideTitle({ order: order.order_id }),
    body: decidePage(visit, order, credit, twins),
  });
}
