import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import type { World } from '../../base/world.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './queries/claim-due.ts';
import { type Recorded, recordAttempt, recordDelivered, type Success } from './record-attempt.ts';

/** How long a success waits for company. The shop has its answer already; a crash meanwhile repeats the webhook. */
const gathering = 5;
/** Not all at once: while these are written the others still arrive, and their places are taken anew meanwhile. */
const mostTogether = 64;
const writersAtOnce = 2;

export type Recorder = (delivery: ClaimedDelivery, result: AttemptResult) => Promise<Recorded>;

type Waiting = Success & { resolve(recorded: Recorded): void; reject(error: unknown): void };

/** Records attempts: successes in batches; failures, which are few and have consequences, one by one. */
export function openRecorder(world: Pick<World, 'sql' | 'clock'>): Recorder {
  const waiting: Waiting[] = [];
  let writers = 0;

  async function write(): Promise<void> {
    writers++;
    await sleep(gathering);
    while (waiting.length > 0) {
      const together = waiting.splice(0, mostTogether);
      try {
        const recorded = await recordDelivered(world, together);
        for (const [place, { resolve }] of together.entries()) resolve(recorded[place]!);
      } catch (error) {
        await apart(together, error);
      }
    }
    writers--;
  }

  /** One that the database does not take must not take the others with it. */
  async function apart(together: readonly Waiting[], error: unknown): Promise<void> {
    const isTheirs = !isDatabaseAway(error);
    await Promise.all(
      together.map(async ({ delivery, result, resolve, reject }) => {
        if (isTheirs) await recordAttempt(world, delivery, result).then(resolve, reject);
        else reject(error);
      }),
    );
  }

  return (delivery, result) => {
    if (result.outcome !== 'delivered') return recordAttempt(world, delivery, result);
    return new Promise((resolve, reject) => {
      waiting.push({ delivery, result, resolve, reject });
      if (writers === 0 || (writers < writersAtOnce && waiting.length >= mostTogether)) void write();
    });
  };
}
