import { setTimeout as sleep } from 'node:timers/promises';
import { processorSeconds } from '../../bench/processor.ts';
import { openJudging } from '../../src/alerts/judging/open-judging.ts';
import { startJudging } from '../../src/alerts/judging/start-judging.ts';
import { storeMails } from '../../src/alerts/judging/store-mail.ts';
import { newApp } from '../../src/base/http/app.ts';
import { paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { startDelivering } from '../../src/outbox/webhooks/start-delivering.ts';
import { orderBody } from '../../test/support/api.ts';
import { liveSettings } from '../../test/support/live-config.ts';
import { mailKey, signMail } from '../../test/support/signed-mail.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startReceiver } from '../../test/support/webhook-receiver.ts';

const mailbox = 'meera@chaipoint.example';
const lanes = 8;
const patience = 300_000;

export type Played = {
  paid: number;
  notified: number;
  listed: number;
  breaches: string[];
  /** The largest number of arrival (R14): those of a worker begin at 2^48. */
  latest: number;
  /** A stored mail woke the process that waits for mails. */
  woken: boolean;
  /** Microseconds of all database servers for one. */
  cost: Record<'create' | 'confirm' | 'deliver', number>;
};

/**
 * Creates orders by the API, pays them with signed mails, and delivers and lists them with the program's own modules.
 */
export async function playOrders(url: string, servers: readonly number[], count: number): Promise<Played> {
  process.env['MILAAN_TEST_DATABASE'] = url;
  const world = await openTestWorld({ ...liveSettings, WEBHOOK_ALLOW: '127.0.0.1' });
  delete process.env['MILAAN_TEST_DATABASE'];
  const { sql } = world;
  world.clock.set(new Date(Math.floor(Date.now() / 1000) * 1000));
  const key = mailKey(2048, 'hdfc');
  world.dns.texts.set('alerts._domainkey.hdfcbank.net', [key.record]);
  const app = newApp(world);
  await orderRoutes(app, world);
  const judging = openJudging(world);
  const shop = await startReceiver();
  try {
    const { merchantId, apiKey } = await addTestMerchant(world);
    await sql`insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
      values (${merchantId}, ${mailbox}, ${world.clock.now()}, ${world.clock.now()})`;
    let woken = false;
    const listener = await sql.listen('alerts', () => {
      woken = true;
    });
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const amounts: number[] = [];
    const create = await costOf(servers, count, () =>
      inLanes(count, async number => {
        const payload = JSON.stringify(orderBody({ amount: 1000 + number, webhook_url: shop.url }));
        const answer = await app.inject({ method: 'POST', url: '/api/v1/orders', headers, payload });
        if (answer.statusCode !== 201) throw new Error(answer.body);
        amounts.push(answer.json().payable_amount);
      }),
    );
    world.clock.advance(20_000);
    const mailOf = (number: number) => ({
      merchantId,
      raw: bankMail(amounts[number]!, String(690_000_000_000 + number), world.clock.now(), key),
      arrivedAt: world.clock.now(),
      foundIn: 'INBOX',
    });
    // Nobody judges yet: the first mail has to wake them.
    await storeMails(null, store => store(sql, mailOf(0)));
    await waitFor('word of a stored mail', () => woken, 10_000).catch(() => {});
    const paid = async () => (await sql`select from orders where status = 'paid'`).length;
    const judges = startJudging(world, judging.tools);
    const confirm = await costOf(servers, count, async () => {
      await inLanes(count, number => storeMails(judges.workerSlots, store => store(sql, mailOf(number))));
      await waitFor(
        'every payment',
        async () => (await sleep(500, true)) && (await paid()) === count,
        patience,
      );
    });
    await judges.stop();
    const [{ latest } = { latest: 0 }] = await sql<{ latest: number }[]>`
      select greatest(max(arrival_number), (select max(arrival_number) from alerts)) as latest from orders`;
    const deliver = await costOf(servers, count, async () => {
      const delivering = startDelivering(world);
      const isOver = async () =>
        (await sleep(500, true)) && (await sql`select from delivery_queue limit 1`).length === 0;
      await waitFor('every webhook', async () => shop.received.length >= count && (await isOver()), patience);
      await delivering.stop();
    });
    await listener.unlisten();
    const notified = shop.received.map(({ body }) => JSON.parse(body).data.order_id as string);
    return {
      paid: await paid(),
      latest,
      notified: notified.length === new Set(notified).size ? notified.length : -notified.length,
      listed: await list(path => app.inject({ url: path, headers }).then(answer => answer.json())),
      breaches: await findBreaches(world),
      woken,
      cost: { create, confirm, deliver },
    };
  } finally {
    await shop.stop();
    await app.close();
    await judging.close();
    await world.stop();
  }
}

/** Microseconds for one of so many. */
async function costOf(
  servers: readonly number[],
  count: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = processorSeconds(servers);
  await work();
  return Math.round(((processorSeconds(servers) - before) * 1e6) / count);
}

async function inLanes(count: number, one: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

type Page = { data: { order_id: string }[]; has_more: boolean; next_cursor: string };

async function list(ask: (path: string) => Promise<Page>): Promise<number> {
  const seen = new Set<string>();
  for (let after = ''; ; ) {
    const page = await ask(`/api/v1/orders?limit=100&status=paid${after}`);
    for (const { order_id } of page.data) seen.add(order_id);
    if (!page.has_more) return seen.size;
    after = `&cursor=${page.next_cursor}`;
  }
}

function bankMail(rupees: number, reference: string, sentAt: Date, key: ReturnType<typeof mailKey>): Buffer {
  const lines = [
    'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
    `To: ${mailbox}`,
    'Subject: View: Account update for your HDFC Bank A/c',
    `Date: ${sentAt.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
  ];
  const body =
    `<p>Dear Customer, Rs. ${rupeesText(paiseFromRupees(rupees))} is successfully credited to your account ` +
    `**4321 by VPA ravi@okaxis RAVI KUMAR on 15-11-26. Your UPI transaction reference number is ${reference}.</p>\r\n`;
  return signMail(lines, body, { domain: 'hdfcbank.net', selector: 'alerts', key });
}
