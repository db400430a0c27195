import assert from 'node:assert/strict';
import test from 'node:test';
import { extendBanks } from '../../../src/alerts/banks/load-banks.ts';
import { parseBanks } from '../../../src/alerts/banks/parse-bank.ts';
import { offerFigures } from '../../../src/alerts/reading/offer-figures.ts';
import { escaped } from '../../support/bank-mail.ts';
import {
  entryOf,
  facts,
  factsIn,
  payersSlots,
  read,
  shipped,
  stages,
  truth,
  tryBanksWords,
  tryUnescapedRows,
} from './payers-rows.ts';
import { bodyOf, layouts, withValue } from './rows.ts';

const refusalOf = (rows: object, channel?: string) => {
  try {
    parseBanks(JSON.stringify(entryOf(rows, channel)));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('a row template with a payer’s row above amount or account is refused, whatever slot that row has', () => {
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

test('a saved entry with a payer’s row is left out and reported, in any order of rows', () => {
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

test('an unescaped name that adds rows and hides the bank’s rows changes no fact, in any row template', t => {
  t.diagnostic(`${tryUnescapedRows(7)} mails, none moved`);
});

test('the bank’s own words in a payer’s row change no fact, escaped or not, with or without line breaks', t => {
  t.diagnostic(`${tryBanksWords(4)} mails, none moved`);
});

test('a payer’s row above the reference holds the mail if it has markup or a row’s label', () => {
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
      const reading = read(stage, html);
      assert.equal(reading?.outcome, 'unreadable', `${card.bank}: ${odd}`);
      assert.equal(reading.reason.code, 'odd_payer_name', `${card.bank}: ${odd}`);
      for (const value of [said, odd]) {
        const page = bodyOf(layouts['a table']!(card.heading, withValue(card.rows, label, value)));
        const offer =
          page && offerFigures(stage.bank, { subject: card.subject, text: page.html, cells: page.cells });
        if (value === said) assert.ok(offer, `${card.bank}: ${odd}: a person may accept it`);
        if (offer) assert.deepEqual([offer.amounts, offer.references], [[400_000], []], odd);
        if (offer) assert.equal(offer.accountDigits, '2600', odd);
      }
    }
  }
});

test('a customer whose name is also a word of the layout does not hold the mail', () => {
  const [stage] = stages().filter(({ card }) => card.bank === 'kotak');
  for (const name of ['MOHIT DATE', 'AMOUNTAIN TOURS', 'SENDER & SONS', "D'SOUZA (P) LTD."]) {
    const rows = withValue(stage!.card.rows, 'Sender', escaped(name));
    assert.deepEqual(factsIn(stage!, layouts['a table']!(stage!.card.heading, rows)), truth, name);
  }
});
