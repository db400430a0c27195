import { randomBytes } from 'node:crypto';
import type { Sql } from './connect.ts';

/** More than a page, and not to be compressed. */
const filling = 8_000;

export async function writeTrial(sql: Sql, now: Date): Promise<void> {
  await sql`update write_trials set written_at = ${now} where trial = 1`;
}

/** Makes the table anew and takes it back: a file that did not exist needs space that must be there. */
export async function takeSpace(sql: Sql): Promise<void> {
  await sql
    .begin(async tx => {
      await tx`truncate write_trials`;
      await tx`insert into write_trials (trial, written_at, filling) values (1, 'epoch', ${randomBytes(filling)})`;
      throw new TakenBack();
    })
    .catch(error => {
      if (!(error instanceof TakenBack)) throw error;
    });
}

class TakenBack extends Error {}
