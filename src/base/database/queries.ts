import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './connect.ts';

/** More than a page, and not to be compressed. */
const filling = 8_000;
/** Milliseconds. */
const briefly = 200;

export async function writeTrial(sql: Sql, now: Date): Promise<void> {
  await sql`update write_trials set written_at = ${now} where trial = 1`;
}

/**
 * The locks that an order takes, and gone again. Orders that are being stored do not stand in the way of it: whoever
 * does keeps every order out. A vacuum that gives space back does so for a moment, so it is tried twice.
 */
export async function tryOrderLocks(sql: Sql): Promise<void> {
  const take = () =>
    sql.begin(async tx => {
      await tx`lock table orders, amounts in row exclusive mode nowait`;
    });
  await take().catch(async error => {
    if ((error as { code?: string }).code !== '55P03') throw error;
    await sleep(briefly);
    await take();
  });
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
