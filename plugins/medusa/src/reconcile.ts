import { Milaan, type Order } from '@milaan/sdk';
import type { Logger } from './medusa.ts';
import { sessionIn } from './session-in.ts';

/** The part of Medusa's container that this scheduled job uses. */
type Container = { resolve(name: string): unknown };
type Session = { id: string; provider_id: string; data: Record<string, unknown> | null };
type Query = {
  graph(asked: {
    entity: 'payment_session';
    fields: string[];
    filters: Record<string, unknown>;
    pagination?: { take: number; order: Record<string, 'ASC' | 'DESC'> };
  }): Promise<{ data: Session[] }>;
};
type Workflows = { run(id: string, options: { input: unknown }): Promise<unknown> };

const day = 24 * 60 * 60 * 1000;
/** A person in Milaan may give money to an order for days. Older sessions are no longer asked about. */
const oldestSession = 7 * day;
const sessionsAtOnce = 200;

/**
 * A job for Medusa. It pays sessions whose webhook was lost, and reports paid links whose session is gone. Medusa
 * answers a webhook before it processes it, so a failed one is not sent again; this job finds it.
 */
export function reconcile(options: { baseUrl: string; apiKey: string }) {
  const milaan = new Milaan(options);
  return async (container: Container): Promise<void> => {
    const logger = container.resolve('logger') as Logger;
    const query = container.resolve('query') as Query;
    const workflows = container.resolve('workflows') as Workflows;
    for (const session of await openSessions(query)) {
      try {
        const order = await milaan.getOrder(String(session.data?.['order_id']));
        if (order.status !== 'paid' || sessionIn(order.merchant_order_id) !== session.id) continue;
        await workflows.run('process-payment-workflow', {
          input: { action: 'captured', data: { session_id: session.id, amount: order.amount } },
        });
        logger.info(`Milaan: ${order.order_id} was paid; its session ${session.id} is settled now`);
      } catch (error) {
        logger.warn(`Milaan: session ${session.id} could not be settled: ${(error as Error).message}`);
      }
    }
    const { data: paid } = await milaan.listOrders({ status: 'paid', limit: 100 });
    for (const order of await withoutSession(query, paid)) {
      logger.warn(
        `Milaan: ₹${order.payable_amount} was paid as ${order.order_id} for ${order.merchant_order_id}, a session that the cart has given up: settle it by hand or give it back`,
      );
    }
  };
}

async function openSessions(query: Query): Promise<Session[]> {
  const { data } = await query.graph({
    entity: 'payment_session',
    fields: ['id', 'provider_id', 'data'],
    filters: {
      status: ['pending', 'requires_more'],
      created_at: { $gt: new Date(Date.now() - oldestSession) },
    },
    pagination: { take: sessionsAtOnce, order: { created_at: 'DESC' } },
  });
  return data.filter(
    ({ provider_id, data }) => provider_id.startsWith('pp_milaan') && data?.['order_id'] !== undefined,
  );
}

async function withoutSession(query: Query, paid: Order[]): Promise<Order[]> {
  const ours = paid.filter(order => sessionIn(order.merchant_order_id) !== null);
  if (ours.length === 0) return [];
  const ids = ours.map(order => sessionIn(order.merchant_order_id));
  const { data } = await query.graph({ entity: 'payment_session', fields: ['id'], filters: { id: ids } });
  const known = new Set(data.map(({ id }) => id));
  return ours.filter(order => !known.has(String(sessionIn(order.merchant_order_id))));
}
