import { runChecks } from './support/checks.ts';

/** `npm run check`: what `npm test` checks in addition to the tests, up to the first kind of problem. */
const failed = await runChecks({ stopsAtFirst: true });
for (const name of failed) console.log(`failed check: ${name}`);
process.exitCode = failed.length === 0 ? 0 : 1;
