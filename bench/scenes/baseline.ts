import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { orderBody } from '../../test/support/api.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { forgeries, records } from '../baseline/forgeries.ts';
import { openBaseline, openProduct, type Running, type Shop, type Side } from '../baseline/sides.ts';
import { openShop } from '../mail/arrival-shop.ts';
import { hdfcMail } from '../mail/hdfc-mail.ts';
import { median } from '../mail/in-turns.ts';
import { withEndings } from '../mail/with-endings.ts';
import { openHandOver } from '../payment/hand-over.ts';
import { memoryOf, processorSeconds } from '../processor.ts';
import { report } from '../report.ts';

/**
 * The cost of safety: Milaan next to `bench/baseline/`, the program that an engineer would write in a day, on the same
 * libraries, database settings and mails, in turns. A figure in µs is processor time of the program and its PostgreSQL
 * for one operation, work in the background included. Customers, bank, mail server, shop and name server are this
 * process and do not count.
 */
const rounds = Number(process.env['MILAAN_BENCH_ROUNDS'] ?? 3);
const idleSeconds = 10;
const firstPayments = 40;
const killed = 200;
/** The time in which every webhook has to come after the process was killed and started again. */
const afterKill = 60_000;
let serial = 0;

type Figures = Record<string, number[]>;
type Stage = { side: Side; figures: Figures; losses: string[] };
/** A stage whose program runs. */
type Live = Stage & { running: Running; web: Pool };
type Order = { order_id: string; payable_amount: number; status: string; shop: Shop };

await withEndings(async atEnd => {
  const dns = await startDnsServer(({ name }) => {
    const record = records[name];
    return record ? [{ name, type: 'TXT', ttl: 60, data: record.match(/.{1,255}/g)! }] : 'nxdomain';
  });
  atEnd(() => dns.stop());
  const shop = await openShop();
  atEnd(() => shop.stop());

  const start = async (stage: Stage): Promise<Live> => {
    const running = await stage.side.start();
    const web = new Pool(running.url, { connections: 32 });
    atEnd(() => web.destroy());
    return { ...stage, running, web };
  };
  const call = async ({ web }: Live, by: Shop, method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { 'x-api-key': by.apiKey, 'content-type': 'application/json' };
    const answer = await web.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    if (answer.statusCode > 201) throw new Error(`${method} ${path} answered ${await answer.body.text()}`);
    return { ...((await answer.body.json()) as Omit<Order, 'shop'>), shop: by };
  };
  const create = (stage: Live, { amount = 100 + (serial % 9000), by = serial } = {}): Promise<Order> =>
    call(stage, stage.side.shops[by % stage.side.shops.length]!, 'POST', '/api/v1/orders', {
      ...orderBody({ amount, webhook_url: shop.url }),
      merchant_order_id: `cart-${++serial}`,
    });
  const read = (stage: Live, { shop: by, order_id }: Order) =>
    call(stage, by, 'GET', `/api/v1/orders/${order_id}`);
  const alertOf = (order: Order) => ({
    amount: order.payable_amount.toFixed(2),
    reference: String(690_000_000_000 + ++serial),
    to: order.shop.forwardTo,
    sentAt: new Date(),
  });
  /** From the mail to the webhook; the order is there before. */
  const pay = async (order: Order, handOver: Awaited<ReturnType<typeof openHandOver>>) => {
    const alert = alertOf(order);
    const arrival = shop.arrival(alert.reference);
    await handOver(alert.to, hdfcMail(alert));
    await arrival;
  };
  const payMany = async (stage: Live, orders: Order[], lanes: number) => {
    const left = [...orders];
    await inLanes(lanes, async () => {
      const handOver = await openHandOver(stage.side.smtpPort);
      for (let order = left.pop(); order; order = left.pop()) await pay(order, handOver);
      handOver.close();
    });
  };
  const createMany = async (stage: Live, count: number, lanes: number) => {
    const orders: Order[] = [];
    let left = count;
    await inLanes(lanes, async () => {
      while (left-- > 0) orders.push(await create(stage));
    });
    return orders;
  };
  const getMany = async (stage: Live, orders: Order[], count: number, lanes: number) => {
    let left = count;
    await inLanes(lanes, async () => {
      while (left-- > 0) await read(stage, orders[left % orders.length]!);
    });
  };
  const cost = async (stage: Live, name: string, count: number, work: () => Promise<unknown>) => {
    const pids = [stage.running.pid, stage.side.database];
    const before = processorSeconds(pids);
    await work();
    note(stage, name, ((processorSeconds(pids) - before) * 1e6) / count);
  };

  const round = async (program: Stage) => {
    const stage = await start(program);
    await sleep(5000);
    note(stage, 'memory at rest, MiB', memoryOf([stage.running.pid, stage.side.database]));
    const first = await createMany(stage, firstPayments, 1);
    const handOver = await openHandOver(stage.side.smtpPort);
    let slowest = 0;
    for (const order of first) {
      const began = performance.now();
      await pay(order, handOver);
      slowest = Math.max(slowest, performance.now() - began);
    }
    handOver.close();
    note(stage, `slowest of the first ${firstPayments} payments, ms`, slowest);
    const orders = await createMany(stage, 300, 8);
    await payMany(stage, orders, 8);
    await cost(stage, 'create, 1 connection, µs', 300, () => createMany(stage, 300, 1));
    await cost(stage, 'create, 32 connections, µs', 800, () => createMany(stage, 800, 32));
    await cost(stage, 'get, 1 connection, µs', 500, () => getMany(stage, orders, 500, 1));
    await cost(stage, 'get, 32 connections, µs', 3000, () => getMany(stage, orders, 3000, 32));
    for (const [lanes, count] of [
      [1, 80],
      [8, 240],
    ] as const) {
      const some = await createMany(stage, count, 8);
      await cost(stage, `mail → webhook, ${lanes} at once, µs`, count, () => payMany(stage, some, lanes));
    }
    await sleep(2000);
    await cost(stage, 'idle, ms of processor a second', idleSeconds * 1000, () => sleep(idleSeconds * 1000));
    note(stage, 'memory after the load, MiB', memoryOf([stage.running.pid, stage.side.database]));
    await stage.running.stop();
  };

  const tryOnce = async (program: Stage) => {
    const stage = await start(program);
    const sameAmount = await Promise.all(
      Array.from({ length: 50 }, () => create(stage, { amount: 9876, by: 0 })),
    );
    const distinct = new Set(sameAmount.map(order => order.payable_amount)).size;
    note(stage, '50 orders of one price: distinct amounts', distinct);
    const handOver = await openHandOver(stage.side.smtpPort);
    const forged = Object.entries(forgeries).map(async ([kind, forge]) => {
      const order = await create(stage);
      return { kind, order, raw: forge(alertOf(order)) };
    });
    for (const { order, raw } of await Promise.all(forged)) await handOver(order.shop.forwardTo, raw);
    await pay(await create(stage), handOver);
    handOver.close();
    await sleep(3000);
    for (const { kind, order } of await Promise.all(forged)) {
      const { status } = await read(stage, order);
      if (status === 'paid') stage.losses.push(`paid: ${kind}`);
    }
    note(
      stage,
      `forged or foreign mails that paid, of ${Object.keys(forgeries).length}`,
      stage.losses.length,
    );
    note(stage, `webhooks lost after kill -9, of ${killed}`, await lostAfterKill(stage));
  };

  /** Kills the process in the middle. A mail server hands over again what was not acknowledged. */
  async function lostAfterKill(stage: Live): Promise<number> {
    const mails = (await createMany(stage, killed, 8)).map(order => alertOf(order));
    const arrived = new Set<string>();
    for (const { reference } of mails) void shop.arrival(reference).then(() => arrived.add(reference));
    const left = [...mails];
    let acknowledged = 0;
    await inLanes(8, async () => {
      const handOver = await openHandOver(stage.side.smtpPort);
      for (let alert = left.pop(); alert; alert = left.pop()) {
        const isTaken = await handOver(alert.to, hdfcMail(alert)).then(
          () => true,
          () => false,
        );
        if (isTaken && ++acknowledged === killed / 2) await stage.running.kill();
        if (isTaken) continue;
        left.push(alert);
        return;
      }
    });
    const again = await start(stage);
    const began = performance.now();
    await inLanes(8, async () => {
      const handOver = await openHandOver(stage.side.smtpPort);
      for (let alert = left.pop(); alert; alert = left.pop()) await handOver(alert.to, hdfcMail(alert));
      handOver.close();
    });
    while (arrived.size < killed && performance.now() - began < afterKill) await sleep(100);
    await again.running.stop();
    return killed - arrived.size;
  }

  const stages: Stage[] = [];
  for (const open of [openProduct, openBaseline])
    stages.push({ side: await open(dns.address, atEnd), figures: {}, losses: [] });
  for (let turn = 0; turn < rounds; turn++) {
    for (const stage of turn % 2 === 0 ? stages : stages.toReversed()) {
      await round(stage);
      console.log(`round ${turn + 1}, ${stage.side.name}, load ${loadavg()[0]!.toFixed(1)}`);
    }
  }
  for (const stage of stages) await tryOnce(stage);
  show(stages[0]!, stages[1]!);
});

function note({ figures }: Stage, name: string, figure: number): void {
  figures[name] = [...(figures[name] ?? []), figure];
}

async function inLanes(lanes: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, work));
}

function show(ours: Stage, theirs: Stage): void {
  const rows = Object.keys(ours.figures).map(what => {
    const [milaan, baseline] = [ours, theirs].map(({ figures }) => median(figures[what]!)) as [
      number,
      number,
    ];
    const round = (figure: number) => Number(figure.toPrecision(3));
    const spread = ours.figures[what]!.map(round).join(' ');
    const ratio = baseline === 0 ? '' : (milaan / baseline).toFixed(2);
    return { what, Milaan: round(milaan), baseline: round(baseline), ratio, 'Milaan by round': spread };
  });
  for (const { side, losses } of [ours, theirs])
    for (const loss of losses) console.log(`${side.name}: ${loss}`);
  const payment = rows.find(({ what }) => what.startsWith('mail → webhook, 1 '))!;
  report({ name: 'baseline', aim: { atMost: 1.5 }, ratio: Number(payment.ratio), rows });
}
