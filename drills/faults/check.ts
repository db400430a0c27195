import { minute } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import type { Bank } from './bank.ts';
import type { Checkout, KnownOrder } from './checkout.ts';
import type { Stage } from './stage.ts';

type Checked = Pick<Stage, 'databases' | 'shop' | 'processes' | 'env'>;

type StoredOrder = { order_id: string; payable_paise: number; status: string; bank_reference: string | null };

/** Everything that must be true when the dust has settled, held against what the bank, the shops and we know. */
export async function findViolations(stage: Checked, checkout: Checkout, bank: Bank): Promise<string[]> {
  // A moved business is searched in its new cell.
  const rows = await inAll(
    stage,
    sql => sql<StoredOrder[]>`
      select order_id, payable_paise, status, bank_reference from orders o join merchants m using (merchant_id)
      where m.moved_at is null`,
  );
  const stored = new Map(rows.map(row => [row.order_id, row]));
  return [
    ...checkout.oddities,
    ...lostOrders(checkout, stored),
    ...storedTwice(rows),
    ...wrongPayments(bank, rows),
    ...missedPayments(bank, stored),
    ...unnotified(stage, rows),
    ...sharedAmounts(checkout.orders),
    ...wholeRupees(checkout.orders),
    ...(await wrongVerdicts(stage, bank)),
    ...(await verify(stage)),
    ...stage.processes.crashes,
  ];
}

function lostOrders(checkout: Checkout, stored: Map<string, StoredOrder>): string[] {
  return checkout.orders.flatMap(order => {
    const row = stored.get(order.orderId);
    if (!row) return [`${order.orderId} was acknowledged and does not exist`];
    if (row.payable_paise === order.payable) return [];
    return [`${order.orderId} was acknowledged with ${order.payable} paise and has ${row.payable_paise}`];
  });
}

async function inAll<Row>({ databases }: Checked, ask: (sql: Sql) => PromiseLike<Row[]>): Promise<Row[]> {
  return (await Promise.all(databases.map(ask))).flat();
}

function storedTwice(rows: readonly StoredOrder[]): string[] {
  const seen = new Set<string>();
  return rows
    .filter(({ order_id }) => seen.size === seen.add(order_id).size)
    .map(({ order_id }) => `${order_id} is in two databases`);
}

function wrongPayments(bank: Bank, rows: readonly StoredOrder[]): string[] {
  return rows
    .filter(row => row.status === 'paid')
    .filter(row => !bank.paid.get(row.order_id)?.references.has(row.bank_reference ?? ''))
    .map(row => {
      const mails = bank.mails.filter(mail => mail.reference === row.bank_reference);
      const whose = [...bank.paid.values()].find(one => one.references.has(row.bank_reference ?? ''));
      return `WRONG PAID: ${row.order_id} by reference ${row.bank_reference}, a ${mails.map(mail => mail.what).join(' and ') || 'mail nobody wrote'} meant for ${whose?.order.orderId ?? 'no order'}`;
    });
}

function missedPayments(bank: Bank, stored: Map<string, StoredOrder>): string[] {
  return [...bank.paid.values()]
    .filter(({ order }) => stored.get(order.orderId)?.status !== 'paid')
    .map(
      ({ order, references }) =>
        `MISSED: ${order.orderId} (${order.payable} paise, ${order.merchant.name}) was paid at the bank by ${[...references].join(', ')} and is ${stored.get(order.orderId)?.status}; asked for at ${new Date(order.askedAt).toISOString()}`,
    );
}

function unnotified({ shop }: Checked, rows: readonly StoredOrder[]): string[] {
  return rows.flatMap(row => {
    const notified = shop.notified.get(row.order_id);
    if (row.status !== 'paid')
      return notified ? [`the shop was told of ${row.order_id}, which is ${row.status}`] : [];
    if (!notified) return [`${row.order_id} is paid and its shop was never told`];
    return notified.reference === row.bank_reference
      ? []
      : [`the shop was told of ${row.order_id} with reference ${notified.reference}`];
  });
}

/** Uses the true time, independent of the service's clock: payable for five minutes, and ten more for a late mail. */
function sharedAmounts(orders: readonly KnownOrder[]): string[] {
  const last = new Map<string, KnownOrder>();
  return [...orders]
    .sort((a, b) => a.acknowledgedAt - b.acknowledgedAt)
    .flatMap(order => {
      const key = `${order.merchant.name} ${order.payable}`;
      const before = last.get(key);
      last.set(key, order);
      if (!before || order.acknowledgedAt > before.askedAt + 15 * minute) return [];
      const apart = Math.round((order.acknowledgedAt - before.acknowledgedAt) / 1000);
      return [`${before.orderId} and ${order.orderId} of ${key} paise live at once, ${apart} s apart`];
    });
}

function wholeRupees(orders: readonly KnownOrder[]): string[] {
  return orders
    .filter(({ payable }) => payable % 100 === 0)
    .map(({ orderId, payable }) => `${orderId} asks for whole rupees: ${payable} paise`);
}

type StoredAlert = {
  alert_id: string;
  verdict: string;
  reason: string;
  arrived_at: Date;
  alert_time: Date | null;
};

async function wrongVerdicts(stage: Checked, bank: Bank): Promise<string[]> {
  const rows = await inAll(
    stage,
    sql => sql<StoredAlert[]>`
      select alert_id, verdict, reason_code as reason, arrived_at, alert_time from alerts a join merchants m using (merchant_id)
      where m.moved_at is null`,
  );
  const stored = new Map(rows.map(row => [row.alert_id, row]));
  return bank.mails.flatMap(({ alertId, what, verdicts, reference }) => {
    const row = stored.get(alertId);
    if (!row) return [`a mail was never found: ${what}, reference ${reference}`];
    if (verdicts.includes(row.verdict)) return [];
    const times = `arrived ${row.arrived_at.toISOString()}, alert time ${row.alert_time?.toISOString()}`;
    return [
      `a mail is ${row.verdict} (${row.reason}; ${times}) and not ${verdicts.join(' or ')}: ${what}, reference ${reference}`,
    ];
  });
}

/** Not waited for in one breath: the lines to the databases may run through this very process. */
async function verify({ env }: Checked): Promise<string[]> {
  const { code, out, err } = await runMilaan(env, 'verify');
  return code === 0 ? [] : [`milaan verify ended with ${code}:\n${out}${err}`];
}
