import type { Sql } from '../../src/base/database/connect.ts';
import type { Credit } from '../../src/payments/matching/credit.ts';
import { type Decision, decideCredit } from '../../src/payments/matching/decide-credit.ts';
import { lockReference } from '../../src/payments/matching/queries/typed-references.ts';
import { instead } from './model/dying-connection.ts';
import type { TestWorld } from './test-world.ts';

/** A database in which something happens after the look and before the function that pays. */
export function betweenLookAndPay(sql: Sql, happens: () => Promise<unknown>): Sql {
  const onPool = (...args: Parameters<Sql>) =>
    instead(sql(...args), async (go, query) => {
      if (query.template.strings.join('').includes('pay_at_once')) await happens();
      return await go();
    });
  return Object.assign(onPool as Sql, sql);
}

const undo = new Error('only asked');

/** The table's answer for a credit at this moment. It is rolled back. */
export async function tableSays(world: TestWorld, credit: Credit): Promise<Decision> {
  let decision: Decision | undefined;
  const asked = world.sql.begin(async tx => {
    if (credit.reference !== null) await lockReference(tx, credit.merchantId, credit.reference);
    decision = await decideCredit(tx, credit, world.clock.now(), id => id);
    throw undo;
  });
  await asked.catch(error => {
    if (error !== undo) throw error;
  });
  return decision!;
}

/** Everything that a payment writes, for a business: to see that nothing of it is there, or all. */
export async function paidTraces({ sql }: TestWorld, merchantId: number, { alertId }: Credit) {
  const [row] = await sql`
    select (select verdict from alerts where merchant_id = ${merchantId} and alert_id = ${alertId}) as verdict,
      (select count(*)::int from orders where merchant_id = ${merchantId} and alert_id = ${alertId}) as orders,
      (select count(*)::int from counted_signatures where merchant_id = ${merchantId} and alert_id = ${alertId}) as signatures,
      (select count(*)::int from counted_references where merchant_id = ${merchantId} and alert_id = ${alertId}) as "references",
      (select count(*)::int from events where merchant_id = ${merchantId} and type = 'payment.paid') as events,
      (select count(*)::int from event_bodies where merchant_id = ${merchantId}) as bodies,
      (select count(*)::int from delivery_queue where merchant_id = ${merchantId}) as deliveries,
      (select coalesce(sum(collected_paise), 0)::bigint from collections where merchant_id = ${merchantId}) as collected`;
  return row!;
}
