import type { Queryable } from '../../../base/database/connect.ts';

/** Returns the number of guesses in the current window, including this one. */
export async function countGuess(sql: Queryable, subject: Buffer, now: Date, windowEnds: Date) {
  const [row] = await sql<{ failures: number }[]>`
    insert into guesses (subject, failures, window_ends) values (${subject}, 1, ${windowEnds})
    on conflict (subject) do update set
      failures = case when guesses.window_ends <= ${now} then 1 else guesses.failures + 1 end,
      window_ends = case when guesses.window_ends <= ${now} then excluded.window_ends else guesses.window_ends end
    returning failures`;
  return row!.failures;
}

/** Takes back `count` guesses, or all if null. */
export async function forgetGuesses(sql: Queryable, subject: Buffer, count: number | null): Promise<void> {
  await sql`
    update guesses set failures = greatest(0, failures - coalesce(${count}::int, failures)) where subject = ${subject}`;
}

export async function forgetOldGuesses(sql: Queryable, now: Date): Promise<void> {
  await sql`
    delete from guesses where subject in (
      select subject from guesses where window_ends <= ${now} limit 100 for update skip locked)`;
}
