import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { insertFacts } from '../../src/texts/insert-facts.ts';
import { customerTags } from '../../src/texts/language-tags.ts';
import { sayTime } from '../../src/texts/say-time.ts';
import { languageIn } from '../support/customer-languages.ts';

const folder = 'src/texts/customers';
const files = ['page', 'paying', 'spoken', 'widget'];

const tags = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name);

type Texts = { [name: string]: string | Texts };

/** Every text of a file by its path, such as `link.pay`. */
function textsIn(tag: string, file: string): Map<string, string> {
  const flat = (texts: Texts, before = ''): [string, string][] =>
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[before + name, text]] : flat(text, `${before}${name}.`),
    );
  return new Map(flat(JSON.parse(readFileSync(`${folder}/${tag}/${file}.json`, 'utf8'))));
}

const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join();

test('every language has exactly English’s texts, with the same placeholders in each', () => {
  for (const file of files) {
    const shape = [...textsIn('en', file)].map(([name, text]) => `${name} ${places(text)}`);
    for (const tag of tags) {
      const texts = [...textsIn(tag, file)].map(([name, text]) => `${name} ${places(text)}`);
      assert.deepEqual(texts, shape, `${tag}/${file}.json`);
    }
  }
});

test('a language’s folder has its five files, and says if no native reader has seen it', () => {
  for (const tag of tags)
    assert.deepEqual(
      ['language', ...files].filter(file => !existsSync(`${folder}/${tag}/${file}.json`)),
      [],
      `${folder}/${tag} lacks files`,
    );
  for (const tag of tags.filter(tag => tag !== 'en' && tag !== 'hi'))
    assert.match(readFileSync(`${folder}/${tag}/README.md`, 'utf8'), /native reader/);
  // The others wait until somebody has read them.
  assert.deepEqual(
    customerTags.filter(tag => !tags.includes(tag)),
    [],
    'offered.json names a missing folder',
  );
});

test('the tests have the font of each offered language', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const missing = customerTags.map(tag => languageIn(tag).fontPackage).filter(name => !devDependencies[name]);
  assert.deepEqual([...new Set(missing)], [], 'add them: npm install -D NAME, npm run lock');
});

/** Said alike everywhere. */
const latin = /^(UPI ID|WhatsApp)$/;

test('a language uses its own script and digits 0 to 9, and nothing is joined to inserted values', () => {
  for (const tag of tags)
    for (const file of files)
      for (const [name, text] of textsIn(tag, file)) {
        const where = `${tag}/${file}.json ${name}: ${text}`;
        const words = text.replaceAll(/\{\w+\}/g, '');
        if (!latin.test(text) && words.trim() !== '')
          assert.match(words, new RegExp(`\\p{Script=${languageIn(tag).script}}`, 'u'), where);
        for (const other of new Set(tags.map(one => languageIn(one).script)))
          if (other !== 'Latin' && other !== languageIn(tag).script)
            assert.doesNotMatch(text, new RegExp(`(?=\\p{L})\\p{Script=${other}}`, 'u'), where);
        assert.doesNotMatch(text, /(?![0-9])\p{Nd}|[\p{L}\p{M}]\{|\}[\p{L}\p{M}]/u, where);
        assert.equal(text, text.normalize('NFC').trim(), where);
      }
});

test('each text for customers gets exactly the facts that it names', () => {
  const named = new Map<string, Set<string>>();
  for (const file of files)
    for (const [path, text] of textsIn('en', file)) {
      const key = path.split('.').at(-1)!;
      named.set(key, (named.get(key) ?? new Set()).add(places(text)));
    }
  // The operator's alarms are filled by the same function, and their type names their facts.
  const customersFiles = globSync('src/**/*.ts', { exclude: ['src/dashboard/operator/**'] });
  const given = customersFiles.flatMap(file => {
    const source = readFileSync(file, 'utf8');
    const found: [where: string, key: string, facts: string][] = [];
    if (!source.includes('texts/insert-facts.ts')) return found;
    const read = new Visitor({
      CallExpression({ callee, arguments: [text, facts] }) {
        if (
          callee.type !== 'Identifier' ||
          callee.name !== 'insertFacts' ||
          facts?.type !== 'ObjectExpression'
        )
          return;
        const key = source.slice(text!.start, text!.end).split('.').at(-1)!;
        const names = facts.properties.map(one =>
          one.type === 'Property' ? source.slice(one.key.start, one.key.end) : '…',
        );
        found.push([
          `${file} ${key}`,
          key,
          names
            .map(name => `{${name}}`)
            .sort()
            .join(),
        ]);
      },
    });
    read.visit(parseSync(file, source).program);
    return found;
  });
  assert.ok(given.length > 25, String(given.length));
  for (const [where, key, facts] of given)
    if (key !== 'label') assert.ok(named.get(key)?.has(facts), `${where} ${facts}`);
});

test('inserted values stay text, even if they look like markup', () => {
  assert.equal(insertFacts('{b} · {a}', { a: '$& {b}', b: '{a}' }), '{a} · $& {b}');
});

test('each language names the hour as people do, the part of the day first', () => {
  const at = new Date('2026-11-15T13:35:00.000Z');
  for (const tag of tags) assert.equal(sayTime(tag, at), languageIn(tag).evening, `${tag}/language.json`);
});
