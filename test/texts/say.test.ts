import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../src/base/http/html.ts';
import { operatorTexts } from '../../src/texts/en/operator-texts.ts';
import * as en from '../../src/texts/en/texts.ts';
import * as hi from '../../src/texts/hi/texts.ts';
import { languageTags, templatesIn, textsIn } from '../../src/texts/languages.ts';
import { longestSaid, sayCode, sayNotice, sayReason } from '../../src/texts/say.ts';
import { sayDay, sayTime } from '../../src/texts/say-time.ts';
import type { Translated } from '../../src/texts/texts.ts';
import { because, type Reason } from '../../src/texts/verdicts.ts';

/** Every text of a set by its path. All forms of a plural are one text. */
function textsOf(texts: unknown, path = ''): [path: string, text: string][] {
  if (typeof texts === 'string') return [[path, texts]];
  const parts = Object.entries(texts as object);
  if (parts.some(([name]) => name === 'other') && parts.every(([name]) => /^(?:zero|one|other)$/.test(name)))
    return [[path, parts.map(([, text]) => text).join(' ')]];
  return parts.flatMap(([name, part]) => textsOf(part, `${path}/${name}`));
}

const factsIn = (text: string) => [...new Set(text.match(/\{[^}]*\}/g))].sort();

test('the mails about money name a view of Payments as its menu does', () => {
  for (const { news, payments } of [en, hi]) {
    const views = [payments.views.decide, payments.notCounted].map(
      view => `${payments.views.place} › ${view}`,
    );
    for (const name of [
      'alert_held',
      'alert_forged',
      'money_unmatched',
      'order_waits',
      'link_oversold',
      'statement_missing',
    ] as const)
      assert.ok(
        views.some(view => String(news[name].text).includes(view)),
        name,
      );
  }
});

test('every language names exactly the facts that English names', () => {
  const english = new Map(textsOf(en));
  assert.ok(english.size > 1_500);
  for (const [path, text] of [...textsOf(hi), ...textsOf(en), ...textsOf(operatorTexts)]) {
    if (!path.startsWith('/operator') && !path.startsWith('/workshop'))
      assert.deepEqual(factsIn(text), factsIn(english.get(path)!), path);
    for (const place of factsIn(text)) assert.match(place, /^\{[a-z_A-Z]+\}$/, path);
    assert.ok(!/[{}]/.test(text.replaceAll(/\{\w+\}/g, '')), `${path} has half a place`);
    assert.equal(text, text.normalize('NFC'), path);
  }
});

test('a text without its fact, with another one, or that is missing does not compile', () => {
  const { account, payments, mails, labels } = textsIn('en');
  assert.equal(account.joinTitle({ business: 'A & {email}' }), 'Join A & {email}');
  // @ts-expect-error: the fact is missing.
  assert.equal(account.joinTitle({}), 'Join ');
  // @ts-expect-error: no such fact.
  account.joinTitle({ business: 'A', shop: 'B' });
  // @ts-expect-error: a plural counts a number.
  payments.count({ count: '1' });
  // @ts-expect-error: one fact of the mail is missing.
  mails.join({ by: 'a@b.in', business: 'A' });
  const hindi: Translated<{ one: 'a {name}'; two: 'b' }> = { one: '{name}', two: 'b' };
  // @ts-expect-error: a text is missing.
  const lacking: Translated<{ a: 'a {name}'; b: 'b' }> = { a: '{name}' };
  assert.ok(hindi && lacking && labels);
});

test('a number has its language’s form, and is grouped as in India', () => {
  const english = textsIn('en');
  const hindi = textsIn('hi');
  assert.equal(english.payments.count({ count: 1 }), '1 payment');
  assert.equal(english.payments.count({ count: 0 }), '0 payments');
  assert.equal(english.payments.count({ count: 123_456 }), '1,23,456 payments');
  assert.equal(hindi.payments.count({ count: 123_456 }), '1,23,456 भुगतान');
  assert.equal(english.shop.upiIds({ count: 0 }), 'no UPI ID');
  assert.equal(hindi.shop.upiIds({ count: 0 }), 'कोई UPI ID नहीं');
  assert.equal(hindi.counter.near.paise({ count: 1 }), '1 पैसा');
  assert.equal(hindi.counter.near.paise({ count: 2 }), '2 पैसे');
});

test('a name from outside becomes neither a template nor markup', () => {
  const { account, mails } = textsIn('en');
  const name = '{email} {service} $& <b>';
  assert.equal(account.joinTitle({ business: name }), `Join ${name}`);
  assert.equal(
    String(html`<p>${account.joinTitle({ business: name })}</p>`),
    '<p>Join {email} {service} $&amp; &lt;b&gt;</p>',
  );
  assert.equal(mails.join({ by: 'a@b.in', business: name, link: '' }).subject, `Join ${name} on Milaan`);
});

test('Hindi texts have no English sentence', () => {
  for (const [code, text] of Object.entries(templatesIn('hi').reasons))
    if (code !== 'quoted') assert.match(String(text), /[\u0900-\u097f]/, code);
});

test('facts and a server’s own words are quoted, and reasons inside reasons are shown too', () => {
  const refused = because('login_refused_saying', { hint: because('hint_other'), words: 'NO {hint} $& bye' });
  assert.equal(
    sayReason('en', refused),
    'The mail server refused the login. Check the user name and the password, and whether the server wants an app password. The server said: NO {hint} $& bye',
  );
  assert.equal(
    sayReason('hi', refused),
    'मेल सर्वर ने साइन इन नहीं माना। यूज़र नाम और पासवर्ड जाँचें, और यह भी कि सर्वर ऐप पासवर्ड तो नहीं माँगता। सर्वर ने कहा: “NO {hint} $& bye”',
  );
  const givenUp = because('given_up', { cause: because('key_not_fetched', { domain: 'hdfcbank.net' }) });
  assert.equal(
    sayReason('hi', givenUp),
    'एक दिन बाद छोड़ दिया गया। hdfcbank.net की कुंजी नहीं मिल सकी; फिर कोशिश होगी।',
  );
  assert.equal(sayReason('hi', because('quoted', { sentence: 'an operator’s own' })), 'an operator’s own');
});

test('a reason stored as JSON has the same words', () => {
  const at = new Date('2026-11-14T20:15:00.000Z');
  const facts = {
    deed: because('key_created', { name: 'till' }),
    by: 'a@b.in',
    at,
    from: because('command_line'),
  };
  const kept = JSON.parse(JSON.stringify(facts));
  for (const language of languageTags)
    assert.deepEqual(
      sayNotice(language, { kind: 'deed', facts: kept }),
      sayNotice(language, { kind: 'deed', facts }),
    );
});

test('an unknown code is shown unchanged', () => {
  const old = { code: 'of_long_ago', facts: {} } as unknown as Reason;
  assert.equal(sayReason('hi', old), 'of_long_ago');
});

/** A reason inside a reason, as often as asked for. */
const nested = (code: string, names: readonly string[], depth: number): Reason => {
  let inner: unknown = 'x';
  for (let at = 0; at < depth; at++)
    inner = { code, facts: Object.fromEntries(names.map(name => [name, inner])) };
  return inner as Reason;
};

test('an unknown code is never a template, however its facts are nested', () => {
  const bomb = nested('{x}{x}', ['x'], 40);
  for (const language of languageTags) {
    assert.equal(sayReason(language, bomb), '{x}{x}');
    assert.equal(sayCode(language, '{x}{x}' as Reason['code']), '{x}{x}');
    const said = sayNotice(language, { kind: 'webhook_failing', facts: { cause: bomb } });
    assert.match(said!.text, /\{x\}\{x\}/);
  }
});

test('endlessly nested known codes are cut: in depth, in each fact and in total', () => {
  for (const depth of [40, 5_000]) {
    const said = sayReason('en', nested('role_changed', ['email', 'before', 'after'], depth));
    assert.match(said, /…/);
    assert.ok(said.length <= longestSaid, String(said.length));
  }
  const long = sayReason('en', because('given_up', { cause: { code: 'y'.repeat(1_000_000) } as never }));
  assert.ok(long.length < 3_000);
  const facts = { cause: 'z'.repeat(1_000_000), destination: 'z'.repeat(1_000_000) };
  assert.ok(sayNotice('en', { kind: 'webhook_failing', facts })!.text.length <= longestSaid);
});

test('names that every object inherits are neither codes nor facts nor kinds', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.equal(sayReason('hi', { code: name, facts: {} } as never), name);
    assert.equal(sayCode('hi', name as never), name);
    assert.equal(sayNotice('hi', { kind: name as never, facts: {} }), null);
  }
});

test('any stored reason or facts are shown without an error', () => {
  const odd: unknown[] = [
    null,
    0,
    true,
    '',
    [],
    [[]],
    {},
    { code: 5 },
    { code: null, facts: null },
    { toString: 1 },
  ];
  const values = [...odd, '9999-99-99T99:99:99.999Z', { code: 'given_up' }, { code: 'given_up', facts: 'x' }];
  for (const value of values) {
    for (const reason of [value, { code: 'given_up', facts: { cause: value } }])
      assert.equal(typeof sayReason('en', reason as Reason), 'string');
    for (const facts of [value, { address: value }])
      assert.equal(typeof sayNotice('en', { kind: 'mailbox_seeing', facts: facts as never })!.text, 'string');
  }
});

test('the common part of one code’s reasons is shown without their facts', () => {
  assert.equal(sayCode('en', 'unknown_sender'), "… is not a known sender of any bank's alerts.");
});

test('a stranger’s fact is shortened, and bytes that PostgreSQL refuses are removed', () => {
  const { facts } = because('server_said', { words: `a\u0000\r\nb\ud800${'x'.repeat(5000)}` });
  assert.match(String((facts as { words: string }).words), /^a b\ufffdx{100,1996}$/);
});

test('notices write times as people in India do', () => {
  const facts = { arrived: '2026-11-14T20:15:00.000Z', cause: because('our_fault') };
  const said = (language: 'en' | 'hi') => sayNotice(language, { kind: 'alert_unreadable', facts })!.text;
  assert.match(said('en'), /arrived on 15 November 2026, 1:45 am could/);
  assert.match(said('hi'), /^15 नवंबर 2026, रात 1:45 को आए/);
});

test('a list leaves out this year and today’s date', () => {
  const at = new Date('2026-11-15T10:35:07.000Z');
  const said = (now: string, language = 'en') => sayTime(language, at, 'full', new Date(now));
  assert.equal(said('2026-11-15T18:29:00.000Z'), 'today, 4:05 pm');
  assert.equal(said('2026-11-15T18:30:00.000Z'), '15 Nov, 4:05 pm', 'midnight is India’s');
  assert.equal(said('2026-12-31T18:30:00.000Z'), '15 Nov 2026, 4:05 pm');
  assert.equal(said('2026-11-15T18:29:00.000Z', 'hi'), 'आज, शाम 4:05');
  assert.equal(said('2026-11-16T10:00:00.000Z', 'hi'), '15 नवंबर, शाम 4:05');
  assert.equal(sayTime('hi', at, 'exact'), '15 नवंबर 2026, शाम 4:05:07');
  assert.equal(sayTime('hi', at, 'date'), '15 नवंबर 2026');
});

test('a day and a month without an hour stay unchanged', () => {
  assert.deepEqual([sayDay('en', '2026-11-15'), sayDay('hi', '2026-11-15')], ['15 Nov 2026', '15 नवंबर 2026']);
  assert.deepEqual([sayDay('en', '2026-11'), sayDay('hi', '2026-11')], ['November 2026', 'नवंबर 2026']);
});
