import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stopwatch } from '../../src/base/clock.ts';
import { addMerchants, type Merchant } from '../http/add-merchants.ts';
import { addOpenOrders, type OpenOrder } from '../http/add-orders.ts';
import { startService } from '../http/start-service.ts';
import { median, quantile } from '../mail/in-turns.ts';
import { report } from '../report.ts';

/**
 * From a payment's commit to the event in an open page, against a bare client that receives a bare NOTIFY. In turns,
 * first with one page open, then with as many as a process takes. Also measures the open pages' memory.
 */
const times = 200;
const manyOpen = 4990;
/** Loopback addresses, each a network of its own, with fewer pages than one network may have open. */
const perAddress = 90;

const service = await startService();
try {
  const { sql, url, databaseUrl } = service;
  const [merchant] = (await addMerchants(sql, 1_000_000_000_001, 1)) as [Merchant];
  const orders = await addOpenOrders(sql, merchant, manyOpen + 3 * times);
  const payer = new pg.Client({ connectionString: databaseUrl });
  const listener = new pg.Client({ connectionString: databaseUrl });
  await Promise.all([payer.connect(), listener.connect()]);
  await listener.query('listen bare');
  await payer.query('create schema bare; create table bare.paid (id bigint generated always as identity)');
  const alone = await compare(payer, listener, orders.slice(0, times));
  const before = memoryOf(service.pid);
  const pages = await openMany(orders.slice(times, times + manyOpen));
  await sleep(3000);
  const after = memoryOf(service.pid);
  const crowded = await compare(payer, listener, orders.slice(times + manyOpen, 2 * times + manyOpen));
  for (const page of pages) page.destroy();
  await Promise.all([payer.end(), listener.end()]);
  const row = (what: string, figures: readonly number[], limit: readonly number[]) => ({
    what,
    'p50 ms': median(figures).toFixed(2),
    'p99 ms': quantile(figures, 0.99).toFixed(2),
    'times the bare one': (median(figures) / median(limit)).toFixed(2),
    memory: '',
  });
  report({
    name: 'told',
    aim: { atMost: 3 },
    ratio: median(alone.ours) / median(alone.bare),
    rows: [
      row('a bare client hears a bare NOTIFY', alone.bare, alone.bare),
      row('an open page is told of a payment', alone.ours, alone.bare),
      row(`the same beside ${manyOpen} other open pages`, crowded.ours, crowded.bare),
      {
        ...row('a bare client, meanwhile', crowded.bare, crowded.bare),
        memory: `${Math.round(before)} → ${Math.round(after)} MiB, ${(((after - before) * 1024) / manyOpen).toFixed(1)} KiB a page`,
      },
    ],
  });

  async function compare(paying: pg.Client, hearing: pg.Client, some: readonly OpenOrder[]) {
    const figures = { ours: [] as number[], bare: [] as number[] };
    for (const order of some) {
      figures.bare.push(await hearBare(paying, hearing));
      figures.ours.push(await hearPaid(paying, order));
    }
    return figures;
  }

  async function hearBare(paying: pg.Client, hearing: pg.Client): Promise<number> {
    await paying.query(`begin; insert into bare.paid default values; notify bare`);
    const heard = new Promise<void>(resolve => hearing.once('notification', () => resolve()));
    const took = stopwatch();
    const committed = paying.query('commit');
    await heard;
    const milliseconds = took();
    await committed;
    return milliseconds;
  }

  /** The page hears of this write. The rest of a payment comes before its commit anyway. */
  async function hearPaid(paying: pg.Client, { token, orderId }: OpenOrder): Promise<number> {
    const { request, heard } = await openPage(token, '127.0.0.1');
    await paying.query('begin');
    await paying.query(
      `update orders set status = 'paid', paid_at = now(), alert_id = 'alert of ' || order_id where merchant_id = $1 and order_id = $2`,
      [merchant.merchantId, orderId],
    );
    const took = stopwatch();
    const committed = paying.query('commit');
    await heard;
    const milliseconds = took();
    await committed;
    request.destroy();
    return milliseconds;
  }

  async function openMany(some: readonly OpenOrder[]): Promise<ClientRequest[]> {
    const opened: ClientRequest[] = [];
    for (const [place, { token }] of some.entries()) {
      const address = `127.0.1.${1 + Math.floor(place / perAddress)}`;
      opened.push((await openPage(token, address)).request);
    }
    return opened;
  }

  async function openPage(token: string, localAddress: string) {
    const agent = new Agent({ keepAlive: false });
    let notify = () => {};
    const heard = new Promise<void>(resolve => {
      notify = resolve;
    });
    const request = get(`${url}/pay/${token}/events`, { agent, localAddress });
    request.on('error', () => {});
    const response = await new Promise<IncomingMessage>(resolve => request.once('response', resolve));
    if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
    response.on('error', () => {});
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes('data:')) notify();
    });
    return { request, heard };
  }
} finally {
  await service.stop();
}

/** Resident, in MiB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
