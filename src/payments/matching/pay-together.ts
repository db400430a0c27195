import type { Queryable, Sql } from '../../base/database/connect.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import { gather } from '../../base/database/gather.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import { writeNews } from './pay-order.ts';
import { type Holder, jsonOf, writeCredit } from './queries/payments.ts';

/** What `pay_at_once` of migration 34 raises when it has written something that must not stay. */
const notClean = 'ML001';
/** Together they share a commit. More would make each of them wait for the locks of all. */
const mostTogether = 8;
/** So the next ones gather meanwhile, and two never wait for a business that both have. */
const mostUnderWay = 1;
/** One that waits for an order in somebody's hands keeps the others waiting for so long, and no longer. */
const holdsFor = 250;

export type CleanPayment = ReturnType<typeof writePayment>;

/** A payment that the look found clean, by the names of `pay_at_once`. */
export function writePayment(world: Pick<World, 'baseUrl'>, credit: Credit, holder: Holder, now: Date) {
  const { code, facts } = because('paid', { order: holder.order_id });
  return {
    ...{ business: credit.merchantId, alert: credit.alertId, credit: writeCredit(credit), moment: now },
    ...{ chosen_order: holder.order_id, chosen_version: holder.version, code, code_facts: facts },
    ...writeNews(world, credit, holder, now),
  };
}

type Pay = (payment: CleanPayment) => Promise<boolean>;
const known = new WeakMap<Sql, Pay>();

/** Payments that are under way together share a statement and a commit. False: not clean, and nothing is written. */
export function payTogether(sql: Sql, payment: CleanPayment): Promise<boolean> {
  const pay: Pay =
    known.get(sql) ??
    gather((payments: readonly CleanPayment[]) => payAll(sql, payments), {
      mostInOne: mostTogether,
      mostUnderWay,
      holdsFor,
    });
  known.set(sql, pay);
  return pay(payment);
}

/** Each is answered for itself: what failed among others is paid, or fails, alone. */
async function payAll(sql: Sql, payments: readonly CleanPayment[]): Promise<(boolean | Promise<boolean>)[]> {
  const [first] = payments;
  if (first && payments.length === 1) return [await payAlone(sql, first)];
  const placed = payments.map((payment, place) => ({ place, ...payment }));
  const states = await sql<{ place: number; state: string }[]>`
    select place, state from pay_several(${jsonOf(placed)}::jsonb)`.then(
    rows => new Map(rows.map(({ place, state }) => [place, state])),
    error => {
      if (isDatabaseAway(error)) throw error;
      // One of them fails at the commit, or is no JSON for the database: everything was rolled back.
      return new Map<number, string>();
    },
  );
  return payments.map((payment, place) => {
    const state = states.get(place);
    return state === 'paid' || (state !== notClean && payAlone(sql, payment));
  });
}

/** In whose transaction it is called; false leaves that one spent. */
export async function payAlone(on: Queryable, payment: CleanPayment): Promise<boolean> {
  const { business, alert, credit, chosen_order, chosen_version, moment, code, code_facts } = payment;
  const { event, event_body, destination, roles, told_until } = payment;
  try {
    const [row] = await on<{ is_paid: boolean }[]>`
      select pay_at_once(${business}, ${alert}, ${jsonOf(credit)}::jsonb, ${chosen_order}, ${chosen_version}, ${moment},
        ${code}, ${on.json(code_facts)}, ${event}, ${event_body}, ${destination}, ${roles}, ${told_until}) as is_paid`;
    return row!.is_paid;
  } catch (error) {
    if ((error as { code?: string }).code === notClean) return false;
    throw error;
  }
}
