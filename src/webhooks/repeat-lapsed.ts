import type { World } from '../world.ts';
import { repeatLapsedDeliveries } from './queries/record.ts';
import { interrupted } from './reason-of-failure.ts';

const most = 1000;

/** What a sender that was killed had in hand: sent or not, nobody knows, so it is sent (again), under the same id. */
export async function repeatLapsed({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  return await repeatLapsedDeliveries(sql, { now: clock.now(), most, failure: interrupted });
}
