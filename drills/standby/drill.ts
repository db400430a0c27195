import { join } from 'node:path';
import { second } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { connectShop, type LiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { check, type Found, notifiedPaid } from './check.ts';
import { openLine } from './line.ts';
import type { Load } from './load.ts';
import { type Postgres, startPrimary } from './postgres.ts';

/** All scenes have this: Debian's PostgreSQL, and a shop whose bank writes to a real mailbox. */
export type Fixture = Stage & { bin: string; shop: LiveShop };

/** The service on this database, as an operator starts it. */
export function serviceOn(
  { folder, shop, onEnd }: Fixture,
  databaseUrl: string,
  more: Record<string, string> = {},
) {
  const secretKey = newSecretKey();
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    ...more,
  };
  return {
    env,
    async start(...roles: string[]): Promise<Program> {
      const program = await startReady(folder, { env, args: roles });
      onEnd(async () => {
        program.child.kill('SIGTERM');
        await program.ended;
      });
      return program;
    },
    /** The shop's business, once a process has made the schema. Answers its API key. */
    addShop: async () => (await connectShop(shop, databaseUrl, secretKey)).apiKey,
  };
}

/** A primary behind an address that stays when a standby takes its place. */
export async function openPair({ folder, onEnd }: Fixture, bin: string) {
  let serving = await startPrimary(bin, join(folder, 'server-0'));
  onEnd(() => serving.stop());
  const line = await openLine(serving.port);
  onEnd(() => line.stop());
  return {
    url: serving.url.replace(`:${serving.port}/`, `:${line.port}/`),
    serving: () => serving,
    /** The primary dies, and this standby is promoted. */
    async failOver(standby: Postgres): Promise<void> {
      line.point(null);
      await serving.kill();
      standby.following?.point(null);
      await standby.run('select pg_promote(true, 60)');
      line.point(standby.port);
      serving = standby;
    },
  };
}

export async function makeSynchronous(primary: Postgres): Promise<void> {
  await untilFollowing(primary);
  await waitFor('the standby to be synchronous', async () => {
    await ask(primary, "alter system set synchronous_standby_names = '*'");
    await ask(primary, 'select pg_reload_conf()');
    return (await ask(primary, "select from pg_stat_replication where sync_state = 'sync'")).length > 0;
  });
}

export async function untilFollowing(primary: Postgres): Promise<void> {
  await waitFor(
    'the standby to follow',
    async () => (await ask(primary, "select from pg_stat_replication where state = 'streaming'")).length > 0,
  );
}

/** A server whose clock was set ends connections that were about to begin, so callers ask again. */
async function ask(primary: Postgres, statement: string): Promise<Record<string, unknown>[]> {
  return await primary.run(statement).catch(() => []);
}

/** Waits until every payment is found and every shop was notified, and answers what is missing then. */
export async function settle(
  { shop, onEnd }: Pick<Fixture, 'shop' | 'onEnd'>,
  { promised }: Pick<Load, 'promised'>,
  databaseUrls: string | readonly string[],
  patience: number,
): Promise<Found> {
  const databases = [databaseUrls].flat().map(url => connect(url, { most: 2 }));
  onEnd(() => Promise.all(databases.map(sql => sql.end())));
  const isSettled = async () =>
    (await check(databases, shop, promised)).unpaid.length === 0 &&
    [...promised.mailed].every(id => notifiedPaid(shop).has(id));
  await waitFor('every payment found and told', isSettled, patience).catch(() => {});
  return await check(databases, shop, promised);
}

export function seeNothingLost(
  { shop, see }: Pick<Fixture, 'shop' | 'see'>,
  { promised, silence }: Pick<Load, 'promised' | 'silence'>,
  found: Found,
): void {
  const lost = found.lostOrders.length + found.lostPayments.length + found.unpaid.length;
  const counts = `${promised.orders.size} created, ${found.paid} paid, ${notifiedPaid(shop).size} webhooks, ${lost} lost`;
  console.log(`  ladder  ${counts}, longest silence ${(silence() / second).toFixed(1)} s`);
  const { orders, replays, refusals } = promised;
  see(
    `${orders.size} orders acknowledged (${replays} of them when sent again; ${refusals} times told to wait): none is lost`,
    found.lostOrders.length === 0,
    found.lostOrders.join(),
  );
  see(
    `${notifiedPaid(shop).size} payments told: none is lost, none was missed`,
    found.lostPayments.length + found.unpaid.length === 0,
    [...found.lostPayments, ...found.unpaid].join(),
  );
}

/** `milaan verify`, as the operator runs it. */
export async function seeVerified({ see }: Fixture, env: Record<string, string>): Promise<void> {
  const { code, out, err } = await runMilaan(env, 'verify');
  see('verify finds no rule broken', code === 0, out + err);
}

/** Waits for so many further orders. The program has to be the one that was started: nobody restarts it. */
export async function more(
  { promised }: Load,
  program: Program,
  count: number,
  patience = 120 * second,
): Promise<void> {
  const wanted = promised.orders.size + count;
  await waitFor(
    `${count} orders more`,
    () => {
      if (program.child.exitCode !== null) throw new Error(`the service ended:\n${program.output()}`);
      return promised.orders.size >= wanted;
    },
    patience,
  );
}
