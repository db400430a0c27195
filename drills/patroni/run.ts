import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { install } from '../../test/support/install.ts';
import { connectShop, openLiveShop } from '../../test/support/live-shop.ts';
import { startReady } from '../../test/support/program.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { check, toldPaid } from '../standby/check.ts';
import { startLoad } from '../standby/load.ts';
import { debianPostgres } from '../standby/postgres.ts';
import { startCluster } from './cluster.ts';

/**
 * `npm run drill -- patroni [--rounds 3]`: the leader of a cluster of three is killed at random moments under load.
 * What was acknowledged is there afterwards, and the old leader comes back as a standby by itself.
 */
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/bin/patroni', 'patroni'],
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const patience = 240_000;

await playDrill('Patroni drill', async ({ folder, onEnd, see }) => {
  const cluster = await startCluster(debianPostgres() ?? '', folder);
  onEnd(() => cluster.stop());
  const maintenance = connect(cluster.url.replace(/milaan$/, 'postgres'), { most: 1 });
  await waitFor(
    'HAProxy',
    () =>
      maintenance.unsafe('create database milaan').then(
        () => true,
        () => false,
      ),
    patience,
  );
  await maintenance.end();
  see('three PostgreSQL under Patroni, three etcd, one HAProxy', true);
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const secretKey = newSecretKey();
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: cluster.url,
    SECRET_KEY: secretKey,
  };
  const program = await startReady(folder, { env });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const { apiKey } = await connectShop(shop, cluster.url, secretKey);
  const load = startLoad(shop, program.url, apiKey);
  onEnd(() => Promise.race([load.stop(), sleep(5_000)]));
  const leader = () =>
    waitFor(
      'a leader',
      async () => {
        for (const member of cluster.members) if ((await member.state())?.role === 'master') return member;
        return null;
      },
      patience,
    );

  for (let round = 1; round <= Number(values.rounds); round++) {
    const first = await leader();
    const wanted = load.promised.orders.size + 60;
    await waitFor('orders', () => load.promised.orders.size >= wanted, patience);
    await sleep(Math.random() * 5_000);
    await waitFor('a successor', () => first.knowsSuccessor(), patience);
    const killedAt = performance.now();
    const acknowledged = load.promised.orders.size;
    await first.kill();
    await waitFor('orders after the takeover', () => load.promised.orders.size > acknowledged + 6, patience);
    const away = ((performance.now() - killedAt) / 1000).toFixed(0);
    const next = await leader();
    see(
      `round ${round}: ${first.name} killed after ${acknowledged} orders; ${next.name} leads, orders go on ${away} s later`,
      next !== first,
    );
    first.start();
    const timeline = (await next.state())?.timeline;
    const isBack = await waitFor(
      'the old leader',
      async () => {
        const state = await first.state();
        return state?.role === 'replica' && state.timeline === timeline ? true : null;
      },
      patience,
    ).catch(() => false);
    see(`round ${round}: ${first.name} comes back as a standby by itself`, isBack === true);
  }
  await load.stop();
  const sql = connect(cluster.url, { most: 2 });
  onEnd(() => sql.end());
  const isSettled = async () =>
    (await check(sql, shop, load.promised)).unpaid.length === 0 &&
    [...load.promised.mailed].every(id => toldPaid(shop).has(id));
  await waitFor('every payment found and told', isSettled, patience).catch(() => {});
  const { lostOrders, lostPayments, unpaid } = await check(sql, shop, load.promised);
  see(
    `${load.promised.orders.size} orders acknowledged (${load.promised.refusals} times told to wait): none is lost`,
    lostOrders.length === 0,
    lostOrders.join(),
  );
  see(
    `${toldPaid(shop).size} payments told: none is lost, none was missed`,
    lostPayments.length + unpaid.length === 0,
    [...lostPayments, ...unpaid].join(),
  );
  // The service's role is no superuser where somebody else runs the cluster.
  await sql.unsafe(`create role watcher login password 'watch' in role ${new URL(cluster.url).username}`);
  const asWatcher = cluster.url.replace(/\/\/[^@]+@/, '//watcher:watch@');
  const standbyLine = async () =>
    /^(?:ok|WARNING|FAULT) +standby.*$/m.exec(
      (await runMilaan({ ...env, DATABASE_URL: asWatcher }, 'doctor')).out,
    )?.[0] ?? '';
  const unseen = await standbyLine();
  await sql.unsafe('grant pg_monitor to watcher');
  const seen = await standbyLine();
  see(
    'the doctor sees the standbys in step, and says when its role may not see it',
    /^WARNING .*cannot be seen/.test(unseen) && /^ok .*2 following, [12] in step/.test(seen),
    `${unseen}\n${seen}`,
  );
  const verified = await runMilaan(env, 'verify');
  see('verify finds no rule broken', verified.code === 0, verified.out + verified.err);
});
