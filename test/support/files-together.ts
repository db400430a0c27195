import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The files of a whole run as the runner is to take them. Each process loads the product again and warms it up again,
 * a third of what a small file costs: small files, neighbours first, share a process, each a suite of its own.
 * Those that take longest, measured, come first and alone, so that the end of a run is not one long file.
 */
const longest: readonly string[] = [
  // It sees only expressions of modules that no other test has loaded yet.
  'test/expressions.test.ts',
  'test/operator/moving/fuzzed-archive.long.test.ts',
  'test/dashboard/screens-axe.long.test.ts',
  'test/dashboard/large-merchant.long.test.ts',
  'test/drills/faults.long.test.ts',
  'test/program/starts.long.test.ts',
  'test/alerts/mailboxes/killing.long.test.ts',
  'test/orders/page/languages-variants.long.test.ts',
  'test/dashboard/live-browser.long.test.ts',
  'test/alerts/judging/strangers-bytes.long.test.ts',
  'test/drills/model.long.test.ts',
  'test/dashboard/phone-browser.long.test.ts',
  'test/sandbox/bar.long.test.ts',
  'test/alerts/mailboxes/faults.long.test.ts',
  'test/alerts/judging/killed-judge.long.test.ts',
  'test/orders/links/counter-variants.long.test.ts',
  'test/orders/page/hosted-page-variants.long.test.ts',
  'test/orders/silent-standby.long.test.ts',
  'test/alerts/origin/key-floods.long.test.ts',
  'test/program/pgbouncer.long.test.ts',
  'test/alerts/mailboxes/flood.long.test.ts',
  'test/operator/moving/forged-archive.test.ts',
  'test/dashboard/permissions.test.ts',
  'test/dashboard/sign-in/sign-in.test.ts',
  'test/dashboard/first-steps/first-steps.test.ts',
  'test/alerts/forwarding/from-nothing-to-paid.test.ts',
  'test/orders/page/hosted-page.test.ts',
  'test/orders/page/widget.test.ts',
  'test/operator/moving/fuzzed-archive.test.ts',
  'test/dashboard/forms-browser.test.ts',
  'test/alerts/workshop/workshop-browser.test.ts',
  'test/shop/in-the-browser.test.ts',
  'test/program/start.test.ts',
];

/** How much of test sources shares a process: some fifty seconds of work. A line of the second tier takes longer. */
const mostShort = 100_000;
const mostLong = 32_000;

const folder = 'node_modules/.cache/milaan-tests/together';

type Group = { name: string; files: string[]; size: number };

export function filesTogether(files: readonly string[]): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const others = files.filter(file => !longest.includes(file)).sort();
  const isLong = others.some(file => file.endsWith('.long.test.ts'));
  const groups = inGroups(others, isLong ? mostLong : mostShort);
  groups.sort((one, other) => other.size - one.size);
  return [...longest.filter(file => files.includes(file)), ...groups.map(write)];
}

function inGroups(files: readonly string[], most: number): Group[] {
  const groups: Group[] = [];
  for (const file of files) {
    const { size } = statSync(file);
    const last = groups.at(-1);
    if (last !== undefined && last.size + size <= most) {
      last.files.push(file);
      last.size += size;
    } else groups.push({ name: `${moduleOf(file)}-${groups.length}`, files: [file], size });
  }
  return groups;
}

function moduleOf(file: string): string {
  return file.split('/')[1]!;
}

function write({ name, files }: Group): string {
  const path = join(folder, `${name}.mjs`);
  const suites = files.map(file => `describe('${file}', () => import('${pathToFileURL(file)}'));\n`);
  writeFileSync(path, `import { describe } from 'node:test';\n${suites.join('')}`);
  return path;
}
