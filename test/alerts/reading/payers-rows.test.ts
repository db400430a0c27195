import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { extendBanks, loadBanks, unknownBank } from '../../../src/alerts/banks/load-banks.ts';
import { parseBanks } from '../../../src/alerts/banks/parse-bank.ts';
import { slots } from '../../../src/alerts/banks/slots.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { attacksOn } from '../../../src/alerts/workshop/hostile-fillings.ts';
import { escaped } from '../../support/bank-mail.ts';
import { closers, hiders } from './hiders.ts';
import { bodyOf, type Card, cards, layouts, type Rows, withValue } from './rows.ts';

const shipped = loadBanks(join(import.meta.dirname, '../fixtures/village-bank.json'));
const payersSlots = Object.keys(slots).filter(slot => slots[slot]!.author === 'payer' && slot !== 'gap');

const heading = 'UPI payment has been successfully credited to your bank account.';
const facts = {
  Amount: 'INR {amount}',
  'To Account': '{account}',
  'To VPA': '{payee_vpa}',
  'UPI Ref. No.': '{reference}',
};
const entryOf = (rows: object, channel = 'upi') => ({
  id: 'new',
  name: 'New',
  senders: ['a@new.bank.in'],
  signing_domains: ['new.bank.in'],
  templates: [{ id: 'rows', channel, unconfirmed: true, subject: '{any}', body: heading, rows }],
});
const refusalOf = (rows: object, channel?: string) => {
  try {
    parseBanks(JSON.stringify(entryOf(rows, channel)));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('a row template with a payer’s row above amount or account is refused, whatever slot the row has', () => {
  const { 'UPI Ref. No.': reference, ...money } = facts;
  for (const slot of payersSlots)
    for (const value of [`{${slot}}`, `[{${slot}}]`, `From {${slot}}.`]) {
      const channel = slot === 'other_channel' ? 'other' : 'upi';
      for (const [label, fact] of Object.entries(money)) {
        const { [label as keyof typeof money]: _, ...others } = money;
        assert.match(
          refusalOf({ ...others, Info: value, [label]: fact }, channel),
          new RegExp(
            `^line 1: the rows of template "rows" have the payer's words \\("Info"\\) above "${label}": a payer could write a row of their own there, with another amount or account$`,
          ),
        );
        assert.match(refusalOf({ '[Info]': value, ...facts }, channel), /payer's words/);
      }
      assert.equal(refusalOf({ ...facts, Info: value }, channel), '', value);
      assert.equal(refusalOf({ ...money, Info: value, Ref: reference }, channel), '', value);
      assert.equal(refusalOf({ ...money, Info: value, Ref: '{utr}' }, channel), '', value);
    }
});

test('a saved entry with a payer’s row is left out and reported, in whatever order the database kept it', () => {
  const saved = [
    { entry_id: 1, entry: entryOf({ ...facts, '[Payer Name]': '[{payer_name}]' }) },
    { entry_id: 2, entry: entryOf({ '[Payer Name]': '[{payer_name}]', ...facts }) },
    { entry_id: 3, entry: { ...entryOf(facts), id: 'other', senders: ['b@new.bank.in'] } },
  ];
  const { banks, skipped } = extendBanks(shipped, saved);
  assert.deepEqual(
    skipped.map(({ entryId }) => entryId),
    [1, 2],
  );
  for (const { error } of skipped)
    assert.match(error.message, /the payer's words \("Payer Name"\) above "(?:Amount|To VPA)"/);
  assert.equal(
    banks.some(({ id }) => id === 'new'),
    false,
  );
  assert.equal(banks.find(({ id }) => id === 'other')!.templates.length, 1);
});

type Stage = { bank: Bank; card: Card; label: string; isAboveReference: boolean };

/** Every row template that comes with the service or may be added, once for each row that a payer can write. */
function stages(): Stage[] {
  const hdfc = shipped.find(({ id }) => id === 'hdfc')!;
  const own = cards.flatMap(card => {
    const bank = shipped.find(({ id }) => id === card.bank)!;
    const payers = bank.templates.flatMap(({ rows }) => rows ?? []).filter(row => row.isPayers);
    return [...new Set(payers.map(({ label }) => label))].map(label => ({
      bank,
      card,
      label,
      isAboveReference: card.bank === 'kotak',
    }));
  });
  const made = payersSlots
    .filter(slot => slot !== 'other_channel')
    .map(slot => {
      const { 'UPI Ref. No.': reference, ...money } = facts;
      const [entry] = parseBanks(
        JSON.stringify(entryOf({ ...money, Info: `[{${slot}}]`, 'UPI Ref. No.': reference })),
      );
      const { greetings, openings } = hdfc;
      const bank: Bank = { ...unknownBank, id: 'new', greetings, openings, templates: entry!.templates };
      const rows: Rows = [
        ['Amount', 'INR 4000.00'],
        ['To Account', 'XX2600'],
        ['To VPA', 'shop@bank'],
        ['Info', slot === 'payer_vpa' ? 'asha@ybl' : 'ASHA RAO'],
        ['UPI Ref. No.', '664323243300'],
      ];
      return {
        bank,
        card: { bank: slot, subject: 'Alert', heading, rows },
        label: 'Info',
        isAboveReference: true,
      };
    });
  return [...own, ...made];
}

function read({ bank, card }: Stage, html: string) {
  const body = bodyOf(html);
  return body === null ? null : compareReadings(bank, card.subject, body);
}

/** Null where the mail is held. */
function factsIn(stage: Stage, html: string): unknown[] | null {
  const reading = read(stage, html);
  if (reading?.outcome !== 'credit') return null;
  const { amount, reference, accountDigits } = reading.facts;
  return [amount, reference, accountDigits];
}

const truth = [400_000, '664323243300', '2600'];

/** Rows of a payer's own, as the bank writes them. */
const rowsOf = (rows: Rows) =>
  rows.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join('');

test('an unescaped name that adds rows and hides those of the bank moves nothing, in any row template', t => {
  let tried = 0;
  const moved: string[] = [];
  for (const stage of stages()) {
    const { card, label } = stage;
    const forged = card.rows.map(
      ([name, value]) =>
        [name, value.replace(/4000\.00/, '9999.00').replace(/664323243300/, '999999999999')] as const,
    );
    const at = forged.findIndex(([name]) => name === label);
    const below = forged.slice(at + 1);
    for (const rows of [below, forged.filter(([, value]) => /9999/.test(value))])
      for (const hider of hiders)
        for (const closer of closers) {
          const name = `ASHA RAO</td></tr>${rowsOf(rows)}</table>${hider}`;
          for (const lay of ['a table', 'tables in tables']) {
            const html = layouts[lay]!(card.heading, withValue(card.rows, label, name)) + closer;
            const found = factsIn(stage, `<html><body>${html}</body></html>`);
            tried++;
            if (found !== null && String(found) !== String(truth))
              moved.push(`${card.bank} ${label}, ${lay}: ${name} … ${closer}`);
          }
          const lines = `ASHA RAO<br>${rows.map(([one, other]) => `${one}: ${other}`).join('<br>')}<br>Bye<br>${hider}`;
          const html = layouts['lines of text']!(card.heading, withValue(card.rows, label, lines)) + closer;
          const found = factsIn(stage, html);
          tried++;
          if (found !== null && String(found) !== String(truth))
            moved.push(`${card.bank} ${label}: ${lines}`);
        }
  }
  t.diagnostic(`${tried} mails, none moved`);
  assert.deepEqual(moved, []);
});

test('the bank’s own words in a payer’s row move nothing, escaped or not, with or without line breaks', t => {
  let tried = 0;
  for (const stage of stages()) {
    const { bank, card, label } = stage;
    const templates = bank.templates.filter(({ rows }) => rows !== null);
    const { sentences, endings, phrases } = attacksOn({ templates });
    for (const attack of new Set([...sentences, ...endings, ...phrases]))
      for (const said of [escaped(attack), attack, escaped(attack).replaceAll('\n', '<br>')]) {
        const html = layouts['a table']!(card.heading, withValue(card.rows, label, said));
        const found = factsIn(stage, html);
        tried++;
        if (found !== null) assert.deepEqual(found, truth, `${card.bank} ${label}: ${said}`);
      }
  }
  t.diagnostic(`${tried} mails, none moved`);
});

test('a payer’s row above the reference holds the mail where it has markup or a row’s label', () => {
  const above = stages().filter(({ isAboveReference }) => isAboveReference);
  assert.ok(above.length > 5);
  for (const stage of above) {
    const { card, label } = stage;
    const plain = layouts['a table']!(card.heading, card.rows);
    assert.deepEqual(factsIn(stage, plain), truth, card.bank);
    const facts = card.rows.filter(([, value]) => /4000|3300/.test(value)).map(([name]) => name);
    for (const odd of [
      ...['<b>', 'ASHA <br> RAO', '</td>', 'a > b', '<!-- x', '&lt;i&gt;'],
      ...card.rows.flatMap(([name]) => [`${name}:`, `ASHA ${name.toUpperCase()}: 5`]),
      ...facts.flatMap(name => [name, `ASHA ${name} RAO`, `ASHA (${name.toLowerCase()})`]),
    ]) {
      const said = odd === '&lt;i&gt;' ? odd : escaped(odd);
      const html = layouts['a table']!(card.heading, withValue(card.rows, label, said));
      assert.equal(read(stage, html)?.outcome, 'unreadable', `${card.bank}: ${odd}`);
    }
  }
});

test('a customer whose name is a word of the layout is no hostile one', () => {
  const [stage] = stages().filter(({ card }) => card.bank === 'kotak');
  for (const name of ['MOHIT DATE', 'AMOUNTAIN TOURS', 'SENDER & SONS', "D'SOUZA (P) LTD."]) {
    const rows = withValue(stage!.card.rows, 'Sender', escaped(name));
    assert.deepEqual(factsIn(stage!, layouts['a table']!(stage!.card.heading, rows)), truth, name);
  }
});
