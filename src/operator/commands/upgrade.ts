import { compareSchema } from '../../base/database/compare-schema.ts';
import { migrate } from '../../base/database/migrate.ts';
import { StartError } from '../../base/start-error.ts';
import { version } from '../../base/version.ts';
import type { World } from '../../base/world.ts';
import { readPlans } from '../../business/merchants/plans.ts';
import type { Command } from '../command.ts';
import { banksOf } from '../open-world.ts';

export const upgradeCommand: Command = {
  needs: 'any schema',
  summary: 'migrate the database to this version, after showing what will be done; there is no way back',
  options: {
    'dry-run': { meaning: 'show what would be done, and do nothing', flag: true },
    stopped: { meaning: 'every older process is stopped: do not check', flag: true },
  },
  settings: 'BANKS_FILE, PLANS_FILE',
  /** Cell 0 first, because the others get copies from it. */
  async run(world, options) {
    // Check BANKS_FILE first: if this version refuses it, no process could start after the migration.
    banksOf(world.config);
    readPlans(world.config.plansFile);
    for (const { sql, cell } of world.cells?.worlds ?? [world]) {
      if (cell !== undefined) console.log(`cell ${cell}`);
      await upgradeOne(sql, options);
    }
    return 0;
  },
};

async function upgradeOne(sql: World['sql'], options: Record<string, string>): Promise<void> {
  const { waiting, refusal, isBegun, isEmpty } = await compareSchema(sql);
  if (refusal !== null) throw new StartError(refusal);
  if (waiting.length === 0) {
    console.log(`the database is at the schema of version ${version} already`);
    return;
  }
  const what = isEmpty ? 'an empty database, prepared for' : 'a database, brought to';
  console.log(`${what} version ${version} by ${waiting.length} migrations:`);
  for (const { name, why } of waiting) console.log(`  ${name.padEnd(34)} ${why}`);
  if (!isEmpty) {
    const mayStay = waiting.every(({ runsBeside }) => runsBeside);
    console.log(
      isBegun
        ? 'This continues an interrupted upgrade. What it said about older processes still applies.'
        : mayStay
          ? 'Processes of the previous release may keep running; restart them one after the other.'
          : 'Older processes cannot run with this schema: stop them all first.',
    );
  }
  if (options['dry-run'] !== undefined) return;
  if (!isEmpty) console.log('There is no way back but a backup.');
  const olderStopped = options['stopped'] !== undefined;
  const { applied } = await migrate(sql, line => console.log(line), { olderStopped });
  console.log(`done: ${applied.length} applied`);
}
