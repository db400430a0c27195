import { readdirSync, readFileSync } from 'node:fs';
import { quantile } from '../../bench/mail/in-turns.ts';
import { processorSeconds, serverPid } from '../../bench/processor.ts';
import { minute, second } from '../../src/base/clock.ts';
import { scrape } from '../alarms/scrape.ts';
import type { Stage } from '../faults/stage.ts';
import type { Customers } from './customers.ts';

/** One period's figures by their names, and its end in minutes. */
export type Sample = { at: number; figures: Map<string, number> };

type Meter = { look(): Promise<Sample>; stop(): Promise<void> };

export const metricsToken = 'soak';
/** The heap grows between two collections. The lowest figure of a period is close to what is really in use. */
const heapEvery = 10 * second;
/** A table counts as large from here on: below it, autovacuum's fixed threshold decides and not the share of dead rows. */
const large = 1_000;
const mebibyte = 2 ** 20;

/** Looks from outside: at /proc, at the database's own statistics and at /metrics. */
export async function openMeter(
  stage: Stage,
  customers: Customers,
  notifiedAtOnce: (orderId: string) => boolean,
): Promise<Meter> {
  const { world, processes, shop } = stage;
  const { checkout, bank, browsers } = customers;
  const { sql } = world;
  const began = Date.now();
  const postgres = await serverPid(sql);
  const spent = () => processorSeconds([postgres, ...processes.all.map(one => one.pid())]);
  const leastHeap = new Map<string, number>();
  const lookAtHeaps = async () => {
    for (const one of processes.all) {
      const series = await scrape(one.url, metricsToken);
      const heap = series.get('nodejs_heap_size_used_bytes{instance="one",job="milaan"}') ?? Number.NaN;
      leastHeap.set(one.role, Math.min(leastHeap.get(one.role) ?? Number.POSITIVE_INFINITY, heap));
    }
  };
  let looking = Promise.resolve();
  const heapTimer = setInterval(() => {
    looking = looking.then(lookAtHeaps).catch(error => browsers.fail(`/metrics: ${error}`));
  }, heapEvery);
  let before = { spent: spent(), orders: 0, oddities: 0, at: began };
  const mailed = new Map<string, number>();
  let mailsSeen = 0;

  /** From the moment when a mail was handed over for the first time to the shop that hears of it. */
  const webhookTimes = (since: number) => {
    for (const { reference, at, inJunk } of bank.mails.slice(mailsSeen))
      if (!mailed.has(reference)) mailed.set(reference, inJunk ? Number.NaN : at);
    mailsSeen = bank.mails.length;
    const times: number[] = [];
    for (const [orderId, { firstAt, reference }] of shop.notified) {
      const at = mailed.get(reference ?? '') ?? Number.NaN;
      // An accepted payment was reported when the owner acted, and one in Junk when we looked there, so leave both out.
      if (
        firstAt >= since &&
        !Number.isNaN(at) &&
        notifiedAtOnce(orderId) &&
        !customers.nearMisses.has(orderId)
      )
        times.push(firstAt - at);
    }
    return times;
  };

  return {
    async look() {
      await looking;
      if (leastHeap.size === 0) await lookAtHeaps();
      const figures = new Map<string, number>();
      const connections = await connectionsByRole(sql);
      for (const one of processes.all) {
        const { role } = one;
        figures.set(`memory ${role}`, memory(one.pid()).resident);
        figures.set(`heap ${role}`, leastHeap.get(role)! / mebibyte);
        const held = role === 'web' ? browsers.connections : 0;
        figures.set(`descriptors ${role}`, readdirSync(`/proc/${one.pid()}/fd`).length - held);
        const pids = connections.get(role) ?? [];
        figures.set(`connections ${role}`, pids.length);
        figures.set(
          `backends ${role}`,
          pids.reduce((sum, pid) => sum + memory(pid).own, 0),
        );
      }
      leastHeap.clear();
      for (const [name, figure] of await rowsOf(sql)) figures.set(name, figure);
      const timings = { ...customers.takeTimings(), told: webhookTimes(before.at) };
      for (const [name, times] of Object.entries(timings)) {
        figures.set(`${name} p50`, quantile(times, 0.5));
        figures.set(`${name} p99`, quantile(times, 0.99));
      }
      const now = {
        spent: spent(),
        orders: checkout.created,
        oddities: checkout.oddities.length,
        at: Date.now(),
      };
      const orders = now.orders - before.orders;
      figures.set('orders', orders);
      figures.set('pages', browsers.connections);
      figures.set('errors', now.oddities - before.oddities);
      figures.set('processor', ((now.spent - before.spent) * second) / orders);
      figures.set('share', (now.spent - before.spent) / ((now.at - before.at) / second));
      before = now;
      return { at: (now.at - began) / minute, figures };
    },
    async stop() {
      clearInterval(heapTimer);
      await looking;
    },
  };
}

/** In MiB: all memory of a process, and the unshared part. Zero if it has ended. */
function memory(pid: number): { resident: number; own: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    return { resident: of('VmRSS'), own: of('RssAnon') };
  } catch {
    return { resident: 0, own: 0 };
  }
}

type Sql = Stage['world']['sql'];

/** The process ids of the connections of each role, by the name that each process gives its connections. */
async function connectionsByRole(sql: Sql): Promise<Map<string, number[]>> {
  const rows = await sql<{ role: string; pids: number[] }[]>`
    select substring(application_name from '[^)]*$') as role, array_agg(pid) as pids from pg_stat_activity
    where application_name like 'milaan %' and datname = current_database() group by 1`;
  return new Map(rows.map(({ role, pids }) => [role.trim(), pids]));
}

/** Dead rows of the large tables per row that lives, of the worst of them; of the small ones in all; and what waits. */
async function rowsOf(sql: Sql): Promise<[string, number][]> {
  const [tables] = await sql<{ worst: number | null; all: number | null; small: number }[]>`
    select max(n_dead_tup::float8 / n_live_tup) filter (where n_live_tup >= ${large}) as worst,
      sum(n_dead_tup) filter (where n_live_tup >= ${large})::float8
        / sum(n_live_tup) filter (where n_live_tup >= ${large}) as all,
      coalesce(sum(n_dead_tup) filter (where n_live_tup < ${large}), 0)::float8 as small
    from pg_stat_user_tables`;
  const [queues] = await sql<{ alerts: number; deliveries: number }[]>`
    select (select count(*) from alerts
        where verdict = 'unjudged' or (verdict = 'retrying' and doubted_at is null)) as alerts,
      (select count(*) from delivery_queue) as deliveries`;
  return [
    ['dead worst', tables?.worst ?? Number.NaN],
    ['dead all', tables?.all ?? Number.NaN],
    ['dead small', tables!.small],
    ['waiting alerts', queues!.alerts],
    ['waiting deliveries', queues!.deliveries],
  ];
}
