import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { countProse, longOf, offencesOf } from '../scripts/prose-rules.ts';
import { readProse } from '../scripts/read-prose.ts';

/** A checkout with these files, read. */
async function readFiles(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'prose-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return { folder, papers: readProse(folder) };
}
const offences = async (files: Record<string, string>) =>
  (await readFiles(files)).papers
    .flatMap(offencesOf)
    .map(({ file, line, what }) => `${file}:${line} ${what.replace(/: write .*/, '')}`);

test('a document and a comment with a banned word are reported with their line', async () => {
  assert.deepEqual(
    await offences({
      'docs/a.md': '# A page\n\nThe shop is\ntold so.\n\n- a list\n- it stands here\n\n| cell | the till |\n',
      'src/a.ts': "const a = 1; // Beside it.\n/**\n * The seat\n * is in hand.\n */\nconst b = 'told';\n",
    }),
    [
      'docs/a.md:3 "told"',
      'docs/a.md:7 "stands"',
      'docs/a.md:9 "till"',
      'src/a.ts:1 "beside"',
      'src/a.ts:2 "in hand"',
      'src/a.ts:2 "seat"',
    ],
  );
});

test('code, addresses, paths and ordinary uses of a word are accepted', async () => {
  const honest = [
    'See `told` and [here](https://x.example/told) and https://x.example/the/till and src/till/links.ts.',
    'A seller asks for till-1. The order_id stands for the order. They are all the same.',
    'It goes away a minute away from here, right away. Indeed, besides, he gathered-in nothing.',
    'A fencing token is the field’s word. A colour blind reader, and a blind user, read on.',
    'A deposit slip, and the help desk.\n\n```\ntold\n```\n\n~~~sh\nbeside\n~~~',
  ];
  assert.deepEqual(await offences({ 'docs/a.md': honest.join('\n\n') }), []);
  assert.deepEqual(
    await offences({ 'src/a.ts': "// Uses `told`. Of course not first.\nconst told = '// told';\n" }),
    [],
  );
});

test('a comment that starts with Of, By, As or Where is refused, and one that has it later is not', async () => {
  const source =
    '// Of the two.\nlet a;\n/** By id. */\nlet b;\n// Asked for.\n// As a second line.\nlet c; // Where?\n';
  assert.deepEqual(await offences({ 'src/a.ts': source, 'docs/a.md': 'Of course.' }), [
    'src/a.ts:1 a comment starts with "Of"',
    'src/a.ts:3 a comment starts with "By"',
    'src/a.ts:7 a comment starts with "Where"',
  ]);
});

test('long sentences, cells and paragraphs are counted above their limit, and not at it', async () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
  const { papers } = await readFiles({
    'docs/a.md': `${words(25)}. Next, e.g. Rs. 5.\n\n${words(26)}.\n\n| ${words(15)} | ${words(16)} |\n\n${`${words(20)}. W`.repeat(5)}\n`,
  });
  const { sentence, cell, paragraph } = longOf(papers[0]!);
  assert.deepEqual(
    [sentence, cell, paragraph].map(all => all.map(({ line }) => line)),
    [[3], [5], [7]],
  );
});

test('counts name the openings and words of the old dialect, and no question', async () => {
  const { papers } = await readFiles({
    'docs/a.md': 'Whoever pays is told. What is it? Nobody tells.\n',
    'src/a.ts': '// By id.\nlet a;\n// What it is.\n',
  });
  const counts = countProse(papers);
  assert.equal(counts['sentences'], 3);
  assert.equal(counts['start with What/Who/Whoever …'], 1);
  assert.equal(counts['have nobody/nothing/none'], 1);
  assert.equal(counts['have told/tells'], 2);
  assert.equal(counts['comments start with Of/By/As/Where'], 1);
  assert.equal(counts['comments start with What/Who/Whoever …'], 1);
});

test('the command fails on a new offence in this checkout, and counts another checkout', async () => {
  const script = join(import.meta.dirname, '../scripts/check-prose.ts');
  const { folder } = await readFiles({ 'docs/a.md': 'The shop is told.\n' });
  const run = (...args: string[]) => spawnSync('node', [script, ...args], { cwd: folder, encoding: 'utf8' });
  const failed = run();
  assert.equal(failed.status, 1, failed.stdout);
  assert.match(failed.stdout, /docs\/a\.md:1: "told"[\s\S]*1 offences, 0 allowed/);
  assert.match(run('--counts', folder).stdout, / 1 {2}have told\/tells +1000\.0 of 1,000/);
  writeFileSync(join(folder, 'docs/a.md'), 'The shop gets a webhook.\n');
  assert.equal(run().status, 0);
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), '/**\n * By id.\n */\nlet a;\n');
  assert.match(run().stdout, /src\/a\.ts:1: a comment starts with "By"/);
});
