import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadBanks } from '../../src/alerts/load-banks.ts';
import { providers } from '../../src/mailboxes/providers.ts';
import { noticeText } from '../../src/notices/notice-text.ts';
import { alertPhrases } from '../../src/notices/phrases/alerts.ts';
import { deedPhrases } from '../../src/notices/phrases/deeds.ts';
import { mailboxPhrases } from '../../src/notices/phrases/mailboxes.ts';
import { newsPhrases } from '../../src/notices/phrases/news.ts';
import { webhookPhrases } from '../../src/notices/phrases/webhooks.ts';
import { hindiFor, tellIn } from '../../src/notices/tell-in.ts';

const phrases = [...alertPhrases, ...mailboxPhrases, ...webhookPhrases, ...deedPhrases, ...newsPhrases];
const literal =
  /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`)*\})*)`/g;

/** The literals of a piece of source, a fact in each place where the program puts one. */
function literalsIn(source: string): string[] {
  return [...source.matchAll(literal)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '')
      .replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, 'something')
      .replaceAll('\\n', '\n')
      .replaceAll(/\\(.)/g, '$1'),
  );
}

const withoutComments = (path: string) =>
  readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const sentence = (text: string) => /^(?:[A-Z]|something(?:'s)? )[^\n]* [^\n]*(?:\.|something)$/.test(text);

/** Each place where the source makes a reason or a notice, and every text that it can make. */
function* reasonsOfTheSource(): Generator<[from: string, text: string]> {
  for (const path of globSync('src/{alerts,mailboxes}/**/*.ts')) {
    if (/meters|check-rules|explain-alert|check-template|parse-template|read-fields|tell-blind/.test(path))
      continue;
    for (const text of literalsIn(withoutComments(path)))
      if (sentence(text) && !/^Milaan code/.test(text)) yield [path, text];
  }
  const fragments: [path: string, where: RegExp][] = [
    ['src/matching/confirm-payment.ts', /function reasonOf[\s\S]*/g],
    ['src/webhooks/failure-in-words.ts', /(?:words: |Words = )[^\n]*/g],
    ['src/webhooks/attempt-delivery.ts', /failure: '[^\n]*/g],
    ['src/webhooks/send-test-event.ts', /reason: [^\n]*/g],
    ['src/network/parse-destination.ts', /refuse\([^\n]*/g],
    ['src/network/checked-addresses.ts', /super\([^\n]*/g],
    ['src/network/guarded-connect.ts', /super\('[^\n]*/g],
    ['src/dashboard/create-proof-order.ts', /reason: `[^\n]*/g],
  ];
  for (const [path, where] of fragments) {
    const found = (withoutComments(path).match(where) ?? [])
      .flatMap(literalsIn)
      .filter(text => / /.test(text));
    assert.ok(found.length > 0, path);
    for (const text of found) yield [path, text];
  }
  for (const path of globSync('src/{accounts,dashboard,operator}/**/*.ts')) {
    for (const [, said = ''] of withoutComments(path).matchAll(/\bnotice(?::| =)\s*((?:'[^\n]*'|`[^\n]*`))/g))
      for (const text of literalsIn(said)) yield [path, text];
  }
  for (const path of globSync('src/**/*.ts')) {
    if (/notices|accounts\/record-deed/.test(path)) continue;
    for (const [call] of withoutComments(path).matchAll(/notifyOwner\(tx, \{[\s\S]*?dedupeKey/g)) {
      for (const text of literalsIn(/subject: ([^\n]*)/.exec(call)?.[1] ?? '')) yield [path, text];
      const parts = /text:([\s\S]*)dedupeKey/.exec(call)?.[1] ?? '';
      // A part without blanks is no text of its own, but what joins the others.
      const texts = literalsIn(parts).filter(text => / /.test(text));
      const facts = parts.includes('.join(') ? [texts[0], 'something', texts.at(-1)] : texts;
      yield [path, facts.join(parts.includes('.join(') ? '\n\n' : '')];
    }
  }
  for (const bank of loadBanks(null)) {
    for (const { reason } of [...bank.negatives, ...bank.templates]) if (reason) yield [bank.id, reason];
  }
  for (const { id, name, loginHint } of providers)
    for (const text of [loginHint, ...(id === 'other' ? [name] : [])]) yield [id, text];
}

test('every reason and every notice that the source can make has its Hindi', () => {
  const all = [...reasonsOfTheSource()];
  assert.ok(all.length > 180, `only ${all.length} were found`);
  assert.deepEqual(
    all.filter(([, text]) => hindiFor(text) === null),
    [],
  );
});

test('no Hindi is left over from a reason that nothing gives any more', () => {
  const made = [...reasonsOfTheSource()].map(([, text]) => text);
  const shape = (english: string) => english.replaceAll(/\{\d\*?\}/g, 'something');
  const reasons = [...alertPhrases, ...mailboxPhrases, ...newsPhrases].map(([english]) => shape(english));
  assert.deepEqual(
    reasons.filter(one => !made.some(text => text.includes(one.replace(' The server said: something', '')))),
    // Made of two literals each.
    [
      'The bank addressed this mail to nobody, which is not one of your alert addresses.',
      'The mail server does not answer.',
    ],
  );
});

test('a phrase takes over exactly the facts of its English, and says no English of its own', () => {
  for (const [english, hindi] of phrases) {
    const facts = (text: string) => [...text.matchAll(/\{\d\*?\}/g)].map(String).sort();
    assert.deepEqual(facts(hindi), facts(english), english);
    assert.match(hindi, /[\u0900-\u097f]/, english);
  }
  assert.deepEqual(
    phrases.map(([english]) => english).filter((one, at, all) => all.indexOf(one) !== at),
    [],
  );
});

test('facts and a server’s own words are quoted, sentences inside sentences are told too', () => {
  assert.equal(
    tellIn(
      'hi',
      'The mail server refused the login. Check the user name and the password, and whether the server wants an app password. The server said: NO {1} $& bye',
    ),
    'मेल सर्वर ने साइन इन नहीं माना। यूज़र नाम और पासवर्ड जाँचें, और यह भी कि सर्वर ऐप पासवर्ड तो नहीं माँगता। सर्वर ने कहा: “NO {1} $& bye”',
  );
  assert.equal(
    tellIn(
      'hi',
      'Given up after a day. The key of hdfcbank.net could not be fetched; it will be tried again.',
    ),
    'एक दिन बाद छोड़ दिया गया। hdfcbank.net की कुंजी नहीं मिल सकी; फिर कोशिश होगी।',
  );
  assert.equal(tellIn('hi', 'words of an operator’s own bank file'), 'words of an operator’s own bank file');
  assert.equal(tellIn('en', 'timed out after 15 seconds'), 'timed out after 15 seconds');
});

test('a long text of a stranger is answered quickly', () => {
  const started = process.hrtime.bigint();
  for (const text of ['The '.repeat(5000), '\n\nBy: '.repeat(2000), 'Since the mailbox '.repeat(600)])
    hindiFor(text);
  assert.ok(process.hrtime.bigint() - started < 5_000_000_000n);
});

test('notices tell times as India’s clocks do', () => {
  const text = 'The mailbox a@b.in works again at 2026-11-14T20:15:00.000Z';
  assert.match(noticeText('en', text), /15 November 2026 at 01:45 IST$/);
  assert.match(noticeText('hi', '2026-11-14T20:15:00.000Z'), /^15 नवंबर 2026.* 01:45 .*IST$/);
});
