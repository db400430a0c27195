import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countLong, countProse, longOf, mayOffend, type Offence, offencesOf } from './prose-rules.ts';
import { readProse } from './read-prose.ts';

/**
 * Checks documents and comments against the style guide's table of words.
 *
 *     npx node scripts/check-prose.ts                    fails on a new offence (part of `npm run check`)
 *     npx node scripts/check-prose.ts --list docs/app.md lists offences and long sentences of files by their path
 *     npx node scripts/check-prose.ts --counts [FOLDER]  counts patterns, also in another checkout
 *     npx node scripts/check-prose.ts --shrink           lowers the allowances to what is left
 */
const allowanceFile = join(import.meta.dirname, 'prose-allowance.json');
const [option, ...args] = process.argv.slice(2);
if (option === '--counts') printCounts(args[0] ?? '.');
else if (option === '--list') printList(args);
else check(option === '--shrink');

/** Until a file is rewritten it may keep the offences that it has, and no more. */
function check(shrink: boolean): void {
  const allowed = JSON.parse(readFileSync(allowanceFile, 'utf8')) as Record<string, number>;
  const papers = readProse('.', mayOffend);
  const found = new Map(papers.map(paper => [paper.file, offencesOf(paper)]));
  for (const [file, offences] of found) {
    if (offences.length <= (allowed[file] ?? 0)) continue;
    print(offences);
    console.log(`${file}: ${offences.length} offences, ${allowed[file] ?? 0} allowed`);
    process.exitCode = 1;
  }
  const left = Object.entries(allowed).map(
    ([file, most]) => [file, Math.min(most, found.get(file)?.length ?? 0)] as const,
  );
  const stale = left.filter(([file, count]) => count < (allowed[file] ?? 0));
  if (shrink)
    writeFileSync(
      allowanceFile,
      `${JSON.stringify(Object.fromEntries(left.filter(([, count]) => count > 0)), null, 2)}\n`,
    );
  else if (stale.length > 0) console.log(`${stale.length} allowances can shrink: run this with --shrink`);
  for (const [name, count] of Object.entries(countLong(papers))) console.log(`${count} ${name}`);
}

function print(offences: Offence[]): void {
  for (const { file, line, what } of offences) console.log(`${file}:${line}: ${what}`);
}

function printList(paths: string[]): void {
  const papers = readProse('.').filter(({ file }) => paths.some(path => file.startsWith(path)));
  for (const paper of papers) {
    print(offencesOf(paper));
    print(Object.values(longOf(paper)).flat());
  }
}

function printCounts(folder: string): void {
  const { sentences = 0, comments = 0, ...counts } = countProse(readProse(folder));
  console.log(`${sentences} sentences, ${comments} comments`);
  for (const [name, count] of Object.entries(counts)) {
    const of = name.startsWith('comments') ? comments : sentences;
    const rate = /^(?:words|offences)/.test(name) ? '' : `${((count * 1000) / of).toFixed(1)} of 1,000`;
    console.log(`${String(count).padStart(7)}  ${name.padEnd(40)} ${rate}`.trimEnd());
  }
}
