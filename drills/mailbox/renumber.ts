import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second, stopwatch } from '../../src/base/clock.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';
import { plainMail } from '../../test/support/test-mailbox.ts';
import { openTestWorld } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');
const bankSender = 'alerts@hdfcbank.net';
/** Of the mails that lie there one in ten is from the bank's address. */
const bankShare = 10;
const longest = 20 * minute;

/**
 * A mailbox with many mails of today is read whole, its server numbers all of them anew, and orders are paid while it is
 * read again. Answers after how many milliseconds the shop was told of each, and how long the reading took before and after.
 */
export async function renumber(count: number, say: (line: string) => void) {
  const [world, shop, dataDir] = [await openTestWorld(), await openLiveShop(), newDataDir()];
  const ends: (() => Promise<unknown>)[] = [() => world.stop(), () => shop.stop()];
  try {
    const env = {
      ...shop.env,
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: world.databaseUrl,
      SECRET_KEY: secretKey,
    };
    const { apiKey, merchantId } = await connectShop(shop, world.databaseUrl, secretKey);
    const [box] = await world.sql<{ address: string }[]>`
      select address from mailboxes where merchant_id = ${merchantId}`;
    const program = await startReady(dataDir, { env });
    ends.push(async () => {
      program.child.kill('SIGTERM');
      await program.ended;
    });
    const payOne = async () => {
      const { order } = await createPatiently(program.url, apiKey, { webhook_url: shop.receiver.url });
      const taken = stopwatch();
      await shop.bankWrites(order.payable_amount);
      await waitFor(
        `the webhook of ${order.order_id}`,
        () => shop.receiver.received.some(({ body }) => body.includes(order.order_id)),
        longest,
      );
      return taken();
    };
    const position = async () =>
      (
        await world.sql<{ uidvalidity: number; next_uid: number; rest_below: number | null }[]>`
          select uidvalidity, next_uid, rest_below from mailbox_positions
          where merchant_id = ${merchantId} and folder = 'INBOX'`
      )[0];

    const first = stopwatch();
    for (let at = 0; at < count; at += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, next) => {
          const from = (at + next) % bankShare === 0 ? bankSender : `shop${next}@news.example`;
          return shop.dovecot.deliver(box!.address, plainMail({ from, to: box!.address }));
        }),
      );
    say(`${count} mails lie there after ${seconds(first())}`);
    await waitFor('all of them read', async () => ((await position())?.next_uid ?? 0) > count, longest);
    say(`all are read after ${seconds(first())}`);

    const before = (await position())!.uidvalidity;
    await shop.dovecot.forgetUids(box!.address);
    const reading = stopwatch();
    const delays = [await payOne()];
    say(`renumbered: the first alert of now told after ${seconds(delays[0]!)}`);
    const isOver = async () => {
      const now = await position();
      return now !== undefined && now.uidvalidity !== before && now.rest_below === null;
    };
    while (!(await isOver()) && reading() < longest) {
      say(JSON.stringify(await position()));
      delays.push(await payOne());
      await sleep(2 * second);
    }
    const took = reading();
    const [stored] = await world.sql<{ count: number }[]>`select count(*) as count from alerts`;
    return { delays, took, isWhole: stored!.count === Math.ceil(count / bankShare) + shop.mails() };
  } finally {
    for (const end of ends.reverse()) await end().catch(() => {});
    removeDataDir(dataDir);
  }
}

export const seconds = (milliseconds: number) => `${(milliseconds / second).toFixed(1)} s`;
