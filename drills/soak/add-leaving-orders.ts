import { day, later, minute } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { hiddenDays } from '../../src/base/retention.ts';
import { leastHistoryDays } from '../../src/business/merchants/plans.ts';
import { createOrder } from '../../src/orders/create-order.ts';
import type { Stage } from '../faults/stage.ts';

const aMinute = 20;

/** One business has had the shortest history for long: orders of three weeks ago leave it in every minute of the drill. */
export async function addLeavingOrders({ world, merchants }: Stage, minutes: number): Promise<number> {
  const { merchantId, webhookUrl } = merchants.at(-1)!;
  const { sql } = world;
  const days = leastHistoryDays;
  await sql`insert into plans (plan, history_days) values ('soak', ${days})`;
  await sql`update merchants set plan = 'soak' where merchant_id = ${merchantId}`;
  await sql`
    insert into history_progress (merchant_id, window_days, kept_days) values (${merchantId}, ${days}, ${days})
    on conflict (merchant_id) do update set window_days = ${days}, kept_days = ${days}, shrank_at = null`;
  const first = later(world.clock.now(), -(days + hiddenDays) * day - minute);
  const count = Math.ceil(minutes * aMinute);
  for (let number = 0; number < count; number++) {
    const clock = { now: () => later(first, (number * minute) / aMinute) };
    await createOrder(
      sql,
      { ...world, clock },
      { merchantId, signedIn: true },
      {
        amount: paise((1_000 + number) * 100),
        merchantOrderId: `leaving-${number}`,
        successUrl: 'https://shop.example.com/thanks',
        failureUrl: 'https://shop.example.com/sorry',
        webhookUrl,
        customer: null,
        account: null,
      },
    );
  }
  return count;
}
