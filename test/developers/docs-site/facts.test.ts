import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { refusalCodes, refusalStatus } from '../../../src/base/http/api-error.ts';
import { commands } from '../../../src/operator/commands/commands.ts';
import { retryPauses } from '../../../src/outbox/webhooks/record-event.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const pages = globSync(['docs/*.md', 'docs/internals/*.md']).map(file => ({ file, text: read(file) }));
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(match => match[1] ?? '');

test('the page of errors has a section for every code with its status, and no other', () => {
  const rows = [...read('docs/errors.md').matchAll(/^### `(\w+)`\n\nStatus (\d{3})\./gm)].map(
    ([, code, status]) => `${status} ${code}`,
  );
  assert.deepEqual(rows.sort(), refusalCodes.map(code => `${refusalStatus(code)} ${code}`).sort());
});

test('the schedule of webhooks in open points is the program’s', () => {
  const words = retryPauses.map(pause => {
    const seconds = pause / 1000;
    return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
  });
  assert.ok(read('docs/internals/open-points.md').includes(`after ${words.join(', ')}`), words.join(', '));
});

test('every page and screen says the same about the one rupee: another person pays it, and why', () => {
  const why = 'because banks do not always send a mail for a transfer between your own accounts';
  const whyHindi = 'क्योंकि अपने ही खातों के बीच पैसा भेजने पर बैंक हमेशा मेल नहीं भेजते';
  for (const file of [
    'docs/for-owners.md',
    'docs/banks.md',
    'docs/going-live.md',
    'src/texts/en/first-steps.ts',
  ])
    assert.ok(read(file).includes(why), file);
  for (const file of ['docs/for-owners-hi.md', 'src/texts/hi/first-steps.ts'])
    assert.ok(read(file).includes(whyHindi), file);
  const papers = globSync([
    '*.md',
    'docs/**/*.md',
    'src/texts/**/*.ts',
    'scripts/*.ts',
    'plugins/**/*.{md,php,txt}',
  ]);
  const wrong = /pay(?:ing|s)? yourself|ख़ुद को चुका/i;
  assert.deepEqual(
    papers.filter(file => !file.includes('node_modules') && wrong.test(read(file))),
    [],
  );
});

test('the owner’s guide says the same in Hindi: headings, lists, links, sums and years', () => {
  const shapeOf = (text: string) => ({
    lines: text.match(/^(?:#+|-|\d+\.|\|)(?= )/gm),
    links: found(text, /\]\(([^)]+)\)/g).filter(link => !/^(?:for-owners|pictures)/.test(link)),
    figures: found(text, /((?:₹|OC )?\d[\d,/-]*\d[A-C]?)/g).sort(),
    bold: found(text, /(\*\*)/g).length,
  });
  assert.deepEqual(shapeOf(read('docs/for-owners-hi.md')), shapeOf(read('docs/for-owners.md')));
});

test('every metric in the documentation exists', () => {
  const measured = new Set(globSync('src/**/*.ts').flatMap(file => found(read(file), /'(milaan_[a-z_]+)'/g)));
  for (const { file, text } of pages) {
    for (const name of found(text, /\b(milaan_(?:mailbox|alert|webhook|notice|clock)[a-z_]*)/g)) {
      assert.ok(measured.has(name), `${file}: ${name}`);
    }
  }
});

test('every setting on the operators’ pages exists', () => {
  const known = new Set([
    ...found(read('.env.example'), /^#? ?([A-Z][A-Z0-9_]+)=/gm),
    ...found(read('compose.yaml'), /\$\{([A-Z_]+):\?/g),
  ]);
  const text = ['install', 'configure', 'upgrade', 'back-up', 'monitor']
    .map(name => read(`docs/${name}.md`))
    .join('');
  for (const name of found(text, /`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)) assert.ok(known.has(name), name);
});

test('every operator command in the documentation exists', () => {
  const known = new Set([...Object.keys(commands), 'cells', '--help', '--version']);
  for (const { file, text } of pages) {
    for (const name of found(text, /(?:npm run -s milaan --|(?:`|^)milaan) ((?:cells )?[\w-]+)/gm))
      assert.ok(known.has(name), `${file}: ${name}`);
  }
});

test('every file on a contributors’ page exists', () => {
  const named = /`((?:src|test|scripts|bench|drills|migrations|docs)\/[\w./-]+\.\w+)`/g;
  for (const file of [...globSync('docs/internals/*.md'), 'CONTRIBUTING.md', 'STYLE.md'])
    for (const path of found(read(file), named).filter(one => !/\b(?:NAME|ID)\b/.test(one)))
      assert.ok(existsSync(path), `${file}: ${path}`);
});

test('every npm script in a document exists, and none runs TypeScript with the machine’s own Node', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const file of globSync(['*.md', 'docs/**/*.md', 'sdk/*.md', 'examples/*/*.md'])) {
    const text = read(file);
    for (const name of found(text, /npm run (?:-s )?([a-z][a-z-]*)/g))
      assert.ok(scripts[name], `${file}: ${name}`);
    assert.deepEqual(found(text, /(?<!npx |\/)\b(node [\w/-]+\.ts)/g), [], file);
  }
});
