import type { RuleCheck } from '../../base/database/rule-check.ts';
import type { World } from '../../base/world.ts';
import { learnClaimKey } from './claim-credit.ts';
import { namesIn } from './claim-settled.ts';
import { selectMisclaimed, selectSettledNames } from './queries/settled-names.ts';

/** R2 over cells, of one of them. What cell 0 settled before there were others stands in its own tables. */
export function claimRules({ cells, cell }: Pick<World, 'cells' | 'cell'>): RuleCheck[] {
  if (!cells) return [];
  const sentence = 'What settled something in this cell is claimed in cell 0, for its business and no other.';
  return [
    {
      rule: 'R2',
      sentence,
      async breaches(sql) {
        const key = await learnClaimKey(cells);
        const lines: string[] = [];
        const businesses = await sql<
          { merchant_id: number }[]
        >`select merchant_id from merchants where merchant_id <> 0`;
        for (const { merchant_id: merchantId } of businesses)
          for (let after: string | undefined = ''; after !== undefined; ) {
            const some = await selectSettledNames(sql, merchantId, after);
            after = some.at(-1)?.alert_id;
            const names = some.flatMap(one => namesIn(key, one));
            const wrong = await selectMisclaimed(cells.worlds[0]!.sql, merchantId, names);
            for (const { alert_id, holder } of wrong)
              if (holder !== null)
                lines.push(`alert ${alert_id} settled what is claimed for merchant ${holder}`);
              else if (cell !== 0) lines.push(`alert ${alert_id} settled what nobody has claimed`);
          }
        return lines;
      },
    },
  ];
}
