import fc from 'fast-check';
import { command, hasOrder, orderAt } from '../command.ts';
import { deliveredBy, writeLetter } from '../letter.ts';
import { arrive, judge, letterFor } from '../post.ts';

/** A mail seen before: the same bytes, or the same signature under other delivery headers. */
export const copy = fc
  .record({ letter: fc.nat({ max: 7 }), server: fc.constantFrom(0, 1, 2), merchant: fc.nat({ max: 1 }) })
  .map(params =>
    command(
      'copy',
      params,
      async (model, real) => {
        const { letter, raw } = model.letters.at(-1 - (params.letter % model.letters.length))!;
        const { address, extra } = real.merchants[params.merchant]!;
        const named = [...letter.to, ...(letter.cc ?? [])].map(one => one.toLowerCase());
        const addressed = named.includes(address) || named.includes(extra);
        await arrive(model, real, letter, {
          merchant: params.merchant,
          raw: params.server === 0 ? raw : deliveredBy(raw, params.server),
          verdict: addressed ? 'unjudged' : 'wrong_recipient',
        });
        await judge(model, real);
      },
      model => model.letters.length > 0,
    ),
  );

/** Everything at once and with nobody taking turns: some payments of one order, and copies of each. */
export const race = fc
  .record({
    order: fc.nat({ max: 7 }),
    payments: fc.integer({ min: 1, max: 3 }),
    copies: fc.integer({ min: 0, max: 2 }),
  })
  .map(params =>
    command(
      'race',
      params,
      async (model, real) => {
        const target = orderAt(model, params.order);
        for (let payment = 0; payment < params.payments; payment++) {
          const letter = letterFor(model, real, target);
          for (let server = 0; server <= params.copies; server++) {
            const raw = deliveredBy(writeLetter(letter), server);
            await arrive(model, real, letter, { merchant: target.merchant, raw });
          }
        }
        const met = await real.work({ together: true });
        // Which of them came first is the database's choice; the rest follows from it.
        const { sql } = real.api.world;
        const rows = await sql<{ alert_id: string }[]>`
          select a.alert_id
          from alerts a left join handled_credits h on h.merchant_id = a.merchant_id and h.alert_id = a.alert_id
          where a.alert_id in ${sql(met.map(one => one.alertId))}
          order by a.verdict = 'no_order' and a.table_row = 2 desc, a.verdict = 'paid' desc, h.state is not null desc, a.verdict <> 'duplicate' desc`;
        for (const { alert_id } of rows) model.confirm(alert_id, model.now);
      },
      hasOrder,
    ),
  );
