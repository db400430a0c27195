import { setStatus, type TestOrder } from '../../support/checkout-site.ts';
import { world } from '../../support/hosted-page-stage.ts';

/** Money came for the order, which has this status now. */
export async function received(order: TestOrder, status: string, paise: number): Promise<void> {
  await world.sql`update orders set received_paise = ${paise} where order_id = ${order.orderId}`;
  await setStatus(world, order, status);
}

/** The references that its customer gave. */
export async function claimed(order: TestOrder): Promise<string[]> {
  const rows =
    await world.sql`select bank_reference from claimed_references where order_id = ${order.orderId}`;
  return rows.map(row => row['bank_reference']);
}
