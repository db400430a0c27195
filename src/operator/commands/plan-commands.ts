import { createInterface } from 'node:readline/promises';
import { StartError } from '../../base/start-error.ts';
import { byOperator, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import {
  differences,
  nameSeller,
  planFields,
  readPlans,
  selectPlans,
  writePlans,
} from '../../business/merchants/plans.ts';
import { selectSeller } from '../../orders/sales/queries.ts';
import { textsIn } from '../../texts/languages.ts';
import { copyToOthers } from '../cells/copy-installation.ts';
import { countOnPlan } from '../cells/in-each-cell.ts';
import type { Command } from '../command.ts';
import { describePlans, sayField } from './describe-plans.ts';

const texts = textsIn('en');

export const planCommands: Record<string, Command> = {
  'list-plans': {
    needs: 'database',
    summary: 'list the plans that are in force, and how many businesses are on each',
    async run(world) {
      const { operatorPlans: words } = texts;
      for (const plan of await selectPlans(world.sql)) {
        const values = planFields.map(field => `${words.fields[field]} ${sayField(texts, plan, field)}`);
        console.log([plan.plan, await countOnPlan(world, plan.plan), ...values].join('\t'));
      }
      return 0;
    },
  },
  'apply-plans': {
    needs: 'database',
    summary: "put a file's plans in force, after showing what changes for businesses and their orders",
    positionals: { file: 'the plans as JSON, such as PLANS_FILE' },
    options: { yes: { meaning: 'do not ask', flag: true } },
    async run(world, options) {
      const { sql, clock, cells } = world;
      const wanted = readPlans(options['file'] ?? '', 'the file');
      const inForce = await selectPlans(sql);
      const differing = differences(inForce, wanted);
      if (differing.length === 0) {
        console.log('these plans are in force already');
        return 0;
      }
      for (const line of await describePlans(world, differing, clock.now(), texts)) console.log(line);
      if (options['yes'] === undefined && !(await agrees())) {
        console.error('nothing was changed');
        return 1;
      }
      await sql.begin(async tx => {
        await writePlans(tx, wanted, { expected: inForce, now: clock.now(), cells });
        const subject = differing.map(({ plan }) => plan).join(', ');
        await recordAudit(tx, byOperator({ clock }, installation), { action: 'plans.apply', subject });
      });
      await copyToOthers(world);
      console.log('these plans are in force now');
      return 0;
    },
  },
  'set-seller': {
    needs: 'database',
    summary: 'set or show the business from which the others buy their plans',
    options: {
      business: { meaning: 'its id, as list-businesses prints it; it must be on a plan without limits' },
      none: { meaning: 'plans are not sold any more', flag: true },
    },
    async run({ sql, clock }, options) {
      const { business, none } = options;
      if (business === undefined && none === undefined) {
        const seller = await selectSeller(sql);
        console.log(seller ? `${seller.merchant_id}\t${seller.name}` : 'nobody sells plans');
        return 0;
      }
      if (business !== undefined && !/^\d{1,15}$/.test(business))
        throw new StartError(`there is no business ${business}`);
      const merchantId = business === undefined ? null : Number(business);
      await sql.begin(async tx => {
        const problem = await nameSeller(tx, merchantId);
        if (problem !== null) throw new StartError(problem);
        await recordAudit(tx, byOperator({ clock }, installation), {
          action: 'plans.seller',
          subject: business ?? '',
        });
      });
      console.log(
        merchantId === null ? 'nobody sells plans now' : `business ${merchantId} sells the plans now`,
      );
      return 0;
    },
  },
};

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartError('there is no terminal to ask at: --yes agrees');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Put these plans in force? Type yes: ');
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}
