import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { minute, second } from '../../src/base/clock.ts';
import { install } from '../../test/support/install.ts';
import type { Part } from '../../test/support/needs.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openBank } from '../faults/bank.ts';
import { findViolations } from '../faults/check.ts';
import { openCheckout } from '../faults/checkout.ts';
import { newDice } from '../faults/dice.ts';
import { settle } from '../faults/settle.ts';
import type { Merchant } from '../faults/stage.ts';
import { playDrill } from '../play-drill.ts';
import { startLoad } from './load.ts';
import { moveCell, ways } from './move-cell.ts';
import { bankMail, giveMailbox, order, sameAmount, stored, verdictOf } from './scenes.ts';
import { type CellsStage, crash, failOver, giveStandby, openStage } from './stage.ts';
import { upgradeCells } from './upgrade.ts';

/**
 * `npm run drill -- cells [--seconds 180] [--seed 1]`: issue by issue what several databases behind one address promise.
 * `npm run drill -- cells upgrade`: two databases of release 0.2.0, with a moved business, become this version's.
 * `npm run drill -- cells move [haproxy | pgbouncer] [--times 3]`: a whole cell moves to another server, and to the next.
 */
const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
    times: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});
const [scene, way] = positionals;
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ...(scene === 'move'
    ? ([
        ['/usr/sbin/haproxy', 'haproxy'],
        ['/usr/sbin/pgbouncer', 'pgbouncer'],
        ['/usr/bin/socat', 'socat'],
      ] satisfies Part[])
    : []),
]);
if (scene === 'move')
  await playDrill('cells drill, move', async drill => {
    for (const one of ways.filter(name => way === undefined || name === way))
      await moveCell(drill, one, Number(values.times));
  });
if (scene === 'upgrade') await playDrill('cells drill, upgrade', upgradeCells);
const seed = Number(values.seed);
const pause = () => sleep((Number(values.seconds) * second) / 8);

await playDrill('cells drill', async drill => {
  const { see, onEnd } = drill;
  const stage = await openStage(drill);
  const say = (line: string) => console.log(`          ${line}`);
  const untilReady = () =>
    waitFor('all processes ready', () => stage.processes.all.every(one => one.isReady()), 5 * minute).catch(
      error => {
        const late = stage.processes.all.filter(one => !one.isReady());
        throw new Error(
          `${error.message}: ${late.map(one => `${one.name} said ${one.said().slice(-1500)}`)}`,
        );
      },
    );

  // From one database to two, with businesses in the first.
  const first = await stage.newServer();
  const traders = [await stage.openShop('chai', 0), await stage.openShop('books', 0)];
  const giver = await stage.openShop('giver', 0);
  const second_ = await stage.newServer();
  const standby = await giveStandby(second_);
  onEnd(() => standby.stop());
  const added = await stage.milaan('add-cell', second_.url, '--into', stage.file);
  see('one command makes two databases of one', added.code === 0, added.err + added.out);
  const again = await stage.milaan('add-cell', second_.url.replace('127.0.0.1', 'localhost'));
  see('a database that is a cell is refused', again.code === 1 && /already/.test(again.err), again.err);
  await stage.startProcesses();
  await untilReady();
  traders.push(await stage.openShop('saree', 1), await stage.openShop('spice', 1));
  const taker = await stage.openShop('taker', 1);
  const books = traders[1]!;
  say(`${stage.processes.all.length} processes, ${stage.servers.length} databases, one address`);

  const checkout = openCheckout(
    { merchants: traders, processes: { ...stage.processes, of: () => [{ url: stage.address }] } as never },
    newDice(seed, 'till'),
  );
  const bank = openBank({ merchants: traders, deliver: stage.deliver }, newDice(seed, 'bank'));
  const load = startLoad(checkout, bank, newDice(seed, 'cells'));
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));
  await pause();

  // A third: nobody opens a business in it before each process has the new file.
  const third = await stage.newServer();
  const grown = await stage.milaan('add-cell', third.url);
  see('a third is added while orders flow', grown.code === 0, grown.err + grown.out);
  for (const one of stage.processes.all) {
    await one.end('SIGTERM', 0);
    await waitFor(`${one.name} again`, () => one.isReady(), 2 * minute);
  }
  const toys = await stage.openShop('toys', 2);
  traders.push(toys);
  const listed = await stage.milaan('list-cells');
  see(
    'list-cells tells of three',
    listed.code === 0 && listed.out.split('\n').filter(line => /^cell \d/.test(line)).length === 3,
    listed.out + listed.err,
  );
  await pause();

  // One database dies, and comes back.
  await crash(third, async () => {
    const during = await ask(stage.address, books);
    see('businesses of other databases are served meanwhile', during.status === 200, JSON.stringify(during));
    const away = await ask(stage.address, toys);
    see(
      'those of the dead one get 503 with Retry-After',
      away.status === 503 && away.retry !== null,
      JSON.stringify(away),
    );
    await sleep(3 * second);
  });
  // Cell 0 dies: another cell creates and confirms.
  await crash(first, async () => {
    const made = await order(stage, toys, 2345, 'without cell 0');
    const mail = bankMail([toys.address], made.payable);
    bank.paid.set(made.orderId, {
      order: { orderId: made.orderId } as never,
      references: new Set([mail.reference]),
    });
    const since = performance.now();
    await stage.deliver(toys, mail.raw, 'INBOX', 'mailbox');
    await waitFor(
      'its payment',
      async () => /"status":"paid"/.test((await ask(stage.address, toys)).body),
      1 * minute,
    );
    see('while cell 0 is down a payment of another cell is confirmed', true);
    say(`cell 0 down: mail to paid in ${((performance.now() - since) / second).toFixed(1)} s`);
  });
  // The standby of the second takes over.
  await failOver(second_, standby);
  await pause();

  // An address that was another's, and its old mail again.
  await untilReady();
  const given = await order(stage, giver, 3210, 'given');
  const oldMail = bankMail([giver.address], given.payable);
  bank.paid.set(given.orderId, {
    order: { orderId: given.orderId } as never,
    references: new Set([oldMail.reference]),
  });
  await stage.deliver(giver, oldMail.raw, 'INBOX', 'mailbox');
  await waitFor(
    'its payment',
    async () => (await stored(stage, given.orderId))[0]?.status === 'paid',
    2 * minute,
  );
  await giveMailbox(stage, giver, taker);
  const bait = await baitFor(stage, taker, given.payable);
  await stage.deliver(giver, oldMail.raw, 'INBOX', 'mailbox');
  await stage.deliver(giver, oldMail.raw, 'Junk', 'mailbox');
  const fresh = await order(stage, taker, 4321, 'fresh');
  const freshMail = bankMail([giver.address], fresh.payable);
  bank.paid.set(fresh.orderId, {
    order: { orderId: fresh.orderId } as never,
    references: new Set([freshMail.reference]),
  });
  await stage.deliver(giver, freshMail.raw, 'INBOX', 'mailbox');
  await waitFor(
    'the new owner is paid',
    async () => (await stored(stage, fresh.orderId))[0]?.status === 'paid',
    2 * minute,
  );
  const [baited] = await stored(stage, bait);
  see('an address passes to a business of another database', true);
  see(
    'a mail that was counted before pays nothing there',
    baited?.status === 'pending',
    JSON.stringify(baited),
  );

  // One mail to two.
  const pair = await sameAmount(stage, books, toys, 5432);
  const both = bankMail([books.address, toys.address], pair.first.payable);
  await Promise.all([books, toys].map(one => stage.deliver(one, both.raw, 'INBOX', 'mailbox')));
  const statuses = async () =>
    (await Promise.all([pair.first, pair.second].map(({ orderId }) => stored(stage, orderId)))).flat();
  await waitFor(
    'both of them',
    async () => (await statuses()).every(({ status }) => status === 'manual_review'),
    2 * minute,
  );
  await pause();
  await load.stop();
  const open = await settle(stage, bank);
  see(
    'one mail to businesses of two databases waits for a person in both',
    (await statuses()).every(({ status }) => status === 'manual_review'),
    JSON.stringify(await statuses()),
  );

  const replayed = await verdictOf(stage, taker, oldMail.raw);
  see('and the mail that was counted before was judged there', replayed !== 'paid', String(replayed));
  const both_ = [await verdictOf(stage, books, both.raw), await verdictOf(stage, toys, both.raw)].sort();
  see('and was judged in both', both_.join(' ') === 'no_order no_order', both_.join(' '));
  see('every mail is judged and every webhook told', open === null, open ?? '');
  await Promise.all(stage.processes.all.map(one => one.stop()));
  const violations = await findViolations(stage, checkout, bank);
  see(
    `${checkout.created} orders acknowledged, each in one database; ${bank.paid.size} payments, each once; ${stage.shop.notified.size} webhooks told; verify over all`,
    violations.length === 0 && checkout.created > 50 && bank.paid.size > 20,
    violations.join('\n'),
  );
  say(
    `answers that were not orders: ${[...checkout.refused].map(([what, count]) => `${what} ${count}`).join(', ') || 'none'}`,
  );
});

async function ask(
  url: string,
  { apiKey }: Merchant,
): Promise<{ status: number; retry: string | null; body: string }> {
  const answer = await fetch(`${url}/api/v1/orders?limit=1`, {
    headers: { 'x-api-key': apiKey },
    signal: AbortSignal.timeout(15 * second),
  });
  return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.text() };
}

/** An open order that this amount would pay. */
async function baitFor(stage: CellsStage, merchant: Merchant, payable: number): Promise<string> {
  for (let count = 0; count < 150; count++) {
    const made = await order(stage, merchant, 3210, `bait-${count}`);
    if (made.payable === payable) return made.orderId;
  }
  throw new Error('no order asks for the old amount');
}
