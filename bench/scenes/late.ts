import { readFileSync } from 'node:fs';
import { day, hour, later, minute, second } from '../../src/base/clock.ts';
import type { Sql, Transaction } from '../../src/base/database/connect.ts';
import { paise } from '../../src/base/money.ts';
import { guardTime, lateWindow, payableTime } from '../../src/base/time-windows.ts';
import { insertOrders, type NewOrder } from '../../src/orders/queries.ts';
import { namesEarlierDay } from '../../src/payments/matching/names-earlier-day.ts';
import { liveSettings } from '../../test/support/live-config.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';
import { report } from '../report.ts';

/**
 * `npm run bench -- late`: how often money that comes minutes to 48 hours late meets the order of somebody else, who
 * holds its amount by then. The orders are made by `create_order` itself, as it was before amounts were clear or not and
 * as it is; the customers are simulated: seven of ten pay within a quarter of an hour, of the others a few pay late, and
 * those have tapped on an app or said so nine times of ten, the rest fifteen times of a hundred.
 */
let seed = 7;
const price = paise(499_00);
const rates = (process.argv[2] ?? '10,30,120').split(',').map(Number);
const fewest = Number(process.argv[3] ?? 30_000);
/** Batches that share a commit. */
const together = 100;
const warm = 4 * day;
/** A late credit for each order that did not pay, so many times over. */
const samples = 20;
const [lateShare, lateIntent, otherIntent, payerIntent] = [0.02, 0.9, 0.15, 0.9];
const createBefore = readFileSync(new URL('create-order-before-clear.sql', import.meta.url), 'utf8');

const world = await openTestWorld(liveSettings);
try {
  const [created] = await world.sql<{ now: string }[]>`
    select pg_get_functiondef('create_order'::regproc) as now`;
  const rows = [];
  let worst = Number.POSITIVE_INFINITY;
  for (const rate of rates) {
    const before = await late(world.sql, createBefore, rate);
    const after = await late(world.sql, created!.now, rate);
    if (rate <= 30) worst = Math.min(worst, before.all / Math.max(after.day, 1e-3) / (rate <= 10 ? 100 : 15));
    rows.push({
      'orders an hour': rate,
      before: said(before.all),
      clear: said(after.all),
      'clear and day': said(after.day),
      'clear, day and fresh': said(after.fresh),
      'good payments that wait for fresh': `${(100 * after.waits).toFixed(1)} %`,
      '': `${after.orders} orders`,
    });
  }
  console.log('wrong orders paid of 10,000 late credits; the ratio is how many times the aim was reached');
  report({ name: 'late', aim: { atLeast: 1 }, ratio: worst, rows });
} finally {
  await world.stop();
}

function said(share: number): string {
  return share === 0 ? '0' : share < 10 ? share.toPrecision(2) : String(Math.round(share));
}

type Made = {
  created: number;
  payable: number;
  paid: number;
  intent: number | null;
  doubted: number;
  at: number;
};

async function late(sql: Sql, create: string, rate: number) {
  await sql.unsafe(create);
  const orders = await makeOrders(sql, rate, Math.max(fewest, rate * 24 * 11));
  const holders = new Map<number, Made[]>();
  for (const order of orders) {
    const list = holders.get(order.payable) ?? [];
    order.at = list.push(order) - 1;
    holders.set(order.payable, list);
  }
  const [start, end] = [orders[0]!.created + warm, orders.at(-1)!.created - 50 * hour];
  const counted = orders.filter(({ created }) => created > start && created < end);
  const found = { late: 0, all: 0, day: 0, fresh: 0, paid: 0, waits: 0 };
  const wrong: { own: Made; other: Made; at: number; weight: number }[] = [];
  const intentShare = lateShare * lateIntent + (1 - lateShare) * otherIntent;
  for (const own of counted) {
    if (own.paid < Number.POSITIVE_INFINITY) {
      found.paid++;
      if (own.doubted > own.paid && !isFresh(own, own.paid)) found.waits++;
      continue;
    }
    // How likely it is that just this one pays late, as its customer showed or not.
    const weight =
      own.intent === null
        ? (lateShare * (1 - lateIntent)) / (1 - intentShare)
        : (lateShare * lateIntent) / intentShare;
    for (let n = 0; n < samples; n++) {
      const delay = random() < 0.5 ? (15 + random() * 45) * minute : hour * Math.exp(random() * Math.log(48));
      const at = own.created + delay;
      found.late += weight;
      const other = holders.get(own.payable)!.findLast(one => one.created <= at)!;
      if (other === own || at > other.created + payableTime + lateWindow || other.paid <= at) continue;
      wrong.push({ own, other, at, weight });
    }
  }
  // The payment was begun with its order; its reference tells of that day.
  const days = wrong.length === 0 ? [] : await earlierDays(sql, wrong);
  for (const [index, { other, at, weight }] of wrong.entries()) {
    found.all += weight;
    if (days[index]) continue;
    found.day += weight;
    if (!(other.doubted > at && !isFresh(other, at))) found.fresh += weight;
  }
  const per = (sum: number) => (10_000 * sum) / found.late;
  return {
    ...{ all: per(found.all), day: per(found.day), fresh: per(found.fresh) },
    ...{ waits: found.waits / found.paid, orders: counted.length },
  };
}

function isFresh({ intent }: Made, at: number): boolean {
  return intent !== null && intent <= at && intent >= at - 3 * minute;
}

async function earlierDays(sql: Sql, wrong: readonly { own: Made; other: Made }[]): Promise<boolean[]> {
  const india = (time: number) => new Date(time + 5.5 * hour);
  const references = wrong.map(({ own }) => {
    const date = india(own.created);
    const year = date.getUTCFullYear();
    const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / day) + 1;
    return `${year % 10}${String(dayOfYear).padStart(3, '0')}00000000`;
  });
  const rows = await sql<{ is_earlier: boolean }[]>`
    select ${namesEarlierDay(sql, sql`w.reference`, sql`w.created`)} as is_earlier
    from unnest(${references}::text[], ${wrong.map(({ other }) => new Date(other.created))}::timestamptz[])
      with ordinality as w (reference, created, place) order by w.place`;
  return rows.map(row => row.is_earlier);
}

/** Orders as they come, none of a batch holding its amount so long that one of the same batch could get it. */
async function makeOrders(sql: Sql, rate: number, count: number): Promise<Made[]> {
  const { merchantId } = await addTestMerchant(world);
  const caller = { signedIn: true, merchantId } as const;
  const made: Made[] = [];
  let next = Date.UTC(2026, 0, 5);
  while (made.length < count)
    await sql.begin(async tx => {
      for (let batch = 0; batch < together && made.length < count; batch++) await makeBatch(tx);
    });
  return made;

  async function makeBatch(tx: Transaction): Promise<void> {
    const batch: Made[] = [];
    const now = next;
    while (next < now + 15 * minute && batch.length < 200) {
      const created = Math.round(next);
      const pays = random() < 0.7;
      const took = Math.min(40 * Math.exp(0.8 * gauss()), 890) * second;
      const shows = random() < (pays ? payerIntent : lateShare * lateIntent + (1 - lateShare) * otherIntent);
      batch.push({
        ...{ created, payable: 0, doubted: 0, at: 0 },
        paid: pays ? created + took : Number.POSITIVE_INFINITY,
        intent: shows ? created + (pays ? took / 2 : minute) : null,
      });
      next += (-Math.log(1 - random()) * hour) / rate;
    }
    const answers = await insertOrders(
      tx,
      batch.map(({ created }, n) => ({
        caller,
        order: newOrder(`L${merchantId}-${made.length + n}`, created),
      })),
    );
    for (const answer of answers)
      if (answer.outcome === 'created') batch[answer.place - 1]!.payable = answer.payable_paise;
    const placed = batch.filter(({ payable }) => payable > 0);
    // As `markOrderPaid` and `showIntent` do; while it is held it makes no difference when.
    const rows = await tx<{ payable_paise: number; doubted_until: Date | null }[]>`
      update amounts a set clear_at = case when a.clear_at is null then null
        when m.is_paid then greatest(a.doubted_until, a.held_until)
        when m.shows then greatest(a.doubted_until, m.created + interval '48 hours') else a.clear_at end
      from unnest(${placed.map(({ payable }) => payable)}::bigint[], ${placed.map(one => one.paid < Number.POSITIVE_INFINITY)}::boolean[],
        ${placed.map(one => one.intent !== null)}::boolean[], ${placed.map(one => new Date(one.created))}::timestamptz[])
        as m (payable, is_paid, shows, created)
      where a.merchant_id = ${merchantId} and a.payable_paise = m.payable
      returning a.payable_paise, a.doubted_until`;
    const doubts = new Map(rows.map(row => [row.payable_paise, row.doubted_until?.getTime() ?? 0]));
    for (const one of placed) one.doubted = doubts.get(one.payable) ?? 0;
    made.push(...placed);
  }
}

function newOrder(id: string, created: number): NewOrder {
  const created_at = new Date(created);
  const expires_at = later(created_at, payableTime);
  return {
    ...{ order_id: id, merchant_order_id: id, amount_paise: price, created_at, expires_at },
    held_until: later(expires_at, lateWindow + guardTime),
    ...{ pay_token: id, account_id: null, success_url: '', failure_url: '', webhook_url: '', customer: null },
  };
}

/** The same customers in every run, before and after. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function gauss(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
