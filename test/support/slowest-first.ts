import { statSync } from 'node:fs';

/**
 * Those that take longest, measured, so that the end of a run is not one long file alone. What is not listed follows,
 * larger files first.
 */
const slowest: readonly string[] = [
  'test/program/start.test.ts',
  'test/drill/drill.test.ts',
  'test/dashboard/permissions.test.ts',
  'test/dashboard/accessibility.test.ts',
  'test/operator/commands.test.ts',
  'test/mailboxes/killing.test.ts',
  'test/checkout/hosted-page.test.ts',
  'test/dashboard/screens-browser.test.ts',
  'test/sandbox/bar.test.ts',
  'test/model/model.test.ts',
  'test/program/pgbouncer.test.ts',
  'test/checkout/widget.test.ts',
  'test/dashboard/sign-in.test.ts',
  'test/dashboard/guesses.test.ts',
  'test/sandbox/start.test.ts',
  'test/mailboxes/flood.test.ts',
  'test/checkout/page-accessibility.test.ts',
  'test/shop/in-the-browser.test.ts',
];

export function slowestFirst(files: readonly string[]): string[] {
  const rest = files.filter(file => !slowest.includes(file));
  const sizes = new Map(rest.map(file => [file, statSync(file).size]));
  return [
    ...slowest.filter(file => files.includes(file)),
    ...rest.sort((one, other) => sizes.get(other)! - sizes.get(one)!),
  ];
}
