import assert from 'node:assert/strict';
import test from 'node:test';
import type { Bank, Template } from '../../../src/alerts/banks/bank.ts';
import { extendBanks, loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { escaped } from '../../support/bank-mail.ts';
import { readHtml, readPlain, tryEverydayText, wordings } from './everyday-text.ts';
import { carriersWithGreeting, nameFirstCarriers, wordsUpTo, wrapped, wrapWidths } from './surroundings.ts';
import { shortestOf, statementOf } from './variations.ts';

const nameOf = ({ bank, template }: { bank: Bank; template: Template }) => `${bank.id} ${template.id}`;

test('a payment is read with every everyday text above and below, at every wording', t => {
  t.diagnostic(`${tryEverydayText(5)} mails of ${wordings.length} wordings, all pay`);
});

test('a wording quoted in another mail of the bank pays nothing, in any place', t => {
  let tried = 0;
  for (const { bank, template } of wordings) {
    const { subject, statement } = statementOf(template);
    const paysNot = (html: string, what: string) => {
      tried++;
      assert.notEqual(
        readHtml(bank, subject, html).outcome,
        'credit',
        `${bank.id} ${template.id}, ${what}: ${html}`,
      );
    };
    for (const quote of [statement, `${statement}.`, `We wish to inform you that ${statement}`]) {
      for (const [what, carrier] of Object.entries(carriersWithGreeting))
        paysNot(`<p>Dear Customer,</p>${carrier.replace('Q', () => escaped(quote))}`, what);
      for (const [what, carrier] of Object.entries(carriersWithGreeting))
        paysNot(
          carrier.replace('Q', () => escaped(quote)),
          `${what}, no greeting`,
        );
    }
    // Nobody's name is longer. Behind a remark that owns its line: see the accepted risks.
    const isName = statement.length < 100 && !/\{(?:rest|note)\}\]?$/.test(template.written.body);
    for (const [what, carrier] of Object.entries(isName ? nameFirstCarriers : {}))
      paysNot(
        `<p>Dear Customer,</p>${carrier.replace('Q', () => escaped(statement.replace(/\.$/, '')))}`,
        what,
      );
  }
  t.diagnostic(`${tried} quotations, none pays`);
});

test('a quotation with its own greeting pays nothing while it is short enough for a payer', t => {
  let tried = 0;
  for (const { bank, template } of wordings) {
    const { subject, statement } = statementOf(template);
    const quote = `Dear Customer, ${statement}`;
    if (quote.length > 140) continue;
    for (const [what, carrier] of Object.entries(carriersWithGreeting)) {
      tried++;
      const html = carrier.replace('Q', () => escaped(quote));
      assert.notEqual(readHtml(bank, subject, html).outcome, 'credit', `${bank.id} ${template.id}, ${what}`);
    }
  }
  t.diagnostic(`${tried} quotations with a greeting, none pays`);
});

test('a payer’s name and remark in two cells of a row pay nothing together that one text of theirs would not pay', t => {
  const line = 'Payments of today';
  const entries = [...new Set(wordings.map(({ bank }) => bank.id))].map(id => ({ id, openings: [line] }));
  const saved = entries.map((entry, at) => ({ entry_id: at, entry }));
  const { banks } = extendBanks(loadBanks(null), saved);
  const tried = { alone: 0, waits: 0, held: 0 };
  for (const { bank, template } of wordings) {
    const { subject, statement } = statementOf(template);
    const listed = banks.find(one => one.id === bank.id)!;
    for (const { index } of statement.matchAll(/ /g)) {
      const [name, remark] = [statement.slice(0, index), statement.slice(index + 1)];
      if (name.length > 95 || remark.length > 80) continue;
      const cells = (first: string) =>
        `<table><tr><td>${escaped(first)}</td><td>${escaped(remark)}</td></tr></table>`;
      const what = `${bank.id} ${template.id}: ${name} | ${remark}`;
      const alone = readHtml(bank, subject, `<p>Dear Customer,</p>${cells(name)}`);
      if (alone.outcome !== 'credit') continue;
      tried.alone++;
      const below = readHtml(listed, subject, `<p>Dear Customer,</p><p>${line}</p>${cells(name)}`);
      assert.equal(below.outcome === 'credit' && below.facts.trust, 'review_only', what);
      tried.waits++;
      for (const html of [`<p>${line}</p>${cells(`Hi, ${name}`)}`, `<p>Rs. 1</p><p>Hi,</p>${cells(name)}`]) {
        assert.notEqual(readHtml(bank, subject, html).outcome, 'credit', what);
        tried.held++;
      }
    }
  }
  assert.ok(tried.held > 200, JSON.stringify(tried));
  t.diagnostic(`${tried.alone} splits, ${tried.waits} wait for the owner, ${tried.held} mails held`);
});

test('a quotation that a plain-text line wrap moves to the start of a line pays nothing', t => {
  let tried = 0;
  for (const { bank, template } of wordings) {
    const { subject, statement } = statementOf(template);
    for (const width of wrapWidths)
      for (const [greeting, quote] of [
        ['Dear Customer,\n\n', statement],
        ['', statement],
        ['', `Dear Customer, ${statement}`.slice(0, 140)],
      ] as const) {
        tried++;
        const text = greeting + wrapped(`${wordsUpTo(width)} ${quote} and that is all.`, width);
        assert.notEqual(
          readPlain(bank, subject, text).outcome,
          'credit',
          `${bank.id} ${template.id}: ${text}`,
        );
      }
  }
  t.diagnostic(`${tried} wrapped mails, none pays`);
});

/**
 * Accepted, and counted here so that no change adds to them unseen: docs/decisions/0014-reading-by-structure.md says
 * whose text could stand there and what else would have to be so.
 */
test('the accepted risks are exactly these', () => {
  const paying = (quote: (statement: string) => string | null, carrier: string) =>
    wordings
      .filter(({ bank, template }) => {
        const { subject, statement } = saidBy(template);
        const said = quote(statement);
        if (said === null) return false;
        return (
          readHtml(
            bank,
            subject,
            carrier.replace('Q', () => escaped(said)),
          ).outcome === 'credit'
        );
      })
      .map(nameOf);
  // A name of at most 99 characters that ends its own sentence, first in the bank's line, no money behind it.
  const ended = (statement: string) => (statement.length < 97 ? `${statement.replace(/\.$/, '')}. X` : null);
  assert.deepEqual(paying(ended, '<p>Dear Customer,</p><p>Q sent you a message.</p>'), acceptedNames);
  // With money behind it, a name pays only under the bank's own subject, if a remark owns its line.
  assert.deepEqual(paying(ended, '<p>Dear Customer,</p><p>Q sent you Rs. 1.00.</p>'), acceptedRemarks);
  // The same alone in the bank's first line: there nothing distinguishes a name from the bank's own statement.
  const alone = (statement: string) => (statement.length < 100 ? statement : null);
  const short = wordings.filter(({ template }) => saidBy(template).statement.length < 100).map(nameOf);
  assert.deepEqual(paying(alone, '<p>Dear Customer,</p><p>Q</p><p>Sent you a message.</p>'), short);
  assert.equal(short.length, 13);
  // A stranger's text of more than 140 characters with a greeting of its own, in a mail that has none.
  const greeted = (statement: string) => (statement.length > 125 ? `Dear Customer, ${statement}` : null);
  const long = wordings.filter(({ template }) => saidBy(template).statement.length > 125).map(nameOf);
  assert.deepEqual(paying(greeted, '<p>You have a message.</p><p>Q</p>'), long);
  assert.equal(long.length, 18);
  // A line of the bank that has the form of a greeting and announces somebody's words.
  for (const carrier of ['<p>Hello from Meera: Q</p>', '<p>Dear Customer,</p><p>Hi new message! Q</p>'])
    assert.equal(paying(said => said, carrier).length, wordings.length);
  assert.deepEqual(
    paying(said => said, '<p>Dear Customer,</p><p>Hello, a message from Meera: Q</p>'),
    [],
  );
  // A later sentence of the same mail that takes the credit back.
  assert.equal(
    paying(said => said, '<p>Dear Customer,</p><p>Q</p><p>This transaction has since been reversed.</p>')
      .length,
    wordings.length,
  );
});

const acceptedNames = [
  'axis burgundy-imps',
  'axis burgundy-upi',
  'axis sentence-2024-upi',
  'bank-of-baroda bob-world',
  'equitas upi',
  'federal upi',
  'idfc-first credit',
  'nkgsb upi',
  'sbi cbs-transfer',
  'sbi cbs-credit-for',
  'south-indian upi',
  'standard-chartered credit',
];

/** A remark, and the text between it and the facts, does not make a statement too long for a name. */
function saidBy(template: Template) {
  return /\{(?:rest|note)\}\]?$/.test(template.written.body) ? shortestOf(template) : statementOf(template);
}

/** Wordings of less than a name's length that end with a remark. */
const acceptedRemarks = [
  'axis burgundy-imps',
  'axis burgundy-upi',
  'axis sentence-2024-upi',
  'nkgsb upi',
  'south-indian upi',
];
