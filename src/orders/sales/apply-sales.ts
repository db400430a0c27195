import { later, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { recordAudit } from '../../business/accounts/record-audit.ts';
import { wouldLimitSeller } from '../../business/merchants/plans.ts';
import { lockMerchant, refuseMoved, setPlan } from '../../business/merchants/queries.ts';
import { because } from '../../texts/verdicts.ts';
import { orderChannel } from '../order-news.ts';
import { computePeriod } from './compute-period.ts';
import { keepPeriods } from './keep-periods.ts';
import {
  countChanges,
  hasPeriod,
  insertPeriod,
  markApplied,
  markPeriod,
  movePeriod,
  numberSale,
  type PaidSale,
  type Receipt,
  selectPaidSales,
  selectParty,
  selectPeriods,
  takePeriod,
} from './queries.ts';

const pause = 30 * second;
/** A busy installation pays many orders a second, and hardly any of them is for a plan. */
const breath = 250;
/** The pause between two checks of plan periods, which change days apart. */
const checksApart = 1 * minute;

/** Gives plans to buyers who paid, and begins and ends their periods. Any number of processes may run it. */
export function startSelling(world: World): Pick<Worker, 'stop'> {
  let nextCheck = new Date(0);
  const rhythm = { what: 'giving plans that were paid for', pause, channel: orderChannel, breath };
  return keepWorking(world, rhythm, async () => {
    await applySales(world);
    const now = world.clock.now();
    // The sandbox's clock may go back.
    const wait = nextCheck.getTime() - now.getTime();
    if (wait > 0 && wait <= checksApart) return;
    await keepPeriods(world);
    nextCheck = later(now, checksApart);
  });
}

/**
 * The paid order is the only marker, so a crash only delays the plan. The seller's part, the buyer's part and the end
 * are three transactions that can be repeated, because the two may live in different databases.
 */
export async function applySales({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>, mostAtOnce = 50) {
  let applied = 0;
  // A sale that cannot be applied must not block the others.
  const waiting = new Set<number>();
  let sales: PaidSale[];
  do {
    sales = await selectPaidSales(sql, mostAtOnce, { without: waiting });
    for (const sale of sales) {
      // Apply a buyer's sales in the order of payment, because each one carries the unused days of those before it.
      if (waiting.has(sale.buyer_id)) continue;
      try {
        const receipt = await sql.begin(tx => writeReceipt(tx, sale));
        if (await sql.begin(tx => givePeriod(tx, sale, receipt, clock.now()))) {
          await markApplied(sql, sale, clock.now());
          applied++;
        } else waiting.add(sale.buyer_id);
      } catch (error) {
        waiting.add(sale.buyer_id);
        log.error(
          { err: error, order: sale.order_id },
          'a plan that was paid for was not given; it will be tried again',
        );
      }
    }
  } while (sales.length === mostAtOnce);
  return applied;
}

async function writeReceipt(tx: Transaction, sale: PaidSale): Promise<Receipt> {
  await lockMerchant(tx, sale.merchant_id);
  const { receipt_number, seller } = await numberSale(tx, sale, (await selectParty(tx, sale.merchant_id))!);
  return {
    number: receipt_number,
    seller,
    buyer: sale.buyer,
    received_paise: sale.received_paise,
    paid_at: sale.paid_at.toISOString(),
    bank_reference: sale.bank_reference,
  };
}

/** Returns false if the buyer is gone. A suspended buyer gets the plan and stays suspended. */
async function givePeriod(tx: Transaction, sale: PaidSale, receipt: Receipt, now: Date): Promise<boolean> {
  const { buyer_id: buyerId, order_id, plan, title, price_paise, days } = sale;
  await lockMerchant(tx, buyerId);
  await refuseMoved(tx, buyerId);
  if (await hasPeriod(tx, buyerId, order_id)) return true;
  if (!(await selectParty(tx, buyerId))) return false;
  const periods = await selectPeriods(tx, buyerId);
  // Days are carried once. The days that were shown are promised unless another purchase has used them since.
  const isAsShown = (await countChanges(tx, buyerId)) === sale.after_changes;
  const promised = isAsShown ? sale.carried_days : 0;
  const { startsAt, endsAt, carried, takes, delayed } = computePeriod(
    periods,
    { price_paise, days },
    now,
    promised,
  );
  const begins = startsAt <= now;
  for (const period of takes) await takePeriod(tx, buyerId, period.order_id, order_id, now);
  for (const period of delayed)
    await movePeriod(tx, buyerId, period.order_id, endsAt.getTime() - startsAt.getTime());
  if (begins) {
    for (const period of periods) await markPeriod(tx, buyerId, { ...period, is_over: true });
    // A business that sells plans by now had an order open, and one that is at its limit must be able to buy.
    if (!(await wouldLimitSeller(tx, buyerId, plan))) await setPlan(tx, buyerId, plan);
  }
  await insertPeriod(tx, {
    ...{ merchant_id: buyerId, order_id, plan, title, price_paise, days, carried_days: carried },
    ...{ starts_at: startsAt, ends_at: endsAt, begun_at: begins ? now : null, receipt, created_at: now },
  });
  await recordAudit(
    tx,
    { merchantId: buyerId, actor: 'milaan', address: '', now },
    {
      action: 'plan.bought',
      subject: order_id,
      details: { plan: title.en, days: String(days + carried) },
      notice: because('plan_bought', { plan: title.en, from: startsAt, until: endsAt }),
    },
  );
  return true;
}
