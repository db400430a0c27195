import { compareSchema } from '../base/database/compare-schema.ts';
import { migrate, newerSchema } from '../base/database/migrate.ts';
import { StartError } from '../base/start-error.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';

/** Brings the database to this version. Any start does so too; this one says first what it will do. */
export const upgradeCommand: Command = {
  needs: 'any schema',
  summary: "bring the database to this version's schema, after telling what that does; never back",
  options: { 'dry-run': { meaning: 'tell, and do nothing', flag: true } },
  async run({ sql }, options) {
    const { waiting, unknown, isEmpty } = await compareSchema(sql);
    if (unknown.length > 0) throw new StartError(newerSchema(unknown));
    if (waiting.length === 0) {
      console.log(`the database is at the schema of version ${version} already`);
      return 0;
    }
    const what = isEmpty ? 'an empty database, prepared for' : 'a database, brought to';
    console.log(`${what} version ${version} by ${waiting.length} migrations:`);
    for (const { name, why } of waiting) console.log(`  ${name.padEnd(32)} ${why}`);
    if (options['dry-run'] !== undefined) return 0;
    if (!isEmpty) console.log('There is no way back but a backup.');
    const { applied } = await migrate(sql);
    console.log(`done: ${applied.length} applied`);
    return 0;
  },
};
