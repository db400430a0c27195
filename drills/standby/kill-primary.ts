import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import {
  type Fixture,
  makeSynchronous,
  more,
  openPair,
  seeNothingLost,
  seeVerified,
  serviceOn,
  settle,
  untilFollowing,
} from './drill.ts';
import { startLoad } from './load.ts';
import { startStandby } from './postgres.ts';

/** How long the standby has fallen silent when the primary dies. Longer than a create may wait for its answer. */
const silence = 6 * second;
const settleLimit = 90 * second;

/**
 * Orders are created and paid without a pause; in each round the primary dies, its standby is promoted behind the same
 * address, and the service goes on. In every second round the standby hears nothing for some seconds before: the
 * primary then holds commits that no other server has. `isAsync` is the control: the primary waits for no standby, so a
 * loss must happen and be noticed.
 */
export const killPrimary = (rounds: number, isAsync: boolean) => async (fixture: Fixture) => {
  const { bin, folder, shop, onEnd, see } = fixture;
  const pair = await openPair(fixture, bin);
  const service = serviceOn(fixture, pair.url);
  const program = await service.start();
  const load = startLoad(shop, program.url, await service.addShop());
  // If anything fails, the customers must not run on for ever.
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));

  for (let round = 1; round <= rounds; round++) {
    const standby = await startStandby(bin, join(folder, `server-${round}`), pair.serving());
    await (isAsync ? untilFollowing(pair.serving()) : makeSynchronous(pair.serving()));
    await more(load, program, 100);
    const isSilent = isAsync || round % 2 === 0;
    if (isSilent) {
      standby.following?.pause();
      await sleep(silence);
    }
    const before = load.promised.orders.size;
    await pair.failOver(standby);
    await more(load, program, 50);
    const since = isSilent ? `, ${silence / second} s after its standby fell silent` : '';
    see(`round ${round}: primary killed after ${before} orders${since}; promoted, and orders go on`, true);
  }
  await load.stop();

  const found = await settle(fixture, load, pair.serving().url, isAsync ? 20 * second : settleLimit);
  if (isAsync) {
    const lost = found.lostOrders.length + found.lostPayments.length + found.unpaid.length;
    see(
      'the control lost orders, and the drill noticed',
      lost > 0,
      'it lost nothing: the drill proves nothing',
    );
    return;
  }
  seeNothingLost(fixture, load, found);
  await seeVerified(fixture, service.env);
};
