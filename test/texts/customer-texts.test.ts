import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { insertFacts } from '../../src/texts/insert-facts.ts';
import { customerTags, furtherTags } from '../../src/texts/language-tags.ts';
import { sayTime } from '../../src/texts/say-time.ts';

const folder = 'src/texts/customers';
const files = ['page', 'paying', 'spoken', 'widget'];

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

test('every language has exactly the texts of English, with the same places in each', () => {
  for (const file of files) {
    const shape = [...textsIn('en', file)].map(([name, text]) => `${name} ${places(text)}`);
    for (const tag of customerTags) {
      const texts = [...textsIn(tag, file)].map(([name, text]) => `${name} ${places(text)}`);
      assert.deepEqual(texts, shape, `${tag}/${file}.json`);
    }
  }
});

test('a folder is a language with its four files, and one that no native reader has seen says so', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...customerTags].sort());
  for (const tag of customerTags)
    assert.deepEqual(
      globSync(`${folder}/${tag}/*.json`).sort(),
      files.map(file => `${folder}/${tag}/${file}.json`),
    );
  for (const tag of furtherTags)
    assert.match(readFileSync(`${folder}/${tag}/README.md`, 'utf8'), /native reader/);
});

const scripts = {
  en: 'Latin',
  hi: 'Devanagari',
  bn: 'Bengali',
  mr: 'Devanagari',
  te: 'Telugu',
  ta: 'Tamil',
  gu: 'Gujarati',
  kn: 'Kannada',
};
/** Said alike everywhere. */
const latin = /^(UPI ID|WhatsApp)$/;

test('a language is written in its own script, digits are 0 to 9, and nothing is joined to what is put in', () => {
  for (const tag of customerTags)
    for (const file of files)
      for (const [name, text] of textsIn(tag, file)) {
        const where = `${tag}/${file}.json ${name}: ${text}`;
        const words = text.replaceAll(/\{\w+\}/g, '');
        if (!latin.test(text) && words.trim() !== '')
          assert.match(words, new RegExp(`\\p{Script=${scripts[tag]}}`, 'u'), where);
        for (const other of new Set(Object.values(scripts)))
          if (other !== 'Latin' && other !== scripts[tag])
            assert.doesNotMatch(text, new RegExp(`(?=\\p{L})\\p{Script=${other}}`, 'u'), where);
        assert.doesNotMatch(text, /(?![0-9])\p{Nd}|[\p{L}\p{M}]\{|\}[\p{L}\p{M}]/u, where);
        assert.equal(text, text.normalize('NFC').trim(), where);
      }
});

test('each text for customers is given exactly the facts that it names', () => {
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

test('what is put in is text to the letter, whatever it looks like', () => {
  assert.equal(insertFacts('{b} · {a}', { a: '$& {b}', b: '{a}' }), '{a} · $& {b}');
});

test('each language says the hour as people do, the part of the day first', () => {
  const at = new Date('2026-11-15T13:35:00.000Z');
  const said = customerTags.map(tag => sayTime(tag, at));
  assert.deepEqual(said, [
    '15 November 2026, 7:05 pm',
    '15 नवंबर 2026, शाम 7:05',
    '15 নভেম্বর, 2026, সন্ধ্যা 7:05',
    '15 नोव्हेंबर, 2026, संध्याकाळ 7:05',
    '15 నవంబర్, 2026, సాయంత్రం 7:05',
    '15 நவம்பர், 2026, அந்தி மாலை 7:05',
    '15 નવેમ્બર, 2026, સાંજે 7:05',
    'ನವೆಂಬರ್ 15, 2026, ಸಂಜೆ 7:05',
  ]);
});
