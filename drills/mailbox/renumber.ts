import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second, stopwatch } from '../../src/base/clock.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';
import { plainMail } from '../../test/support/test-mailbox.ts';
import { openTestWorld } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');
const bankSender = 'alerts@hdfcbank.net';
/** Of the mails that lie there so many are from the bank's address. */
const alerts = 1_000;
/** A file system gives one file so many names, and more. */
const copies = 20_000;
const longest = 20 * minute;

/**
 * A mailbox with many mails of today comes back with another UIDVALIDITY, and orders are paid while it is read anew.
 * Answers after how many milliseconds the shop was told of each, and how long it took until nothing was left to read.
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
    let program = await startReady(dataDir, { env });
    const stop = async () => {
      program.child.kill('SIGTERM');
      await program.ended;
    };
    ends.push(() => stop());
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

    await waitFor('the first look', async () => (await position()) !== undefined);
    await stop();
    const written = stopwatch();
    const bulk = (from: string) => plainMail({ from, to: box!.address });
    for (let left = count - alerts; left > 0; left -= copies)
      await shop.dovecot.deliverCopies(box!.address, bulk('offers@news.example'), Math.min(left, copies));
    for (let at = 0; at < alerts; at++) await shop.dovecot.deliver(box!.address, bulk(bankSender));
    // As if all of them had been read under numbers of before: a session that is open would keep those alive.
    await shop.dovecot.forgetUids(box!.address);
    const before = (await position())!.uidvalidity;
    say(`${count} mails, ${alerts} of them of the bank's address, lie there after ${seconds(written())}`);

    program = await startReady(dataDir, { env });
    const reading = stopwatch();
    const delays = [await payOne()];
    say(`the first alert of now told after ${seconds(delays[0]!)}`);
    const isOver = async () => {
      const now = await position();
      return now !== undefined && now.uidvalidity !== before && now.rest_below === null;
    };
    while (!(await isOver()) && reading() < longest) {
      delays.push(await payOne());
      await sleep(2 * second);
    }
    const took = reading();
    const [stored] = await world.sql<{ count: number }[]>`select count(*) as count from alerts`;
    return { delays, took, isWhole: stored!.count === alerts + shop.mails() };
  } finally {
    for (const end of ends.reverse()) await end().catch(() => {});
    removeDataDir(dataDir);
  }
}

export const seconds = (milliseconds: number) => `${(milliseconds / second).toFixed(1)} s`;
