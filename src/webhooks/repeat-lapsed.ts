import type { World } from '../world.ts';
import { interruptedWords } from './failure-in-words.ts';
import { repeatLapsedDeliveries } from './queries/record.ts';

const most = 1000;

/** What a sender that was killed had in hand: sent or not, nobody knows, so it is sent (again), under the same id. */
export async function repeatLapsed({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  return await repeatLapsedDeliveries(sql, { now: clock.now(), most, failure: interruptedWords });
}
