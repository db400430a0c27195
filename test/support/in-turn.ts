import type { TestWorld } from './test-world.ts';
import { waitFor } from './wait-for.ts';

type Request = () => Promise<{ statusCode: number }>;

/**
 * Sends the second request while the first is not yet committed: that one waits for the audit log of its business, and
 * the second for the first, for the same log, or for nothing.
 */
export async function inTurn(
  { sql }: Pick<TestWorld, 'sql'>,
  merchantId: number,
  first: Request,
  second: Request,
): Promise<number[]> {
  const answers: ReturnType<Request>[] = [];
  let open = 0;
  await sql.begin(async tx => {
    await tx`insert into audit_heads (merchant_id, seq, hash) values (${merchantId}, 0, '') on conflict do nothing`;
    await tx`select from audit_heads where merchant_id = ${merchantId} for update`;
    for (const request of [first, second]) {
      open++;
      const count = () => {
        open--;
      };
      const answer = request();
      answers.push(answer);
      void answer.then(count, count);
      await waitFor('the request to wait', async () => {
        const waiting =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return waiting.length === open;
      });
    }
  });
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
}
