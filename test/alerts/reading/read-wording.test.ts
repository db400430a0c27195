import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { extendBanks, loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { longestText, readWording } from '../../../src/alerts/reading/read-wording.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { because } from '../../../src/texts/verdicts.ts';

type Fixture = [
  bank: string,
  template: string,
  subject: string,
  text: string,
  amount: number,
  reference: string | null,
  payer: string | null,
  accountDigits: string | null,
];

const banks = loadBanks(null);
const credits = fixtures<Fixture>('credits.json');
const otherChannels = fixtures<Fixture>('other-channels.json');
const noCredits = fixtures<[bank: string, kind: string, subject: string, text: string]>('no-credits.json');

function fixtures<T>(file: string): T[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', file), 'utf8')) as T[];
}

function bank(id: string): Bank {
  const found = banks.find(one => one.id === id);
  assert.ok(found, `no bank ${id}`);
  return found;
}

describe('readWording', () => {
  for (const [id, template, subject, text, amount, reference, payer, accountDigits] of credits)
    it(`reads ${id} ${template}: ${text.slice(0, 40)}…`, () => {
      const reading = readWording(bank(id), { subject, text });
      assert.equal(reading.outcome, 'credit', JSON.stringify(reading));
      const { trust, printedAt: _, ...facts } = reading.facts;
      assert.ok(trust === 'confirmed' || trust === 'trial', trust);
      assert.deepEqual(facts, { template, amount, reference, payer, accountDigits, payeeVpa: null });
    });

  for (const [id, template, subject, text, amount, reference, payer, accountDigits] of otherChannels)
    it(`recognizes ${id} ${template} and does not pay`, () => {
      const reading = readWording(bank(id), { subject, text });
      assert.equal(reading.outcome, 'not_a_credit', JSON.stringify(reading));
      assert.ok(reading.facts);
      const { trust, printedAt: _, ...facts } = reading.facts;
      assert.ok(trust === 'confirmed' || trust === 'trial', trust);
      assert.deepEqual(facts, { template, amount, reference, payer, accountDigits, payeeVpa: null });
    });

  for (const [id, kind, subject, text] of noCredits)
    it(`reads a mail of ${id} as no credit: ${kind} (${text.slice(0, 30)}…)`, () => {
      const reading = readWording(bank(id), { subject, text });
      assert.equal(reading.outcome, 'not_a_credit', JSON.stringify(reading));
      assert.equal(reading.facts, null);
      assert.match(sayReason('en', reading.reason), /^[A-Z].{10,}\.$/);
    });

  it('has a fixture for every wording of every bank', () => {
    const covered = new Set([...credits, ...otherChannels].map(([id, template]) => `${id} ${template}`));
    const all = banks.flatMap(one =>
      one.templates.filter(({ rows }) => rows === null).map(template => `${one.id} ${template.id}`),
    );
    assert.ok(all.length > 45);
    assert.deepEqual(
      all.filter(name => !covered.has(name)),
      [],
    );
  });

  it('calls an unknown wording unreadable, also if a footer mentions debits and one-time passwords', () => {
    const text =
      'Rs. 5.00 was credited into your account by magic. Never share your OTP. If wrongly debited, call us.';
    assert.deepEqual(readWording(bank('hdfc'), { subject: 'New', text }), {
      outcome: 'unreadable',
      reason: because('unknown_wording'),
      unlistedLine: null,
      surroundings: null,
    });
  });

  it('refuses every credit without its reference', () => {
    for (const [id, , subject, text, , reference] of credits) {
      if (reference === null) continue;
      const cut = text.slice(0, text.indexOf(reference) + 5);
      const reading = readWording(bank(id), { subject, text: cut });
      assert.notEqual(reading.outcome, 'credit', cut);
    }
  });

  it('refuses every credit under another subject, unless its bank is known to write others', () => {
    for (const [id, template, , text] of credits) {
      const known = bank(id).templates.find(one => one.id === template)!;
      const isRead = bank(id).templates.some(
        one => one.written.body === known.written.body && one.written.subjects.includes('{any}'),
      );
      const reading = readWording(bank(id), { subject: 'Hello', text });
      assert.equal(reading.outcome === 'credit', isRead, `${id} ${template}`);
      if (reading.outcome === 'credit') assert.equal(reading.facts.trust, 'trial', `${id} ${template}`);
    }
  });

  it('refuses a subject that names another amount or account than the text', () => {
    const text =
      "Here's the summary of your transaction: Amount Credited: INR 1.00 Account Number: XX0912 Date & Time: 04-11-26, 09:15:02 IST Transaction Info: UPI/P2A/630800112233/A/B/C";
    const read = (subject: string) => readWording(bank('axis'), { subject, text }).outcome;
    assert.equal(read('INR 1.00 was credited to your A/c no. XX0912.'), 'credit');
    assert.equal(read('INR 2.00 was credited to your A/c no. XX0912.'), 'unreadable');
    assert.equal(read('INR 1.00 was credited to your A/c no. XX0913.'), 'unreadable');
  });

  it('refuses every credit that occurs twice in a text', () => {
    for (const [id, template, subject, text, amount] of credits) {
      const reading = readWording(bank(id), { subject, text: `${text} ${text}` });
      if (!ownsItsLine(bank(id), template)) assert.equal(reading.outcome, 'unreadable', `${id} ${template}`);
      else if (reading.outcome === 'credit') assert.equal(reading.facts.amount, amount);
    }
    // Behind a remark to the end of the line a second one is that remark; in a line of its own it is the bank's.
    for (const [id, template, subject, text] of credits)
      assert.equal(
        readWording(bank(id), { subject, text: `${text}\n${text}` }).outcome,
        'unreadable',
        `${id} ${template}`,
      );
  });

  it('refuses every credit if one character of its fixed words is missing or changed', () => {
    for (const [id, template, subject, text] of credits) {
      const at = text.search(/credit|received/i);
      const broken = `${text.slice(0, at)}x${text.slice(at + 1)}`;
      const again = broken.replace(/credited|received/gi, 'crdited');
      assert.notEqual(readWording(bank(id), { subject, text: again }).outcome, 'credit', `${id} ${template}`);
    }
  });

  it('refuses a credit of zero, with three decimals, or in digits that are not ASCII', () => {
    const say = (amount: string) =>
      `Rs.${amount} is successfully credited to your account **5521 by VPA a@bc on 03-11-26. Your UPI transaction reference number is 630711223346.`;
    const subject = 'View: Account update for your HDFC Bank A/c';
    for (const amount of [
      '0',
      '0.00',
      '5.000',
      '1.2.3',
      '1,,0',
      '5,',
      '５００',
      '५००',
      '5०',
      '¹0',
      '1e3',
      '-5',
    ])
      assert.notEqual(readWording(bank('hdfc'), { subject, text: say(amount) }).outcome, 'credit', amount);
    assert.equal(readWording(bank('hdfc'), { subject, text: say('5') }).outcome, 'credit');
  });

  it('refuses a text above its limit without reading it', () => {
    const text = `${credits[0]![3]} ${'x '.repeat(longestText)}`;
    assert.equal(readWording(bank('hdfc'), { subject: credits[0]![2], text }).outcome, 'unreadable');
  });

  it('names the line that holds a known statement, ready to be listed, and reads the mail once it is', () => {
    const [id, , subject, text] = credits[2]!;
    const [greeting = '', statement = ''] = text.split(/(?<=Dear Customer, )/);
    const read = (known: Bank, line: string) =>
      readWording(known, { subject, text: `${greeting}\n${line}\n${statement}` });
    const seen = [
      ['A gentle word from your bank.', 'A gentle word from your bank.'],
      [
        'As on 12-11-2026 your [Prime] A/c XX5521 of ID 7712345 says',
        'As on {date} your \\[Prime\\] A/c {account} of ID {token} says',
      ],
    ] as const;
    for (const [line, opening] of seen) {
      const reading = read(bank(id), line);
      assert.equal(reading.outcome, 'unreadable');
      assert.equal(reading.unlistedLine, opening);
      assert.equal(read(listed(id, opening), line).outcome, 'credit');
    }
    const later = seen[1][0].replace('12-11-2026', '13-11-2026').replace('7712345', '8812345');
    assert.equal(read(listed(id, seen[1][1]), later).outcome, 'credit');
    assert.throws(() => listed(id, 'You paid {payer_name}'), /may not have \{payer_name\}/);
    const announcing = read(bank(id), 'Message from your payer:');
    assert.equal(announcing.outcome === 'unreadable' && announcing.unlistedLine, null);
    for (const line of ['Message from your payer:', 'Your payer says :-', 'A note [:]', 'MEERA wrote {“|"}'])
      assert.throws(() => listed(id, line), /somebody else’s words/, line);
  });

  it('a line that announces somebody else’s words with a dash or an ellipsis is never offered or listed', () => {
    for (const line of ['Your payer wrote -', 'Your payer says …', 'Your payer says...', 'MEERA writes —']) {
      const reading = below(bank('hdfc'), line, short);
      assert.ok(reading.outcome === 'unreadable', line);
      assert.equal(reading.reason.code, 'payers_place', line);
      assert.equal(reading.unlistedLine, null, line);
      assert.throws(() => listed('hdfc', line), /somebody else’s words/, line);
      // Below a greeting in the quotation itself, the line is a banner.
      const greeted = readWording(bank('hdfc'), { subject, text: `${line}\nDear Customer,\n${long}` });
      assert.equal(greeted.outcome, 'unreadable', line);
    }
    for (const line of ['By {customer} —', 'A note[ -]', 'A note{| -}'])
      assert.throws(() => listed('hdfc', line), /somebody else’s words/, line);
    for (const end of '. . .|─|⎯|➖|⁃|˗|᠁|∶|:\u200f|: 💬|: 🇮🇳|: 👍🏽|: •|: →| `~'.split('|'))
      assert.throws(() => listed('hdfc', `Your payer wrote ${end}`), /somebody else’s words/, end);
    // A listed beginning of such a line covers no quotation either.
    for (const line of ['Your payer wrote -', 'Your payer wrote …', 'Your payer wrote...']) {
      const reading = below(listed('hdfc', 'Your payer wrote'), line, short);
      assert.equal(reading.outcome === 'unreadable' && reading.reason.code, 'payers_place', line);
    }
    // A line of dashes alone separates.
    const text = `Credit alert\n--------\nDear Customer,\n${short}`;
    assert.equal(readWording(bank('hdfc'), { subject, text }).outcome, 'credit');
  });

  it('below a listed line, a statement short enough to be a payer’s never pays', () => {
    for (const line of ['Your payer wrote', 'You have a new message.'])
      for (const [statement, trust] of [
        [short, 'review_only'],
        [long, 'confirmed'],
      ] as const)
        for (const between of ['\n', ' ']) {
          const text = `Dear Customer,\n${line}${between}${statement}`;
          const reading = readWording(listed('hdfc', line), { subject, text });
          assert.equal(reading.outcome === 'credit' && reading.facts.trust, trust, line + between);
        }
    // Lines that are listed for every bank vouch for any statement.
    const usual = below(listed('hdfc', 'Your payer wrote'), 'Thank you for banking with us.', short);
    assert.equal(usual.outcome === 'credit' && usual.facts.trust, 'confirmed');
  });

  it('no character makes a payer’s statement count as longer than it was typed', () => {
    const say = (name: string) =>
      `Rs.5.37 is successfully credited to your account 4321 by VPA a@yb ${name} on 1-1-26. Your UPI transaction reference number is 620132678599.`;
    const odd = ['ﷺ', '₨₨', 'ﬃﬃ', '㏂…', '😀😀', '\u{1d15e}'.repeat(2)].map(name => [name, name] as const);
    // A bank may show two characters as it encoded them.
    const encoded = [
      ['&"', '&amp;&#34;', '&amp;amp;&amp;quot;', '&#x26;&#x22;', '%26%22', '%2526%2522', '\\u0026\\u0022'],
      ['सर', '&#2360;&#2352;', '%E0%A4%B8%E0%A4%B0', '%25e0%25a4%25b8%25e0%25a4%25b0', '\\u0938\\u0930'],
      ['सर', '\\\\u0938\\\\u0930', 'à¤¸à¤°', 'à¤•à¤®'],
      ['😀😀', '%F0%9F%98%80%F0%9F%98%80', '\\ud83d\\ude00\\uD83D\\uDE00', 'ðŸ˜‚ðŸ˜‚'],
    ].flatMap(([typed = '', ...shown]) => shown.map(name => [typed, name] as const));
    for (const [typed, name] of [...odd, ...encoded]) {
      const greeted = `Hi A, ${say(name)}`;
      assert.ok([...`Hi A, ${say(typed)}`].length <= 140, name);
      const below = (banner: string, known = bank('hdfc')) =>
        readWording(known, { subject, text: `${banner}\n${greeted}` });
      assert.notEqual(below('A message from your payer').outcome, 'credit', name);
      const line = 'Your payer wrote';
      const reading = below(`Dear Customer,\n${line}`, listed('hdfc', line));
      assert.equal(reading.outcome === 'credit' && reading.facts.trust, 'review_only', name);
    }
  });

  it('an old Standard Chartered mail with a sum as its remark is held, because “‹name› Rs.500” looks the same', () => {
    const read = (rest: string) =>
      readWording(bank('standard-chartered'), {
        subject: 'Alerts',
        text: `Dear Customer,\nYour a/c no. XX6611 is credited by INR 720.00 on 01/09/2026${rest}`,
      });
    for (const rest of ['. Remarks: Rs.500', ' Rs.500', '. Rs.500 from MEERA']) {
      const reading = read(rest);
      assert.equal(reading.outcome === 'unreadable' && reading.reason.code, 'payers_place', rest);
    }
    for (const rest of ['\nRemarks: Rs.500', '. Remarks: Rs.720', '. Remarks: tea'])
      assert.equal(read(rest).outcome, 'credit', rest);
  });
});

function ownsItsLine({ templates }: Bank, id: string): boolean {
  return /\{(?:rest|note)\}\]?$/.test(templates.find(one => one.id === id)!.written.body);
}

const subject = 'View: Account update for your HDFC Bank A/c';
/** The same wording, short enough to be a payer's text, and longer. */
const [short, long] = ['', ' MEERA BANERJEE'].map(
  name =>
    `Rs. 5.37 is successfully credited to your account **4321 by VPA a@ybl${name} on 15-11-26. Your UPI transaction reference number is 620132678599.`,
) as [string, string];
assert.ok(short.length <= 140 && long.length > 140, `${short.length} ${long.length}`);

function below(known: Bank, line: string, statement: string) {
  return readWording(known, { subject, text: `Dear Customer,\n${line}\n${statement}` });
}

/** A bank with an opening that the operator listed while the service runs. */
function listed(id: string, opening: string): Bank {
  const saved = [{ entry_id: 1, entry: { id, openings: [opening] } }];
  const { banks, skipped } = extendBanks(loadBanks(null), saved);
  if (skipped[0]) throw skipped[0].error;
  return banks.find(one => one.id === id)!;
}
