import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openOneAddress } from '../cells/one-address.ts';
import { startProcesses } from '../faults/processes.ts';
import { type Fixture, openPair, seeNothingLost, seeVerified, serviceOn, settle } from './drill.ts';
import { ladderCustomers, startLoad } from './load.ts';

/** Each role runs twice, like on two machines. */
const roles = ['web', 'web', 'mail', 'mail', 'deliver', 'deliver'] as const;
const settleLimit = 120 * second;

/** Each process of two machines is killed and comes back under load, one after the other; the database stays. */
export const killProcesses = (rounds: number) => async (fixture: Fixture) => {
  const { bin, folder, shop, onEnd, see } = fixture;
  const pair = await openPair(fixture, bin);
  const { env, addShop } = serviceOn(fixture, pair.url);
  const processes = await startProcesses(folder, env, roles, { clocks: false });
  onEnd(() => Promise.all(processes.all.map(one => one.stop())));
  const untilReady = () =>
    waitFor('all processes', () => processes.all.every(one => one.isReady()), settleLimit);
  await untilReady();
  const balancer = await openOneAddress(processes.of('web').map(({ url }) => Number(new URL(url).port)));
  onEnd(() => balancer.stop());
  const load = startLoad(shop, balancer.url, await addShop(), ladderCustomers);
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));
  for (let round = 1; round <= rounds; round++) {
    for (const one of processes.all) {
      await sleep(Math.random() * 3 * second);
      await one.end('SIGKILL', 2 * second);
      await untilReady();
    }
    see(`round ${round}: each of ${roles.length} processes killed, and orders go on`, true);
  }
  await load.stop();
  seeNothingLost(fixture, load, await settle(fixture, load, pair.url, settleLimit));
  see('no process ended by itself', processes.crashes.length === 0, processes.crashes.join('\n'));
  await seeVerified(fixture, env);
};
