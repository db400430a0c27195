import { bankNames } from '../../alerts/banks/bank-names.ts';
import type { World } from '../../base/world.ts';
import { selectMoneyDeeds } from '../../business/accounts/queries/audit.ts';
import { selectPurpose } from '../../orders/links/queries.ts';
import { listDeliveries } from '../../outbox/webhooks/list-deliveries.ts';
import { selectMark } from '../../payments/statements/queries/marks.ts';
import { type Answer, get, notFound, page, type Visit } from '../frame/route.ts';
import { selectClaims, selectMoneyOfOrder } from '../money/queries/money.ts';
import { selectAlertsOfOrder, selectOneOrder } from '../orders/queries.ts';
import { orderPage, orderPath } from './order-page.ts';

export const oneOrderRoutes = [get('/dashboard/orders/:order_id', 'business.read', showOrder)];

async function showOrder(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, params, now } = visit;
  const orderId = params['order_id'] ?? '';
  const order = await selectOneOrder(world.sql, merchantId, orderId, now);
  if (!order) return notFound();
  const [alerts, money, claims, purpose, mark, { deliveries }] = await Promise.all([
    selectAlertsOfOrder(world.sql, merchantId, orderId),
    selectMoneyOfOrder(world.sql, merchantId, order, now),
    selectClaims(world.sql, merchantId, orderId),
    selectPurpose(world.sql, merchantId, orderId),
    selectMark(world.sql, merchantId, orderId),
    listDeliveries(world, merchantId, { orderId }),
  ]);
  const deeds = await selectMoneyDeeds(
    world.sql,
    merchantId,
    money.map(credit => credit.alert_id),
  );
  const bankName = bankNames(world);
  const { baseUrl } = world;
  const isPart = visit.query.text('part') === 'live';
  // Whichever of the two was asked for, its forms lead back to the page.
  const seenFrom = { ...visit, url: isPart ? orderPath(orderId) : visit.url };
  const view = { order, alerts, money, claims, deeds, deliveries, purpose, mark, baseUrl, bankName };
  const body = orderPage(seenFrom, view);
  // Without the frame around it, which would take a message that another page is to show.
  return isPart ? { kind: 'fragment', body } : page({ title: order.order_id, body });
}
