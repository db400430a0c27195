import { saveBankEntry } from '../../src/alerts/book/bank-entries.ts';
import type { TestWorld } from './test-world.ts';

/** An installation that has heard of two banks for a month, with a line that waits and an entry that is saved. */
export async function addWatchedBanks(world: TestWorld): Promise<{ lineId: number; entryId: number }> {
  const { sql, clock } = world;
  const now = clock.now();
  await sql`
    insert into bank_verdicts (bank, day, verdict, mails)
    select b.bank, (${now}::timestamptz at time zone 'Asia/Kolkata')::date - n, v.verdict, (v.most * (n % 7 + 1)) / 7 + 1
    from generate_series(0, 29) n, (values ('hdfc'), ('idfc-first')) b (bank),
      (values ('paid', 42), ('unreadable', 3), ('forged', 1), ('retrying', 2), ('not_a_credit', 20)) v (verdict, most)`;
  await sql`
    insert into bank_skeletons (bank, template, hash, skeleton, mails, first_seen, last_seen) values
      ('hdfc', 'upi-credit', 'a', ${'{greeting}\n{statement}\nFor any query call #.'}, 1204, ${now}::timestamptz - interval '29 days', ${now}),
      ('hdfc', 'upi-credit', 'b', ${'{greeting}\nWe wish you a happy Diwali.\n{statement}\nFor any query call #.'}, 3, ${now}::timestamptz - interval '1 day', ${now})`;
  await sql`
    insert into bank_sources (bank, kind, source, mails, first_seen, last_seen) values
      ('hdfc', 'sender', 'alerts@hdfcbank.net', 1207, ${now}::timestamptz - interval '29 days', ${now}),
      ('hdfc', 'domain', 'hdfcbank.net', 1207, ${now}::timestamptz - interval '29 days', ${now}),
      ('hdfc', 'unlisted_domain', 'hdfcbank.bank.in', 2, ${now}::timestamptz - interval '1 day', ${now})`;
  const [line] = await sql<{ line_id: number }[]>`
    insert into held_lines (bank, line, surroundings, first_seen) values
      ('hdfc', 'As on {date} we are happy to tell you', ${'{greeting}\nAs on # we are happy to tell you\n{statement}\nFor any query call #.'}, ${now})
    returning line_id`;
  const entry = { id: 'hdfc', openings: ['A very warm welcome to you.'] };
  const { entryId } = await sql.begin(tx =>
    saveBankEntry(tx, world, entry, { actor: 'operator@shop.example', address: '192.0.2.1' }),
  );
  await world.banks.reload(world);
  return { lineId: line!.line_id, entryId };
}
