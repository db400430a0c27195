import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { minute, second } from '../../src/base/clock.ts';
import { install } from '../../test/support/install.ts';
import { startMailReceiver } from '../../test/support/mail-receiver.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { findViolations } from '../faults/check.ts';
import { newDice } from '../faults/dice.ts';
import { settle } from '../faults/settle.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { playDrill } from '../play-drill.ts';
import { addLeavingOrders } from './add-leaving-orders.ts';
import { type Customers, startCustomers } from './customers.ts';
import { drawChart } from './draw-chart.ts';
import { metricsToken, openMeter, type Sample } from './measure.ts';
import { judge, roles } from './quantities.ts';
import { tableOf, verdictsOf } from './table-of.ts';

/**
 * `npm run drill -- soak --minutes 60 --rate 480 --out FOLDER`: a common day at a steady rate, in four processes, and
 * nothing may rise: memory, descriptors, connections, dead rows, what waits, answer times and processor time an order.
 * `quantities.ts` has the limit of each, with its reason. Every payment is reported once, and `verify` finds nothing.
 *
 * `--leak` opens ten streams of events a minute that nobody closes: the drill then has to fail, by the descriptors of
 * `web`. Runs of up to twenty minutes show it; the program ends a stream of that age by itself. Short runs look every
 * ten seconds and do not judge memory: a process of five minutes still grows to its size.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '480' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    leak: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
const seed = Number(values.seed);
const warmUp = Math.min(10, minutes / 6);
const lookEvery = Math.min(minute, Math.max(10 * second, minutes * second));
/** A process has its full size once the first history is stored, every screen was shown and every pool is full. */
const isGrownUp = minutes >= 30;
/** Late customers come after five minutes, and old orders leave in rounds of ten. */
const isWholeDay = minutes >= 15;

install('the drill needs', [['/usr/sbin/dovecot', 'dovecot-imapd']]);

await playDrill('soak drill', async ({ see, onEnd }) => {
  const say = (line: string) => console.log(`          ${line}`);
  const unwell = openUnwell();
  const mails = await startMailReceiver();
  onEnd(() => mails.stop());
  const stage = await openStage({
    merchants: Array.from({ length: 12 }, (_, number) => `shop-${number + 1}`),
    roles,
    clocks: false,
    isUnwell: unwell.isUnwell,
    // The default limits, which faults and benchmarks turn off. Owners have a mail server.
    env: {
      RATE_LIMITS: 'key=6000,address=12000',
      METRICS_TOKEN: metricsToken,
      SMTP_URL: mails.url,
      MAIL_FROM: 'pay@example.in',
    },
  });
  onEnd(() => stage.stop());
  const { processes } = stage;
  await waitFor('all processes ready', () => processes.all.every(one => one.isReady()), 5 * minute);
  const leaving = await addLeavingOrders(stage, minutes);
  // On a busy machine four programs that start at once have errors to tell; those are not of the day.
  const saidBefore = new Map(processes.all.map(one => [one.name, one.said().length]));
  const customers = await startCustomers(stage, { rate, seed, leaks: values.leak ? 10 : 0 });
  onEnd(() => Promise.race([customers.stop(), sleep(5 * second)]));
  const meter = await openMeter(stage, customers, unwell.wasWell);
  onEnd(() => meter.stop());
  say(
    `${processes.all.length} processes, ${rate} orders a minute, ${minutes} minutes; logs in ${stage.folder}`,
  );

  const samples = await lookOn(meter.look, line => say(line));
  await customers.stop();
  await meter.stop();
  const removed = leaving - (await leftOf(stage));
  const open = await settle(stage, customers.bank);
  await Promise.all(processes.all.map(one => one.stop()));

  const out = values.out ?? mkdtempSync(join(tmpdir(), 'milaan-soak-'));
  mkdirSync(out, { recursive: true });
  const title = `${minutes} minutes, ${rate} orders a minute${values.leak ? ', with a leak' : ''}`;
  const judged = judge(samples, warmUp);
  writeFileSync(join(out, 'soak.svg'), drawChart(samples, title, warmUp));
  writeFileSync(
    join(out, 'soak.txt'),
    `${[title, '', ...tableOf(samples), '', ...verdictsOf(judged, isGrownUp), ''].join('\n')}`,
  );
  for (const line of ['', ...tableOf(samples), '', ...verdictsOf(judged, isGrownUp), '']) console.log(line);

  const { checkout, bank, counts, browsers } = customers;
  say(
    `${checkout.created} orders, ${list(counts)}; ${bank.paid.size} paid at the bank; mails: ${list(bank.sent)}`,
  );
  say(
    `${stage.shop.notified.size} told, ${stage.shop.struck} answered 500 first, ${browsers.notified} words over streams, ${mails.mails.length} mails to owners, ${removed} of ${leaving} old orders left`,
  );
  see(`every mail is judged and every event delivered`, open === null, open ?? '');
  const violations = [
    ...(await findViolations(stage, checkout, bank)),
    ...oddAnswers(stage, customers, saidBefore),
  ];
  see('nothing lost, wrong, refused or odd, and verify is clean', violations.length === 0, first(violations));
  const again = [...stage.shop.notified].filter(([, { times }]) => times !== 1).map(([orderId]) => orderId);
  see(`every paid order was told once (${stage.shop.notified.size})`, again.length === 0, first(again));
  const played: [string, number][] = [
    ...['paid at once', 'wrong amount', 'left to expire', 'attacked', 'pages', 'streams', 'screens'].map(
      (kind): [string, number] => [kind, counts.get(kind) ?? 0],
    ),
    ['webhooks answered 500', stage.shop.struck],
    ['words over streams', browsers.notified],
    ...(isWholeDay
      ? [['late', counts.get('late') ?? 0] as [string, number], ['history', removed] as [string, number]]
      : []),
  ];
  const missing = played.filter(([, count]) => count === 0).map(([kind]) => kind);
  see('everything that makes up the day was there', missing.length === 0, missing.join(', '));
  for (const one of judged) {
    const isSeen = !one.thirds.some(Number.isNaN);
    if ((one.grownUp && !isGrownUp) || (!isSeen && !isWholeDay)) continue;
    see(
      `${one.panel}: ${one.line} did not rise`,
      isSeen && !one.rose,
      `medians of the thirds: ${one.thirds.map(value => value.toFixed(2)).join(', ')}; allowed ${one.allows(one.thirds[0]).toFixed(2)}`,
    );
  }
  if (!isGrownUp) say('memory was not judged: a run of half an hour does it');
  say(`chart and table: ${out}/soak.svg and soak.txt`);
});

async function lookOn(look: () => Promise<Sample>, say: (line: string) => void): Promise<Sample[]> {
  const samples: Sample[] = [];
  const began = performance.now();
  while (samples.length < Math.round((minutes * minute) / lookEvery)) {
    await sleep(Math.max(0, began + (samples.length + 1) * lookEvery - performance.now()));
    samples.push(await look());
    const [head, line] = tableOf(samples.slice(-1));
    if (samples.length % 20 === 1) say(head!);
    say(line!);
  }
  return samples;
}

/** A shop that fails now and then: the first word about an order is answered with 500, sometimes the second too. */
function openUnwell() {
  const dice = newDice(seed, 'unwell');
  const left = new Map<string, number>();
  const was = new Set<string>();
  return {
    isUnwell(orderId: string) {
      const failures = left.get(orderId) ?? (dice.isLucky(0.03) ? (dice.isLucky(0.3) ? 2 : 1) : 0);
      left.set(orderId, Math.max(0, failures - 1));
      if (failures > 0) was.add(orderId);
      return failures > 0;
    },
    wasWell: (orderId: string) => !was.has(orderId),
  };
}

async function leftOf({ world }: Stage): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*) as count from orders where merchant_order_id like 'leaving-%'`;
  return row!.count;
}

/** Without faults nobody is refused, and no process has an error to tell. */
function oddAnswers(
  { processes, shop }: Stage,
  { checkout }: Customers,
  saidBefore: ReadonlyMap<string, number>,
): string[] {
  return [
    ...[...checkout.refused].map(([code, count]) => `${count} requests were refused: ${code}`),
    ...shop.unverified.map(why => `a webhook could not be verified: ${why}`),
    ...processes.all.flatMap(one =>
      one
        .said()
        .slice(saidBefore.get(one.name))
        .split('\n')
        .filter(line => /"level":(?:50|60|"error"|"fatal")/.test(line))
        .map(line => `${one.name} said ${line}`),
    ),
  ];
}

function first(lines: readonly string[]): string {
  return lines
    .slice(0, 20)
    .map(line => line.slice(0, 600))
    .join('\n');
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${what} ${count}`).join(', ');
}
