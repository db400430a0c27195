import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/base/database/connect.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startCluster } from './cluster.ts';
import { type Fixture, more, seeNothingLost, seeVerified, serviceOn, settle } from './drill.ts';
import { ladderCustomers, startLoad } from './load.ts';

const patience = 240_000;

/**
 * The leader of a cluster of three is killed at random moments under load. What was acknowledged is there afterwards,
 * and the old leader comes back as a standby by itself.
 */
export const killLeader = (rounds: number) => async (fixture: Fixture) => {
  const { bin, folder, shop, onEnd, see } = fixture;
  const cluster = await startCluster(bin, folder);
  onEnd(() => cluster.stop());
  const maintenance = connect(cluster.url.replace(/milaan$/, 'postgres'), { most: 1 });
  const create = () =>
    maintenance.unsafe('create database milaan').then(
      () => true,
      () => false,
    );
  await waitFor('HAProxy', create, patience);
  await maintenance.end();
  see('three PostgreSQL under Patroni, three etcd, one HAProxy', true);
  const service = serviceOn(fixture, cluster.url);
  const program = await service.start();
  const load = startLoad(shop, program.url, await service.addShop(), ladderCustomers);
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

  for (let round = 1; round <= rounds; round++) {
    const first = await leader();
    await more(load, program, 60, patience);
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
  seeNothingLost(fixture, load, await settle(fixture, load, cluster.url, patience));
  await seeDoctor(fixture, cluster.url, service.env);
  await seeVerified(fixture, service.env);
};

/** The service's role is no superuser if somebody else runs the cluster. */
async function seeDoctor({ see, onEnd }: Fixture, url: string, env: Record<string, string>): Promise<void> {
  const sql = connect(url, { most: 1 });
  onEnd(() => sql.end());
  await sql.unsafe(`create role watcher login password 'watch' in role ${new URL(url).username}`);
  const asWatcher = url.replace(/\/\/[^@]+@/, '//watcher:watch@');
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
}
