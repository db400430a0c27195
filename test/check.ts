import { runChecks } from './support/checks.ts';

/** `npm run check`: everything that `npm test` checks in addition to the tests. */
const failed = await runChecks();
for (const name of failed) console.log(`failed check: ${name}`);
process.exitCode = failed.length === 0 ? 0 : 1;
