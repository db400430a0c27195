import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { createPatiently, type LiveShop, openLiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { more, seeNothingLost, settle } from '../standby/drill.ts';
import { openLine } from '../standby/line.ts';
import { joinPromises, ladderCustomers, startLoad } from '../standby/load.ts';
import { debianPostgres, startPrimary } from '../standby/postgres.ts';
import { released, root, run } from '../two-versions/trees.ts';

const settleLimit = 2 * minute;
/** For this long the drill waits for a payment while cell 0 is down. */
const downFor = 40 * second;

/** An installation of release 0.2.0 with two databases and a moved business becomes one of this version. */
export async function upgradeCells(stage: Stage): Promise<void> {
  const { folder, onEnd, see } = stage;
  const old = await released(folder);
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const [home, other] = [await openServer(stage, 'home'), await openServer(stage, 'other')];
  const [file, secretKey] = [join(folder, 'cells.json'), newSecretKey()];
  const common = { ...shop.env, PUBLIC_URL: 'https://pay.example.in', SECRET_KEY: secretKey };
  const env = { ...common, CELLS_FILE: file };
  const milaan = (tree: string, ...args: string[]) => run(process.execPath, command(args), tree, env);
  const start = (tree: string, settings: Record<string, string> = env) => startIn(stage, tree, settings);

  const alone = await start(old.tree, { ...common, DATABASE_URL: home.url });
  const { connectShop } = await import(`${old.tree}/test/support/live-shop.ts`);
  const { apiKey, merchantId } = await connectShop(shop, home.url, secretKey);
  await stop(alone);
  const added = await run(process.execPath, command(['cells', 'add', other.url, '--into', file]), old.tree, {
    ...common,
    DATABASE_URL: home.url,
  });
  see('0.2.0 adds a second database', added.code === 0, added.said);
  const before = await start(old.tree);
  const first = startLoad(shop, before.url, apiKey, ladderCustomers);
  await more(first, before, 40);
  const moved = await milaan(old.tree, 'cells', 'move-business', String(merchantId), '1');
  see('0.2.0 moves the business under traffic', moved.code === 0, moved.said);
  await more(first, before, 40);
  await first.stop();
  await settle({ shop, onEnd }, first, other.url, settleLimit);
  await payWithoutHome(shop, home.line, before, apiKey, '0.2.0');

  const early = await milaan(root, 'upgrade');
  see('upgrade refuses while 0.2.0 runs', early.code === 1 && isSentence(early.said), early.said);
  await stop(before);
  const refused = await milaan(root, 'upgrade');
  see(
    'upgrade refuses a moved business, asks for cells tidy of 0.2.0, and prints ranges',
    refused.code === 1 && isSentence(refused.said) && /cells tidy of 0\.2\.0/.test(refused.said),
    refused.said,
  );
  const started = await start(root).then(
    () => 'it started',
    error => String(error),
  );
  see('so does a start', /cells tidy of 0\.2\.0/.test(started), started);
  writeRanges(file, refused.said);
  const hasty = await milaan(root, 'upgrade');
  see(
    'upgrade refuses what the move left in cell 0, although the ranges are right',
    hasty.code === 1 && isSentence(hasty.said) && /cells tidy of 0\.2\.0/.test(hasty.said),
    hasty.said,
  );
  // A day passes.
  const sql = connect(home.url, { most: 1 });
  onEnd(() => sql.end());
  await sql`update merchants set moved_at = moved_at - interval '25 hours' where moved_at is not null`;
  const tidied = await milaan(old.tree, 'cells', 'tidy');
  see('a day later 0.2.0 tidies', tidied.said.includes(`removed ${merchantId}`), tidied.said);
  const upgraded = await milaan(root, 'upgrade');
  see('upgrade migrates both databases', upgraded.code === 0, upgraded.said);
  const late = await start(old.tree).then(
    () => 'it started',
    error => String(error),
  );
  see('0.2.0 starts no more', /newer version/.test(late), late);

  const now = await start(root);
  const second_ = startLoad(shop, now.url, apiKey, ladderCustomers);
  await more(second_, now, 40);
  await second_.stop();
  await settle({ shop, onEnd }, second_, other.url, settleLimit);
  const paid = await payWithoutHome(shop, home.line, now, apiKey, 'this version');
  see('with cell 0 down a payment of the other cell is confirmed', paid !== null);
  const promised = joinPromises([first, second_]);
  const found = await settle({ shop, onEnd }, { promised }, other.url, settleLimit);
  seeNothingLost({ shop, see }, { promised, silence: () => second_.silence() }, found);
  const verified = await milaan(root, 'verify');
  see('verify finds no rule broken', verified.code === 0, verified.said);
}

async function openServer({ folder, onEnd }: Stage, name: string) {
  const server = await startPrimary(debianPostgres() ?? '', join(folder, name));
  const line = await openLine(server.port);
  onEnd(async () => {
    await server.stop();
    await line.stop();
  });
  const point = (isUp: boolean) => line.point(isUp ? server.port : null);
  return { url: server.url.replace(`:${server.port}/`, `:${line.port}/`), line: point };
}

const command = (args: string[]) => ['src/cli.ts', '--env-file=/dev/null', ...args];

async function startIn({ folder, onEnd }: Stage, cwd: string, env: Record<string, string>): Promise<Program> {
  const program = await startReady(folder, { env, cwd });
  onEnd(() => stop(program));
  return program;
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** Creates and pays an order while cell 0 is down. Prints and returns the time from mail to paid; null if none came. */
async function payWithoutHome(
  shop: LiveShop,
  pointHome: (isUp: boolean) => void,
  { url }: Program,
  apiKey: string,
  who: string,
): Promise<number | null> {
  pointHome(false);
  await sleep(2 * second);
  const wish = { amount: 900_000 + shop.mails(), webhook_url: shop.receiver.url };
  const { order } = await createPatiently(url, apiKey, wish);
  const isPaid = async () => {
    const answer = await fetch(`${url}/api/v1/orders/${order.order_id}`, {
      headers: { 'x-api-key': apiKey },
    });
    return answer.ok && /"status":"paid"/.test(await answer.text());
  };
  const since = performance.now();
  const elapsed = () => performance.now() - since;
  await shop.bankWrites(order.payable_amount);
  const paid = await waitFor('its payment', isPaid, downFor).then(elapsed, () => null);
  pointHome(true);
  const outcome =
    paid === null ? `not paid in ${downFor / second} s` : `paid in ${(paid / second).toFixed(1)} s`;
  console.log(`          ${who}, cell 0 down: an order is created, and ${outcome}`);
  await waitFor('its payment', isPaid, settleLimit);
  return paid;
}

/** Replaces the file's ranges with those that `upgrade` printed. */
function writeRanges(file: string, said: string): void {
  const ranges = said
    .split('\n')
    .filter(line => /^\s*\{"from"/.test(line))
    .map(line => JSON.parse(line));
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ranges }));
}

function isSentence(said: string): boolean {
  return !/\n {4}at /.test(said);
}
