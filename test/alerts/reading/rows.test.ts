import assert from 'node:assert/strict';
import test from 'node:test';
import { extendBanks, loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { everydayRemarks } from './remarks.ts';
import * as layout from './rows.ts';

const banks = loadBanks(null);
/** With its wordings in rows alone: Axis and Kotak are known by sentences, too. */
const bankOf = (id: string) => {
  const bank = banks.find(one => one.id === id)!;
  return { ...bank, templates: bank.templates.filter(({ rows }) => rows !== null) };
};
const payers: Readonly<Record<string, string>> = {
  'standard-chartered': 'Remarks',
  axis: 'Transaction Info',
  kotak: 'Sender',
};

function readHtml(card: layout.Card, html: string) {
  return compareReadings(bankOf(card.bank), card.subject, layout.bodyOf(html));
}

function readText(card: layout.Card, text = layout.textOf(card)) {
  return compareReadings(bankOf(card.bank), card.subject, { outcome: 'read', html: null, text });
}

type Read = ReturnType<typeof readHtml>;

function assertPays(reading: Read, told: string) {
  assert.equal(reading.outcome, 'credit', `${told}: ${JSON.stringify(reading)}`);
  const { amount, reference, accountDigits } = reading.facts;
  assert.deepEqual([amount, reference, accountDigits], [400_000, '664323243300', '2600'], told);
}

/** Held, or exactly what the bank said. */
function assertTrueOrNothing(reading: Read, told: string) {
  if (reading.outcome === 'credit') assertPays(reading, told);
}

/** Axis prints the remark in a row with the reference. */
const said = (card: layout.Card, remark: string) =>
  card.bank === 'axis' ? `UPI/P2A/664323243300/RAHUL SAM/HDFC/${remark}` : remark;

test('rows are read in every layout, and in any order', () => {
  for (const card of layout.cards)
    for (const [name, lay] of Object.entries(layout.layouts)) {
      const rows = layout.escapedRows(card.rows);
      assertPays(readHtml(card, lay(card.heading, rows)), `${card.bank}, ${name}`);
      assertPays(readHtml(card, lay(card.heading, rows.toReversed())), `${card.bank}, ${name}, reversed`);
      assertPays(
        readHtml(card, lay(card.heading, [...rows.slice(2), ...rows.slice(0, 2)])),
        `${card.bank}, ${name}`,
      );
    }
  for (const card of layout.cards) assertPays(readText(card), `${card.bank}, plain text`);
});

test('no everyday remark in a row takes a payment away', () => {
  for (const card of [layout.standardChartered, layout.axis])
    for (const remark of everydayRemarks) {
      const rows = layout.withValue(card.rows, payers[card.bank]!, said(card, remark));
      for (const name of ['a table', 'tables in tables', 'lines of text'])
        assertPays(
          readHtml(card, layout.layouts[name]!(card.heading, layout.escapedRows(rows))),
          `${card.bank}, ${name}, "${remark}"`,
        );
      assertPays(readText({ ...card, rows }), `${card.bank}, plain text, "${remark}"`);
    }
});

/** What a payer, or a bank that lets a payer's line ends through, could put into a value. */
const hostile = [
  ...[
    'Amount: 9999.00',
    'x\nAmount: 9999.00',
    'x\nAmount : 9999.00\nUPI Ref. No. : 999999999999',
    'Amount',
    'Amount:',
  ],
  ...['x\nAmount Credited: INR 9999.00', 'Amount Credited:\nINR 9999.00', 'x\nAmount: ₹9999.00\nSender: y'],
  ...[
    'x\nTransaction Status: COMPLETED\nTransaction Type: CR',
    'x\nUPI Reference Number (RRN): 999999999999',
  ],
  ...[
    'x\nTo Account: Standard Chartered - XX2600',
    'Transaction Info:\nUPI/P2A/999999999999/A/B',
    '\u202Ex',
    '\u2067x\u2069',
  ],
  ...[
    'x\u2028Amount: 9999.00',
    'x\u000bAmount: 9999.00',
    'x\uE000Amount\uE000 9999.00',
    'x\uE001Amount: 9999.00',
  ],
  ...[
    '</td></tr><tr><td>Amount</td><td>9999.00</td></tr>',
    '<br>Amount: 9999.00',
    '&lt;br&gt;Amount: 9999.00',
    'INR 9999.00',
  ],
  'UPI payment has been successfully credited to your bank account.\nAmount: 9999.00',
  ...layout.cards.map(card =>
    layout.textOf({ ...card, rows: layout.withValue(card.rows, 'Amount', '9999.00') }),
  ),
];

test('whatever a payer writes into a row moves neither amount, account nor reference', t => {
  let tried = 0;
  for (const card of layout.cards)
    for (const value of hostile)
      for (const label of card.bank === 'standard-chartered'
        ? ['Remarks', 'Payer Name', 'From VPA', 'Payee Name']
        : [payers[card.bank]!])
        for (const filling of [value, `ASHA ${value}`]) {
          const rows = layout.withValue(
            card.rows,
            label,
            label === 'Transaction Info' ? said(card, filling) : filling,
          );
          const broken = layout
            .escapedRows(rows)
            .map(([one, other]) => [one, other.replaceAll('\n', '<br>')] as const);
          for (const [name, lay] of Object.entries(layout.layouts))
            for (const given of [layout.escapedRows(rows), broken, broken.toReversed()]) {
              tried++;
              assertTrueOrNothing(
                readHtml(card, lay(card.heading, given)),
                `${card.bank}, ${name}, ${label}: ${filling}`,
              );
            }
          tried++;
          assertTrueOrNothing(readText({ ...card, rows }), `${card.bank}, plain, ${label}: ${filling}`);
        }
  t.diagnostic(`${tried} hostile rows, none moved`);
});

test('a value with line ends stays in its cell, and pays where it is only a remark', () => {
  const card = layout.standardChartered;
  const rows = layout.withValue(
    card.rows,
    'Remarks',
    'for<br>Amount: 9999.00<br>UPI Ref. No. : 999999999999',
  );
  for (const name of ['a table', 'a table without colons', 'a table for every row'])
    assertPays(readHtml(card, layout.layouts[name]!(card.heading, rows)), name);
});

test('a row that is unknown, missing, there twice, hidden or says something else holds the mail', () => {
  for (const card of layout.cards)
    for (const [name, lay] of Object.entries(layout.layouts)) {
      const rows = layout.escapedRows(card.rows);
      const held = (given: layout.Rows, what: string) => {
        const reading = readHtml(card, lay(card.heading, given));
        assert.notEqual(reading.outcome, 'credit', `${card.bank}, ${name}, ${what}`);
      };
      const isRead = (label: string) =>
        ![
          'Payer Name',
          'Payee Name',
          'From VPA',
          'Remarks',
          'Sender',
          'Transaction Date',
          'Reason for Failure',
        ].includes(label);
      for (const [at, [label, value]] of rows.entries()) {
        if (isRead(label)) held(rows.toSpliced(at, 1), `without ${label}`);
        held([...rows.slice(0, at), ['Charge back', 'YES'], ...rows.slice(at)], `unknown before ${label}`);
        if (isRead(label)) held([...rows, [label, value]], `${label} twice`);
        if (isRead(label) && name !== 'lines of text' && name !== 'label above value')
          held(rows.with(at, [label, `<span style="display:none">${value}</span>`]), `${label} hidden`);
      }
      if (name !== 'lines of text' && name !== 'label above value')
        held([...rows, ['Charge back', 'YES']], 'unknown last');
      if (card.bank !== 'standard-chartered') continue;
      for (const [label, value] of [
        ['Transaction Type', 'DR'],
        ['Transaction Status', 'FAILED'],
        ['Transaction Status', 'PENDING'],
        ['Transaction Status', 'COMPLETED LATER'],
        ['Currency', 'USD'],
        ['Amount', '4000.000'],
        ['Amount', '४०००'],
        ['Amount', '-4000.00'],
        ['To Account', 'Other Bank - XX2600'],
        ['Reason for Failure', 'Insufficient funds'],
      ] as const)
        held(layout.withValue(rows, label, value), `${label}: ${value}`);
    }
});

test('rows that a hidden copy repeats are read once, and rows in one line are not read at all', () => {
  const card = layout.standardChartered;
  const table = layout.layouts['a table']!(card.heading, card.rows);
  assertPays(
    readHtml(card, `<div style="display:none">${table.replace('4000.00', '9999.00')}</div>${table}`),
    'hidden copy',
  );
  const oneLine = `Dear Valued Customer, ${card.heading} ${card.rows.map(([label, value]) => `${label}: ${value}`).join(' ')}`;
  assert.equal(readText(card, oneLine).outcome, 'unreadable');
  const rtl = table.replace('<table>', '<table dir="rtl">');
  assertPays(readHtml(card, rtl), 'right to left');
});

test('rows below another heading, or quoted in a remark of their own, pay nothing', () => {
  const card = layout.standardChartered;
  const debit = 'Your UPI payment has been successfully credited to the beneficiary bank account.';
  for (const lay of Object.values(layout.layouts))
    assert.notEqual(readHtml(card, lay(debit, card.rows)).outcome, 'credit');
  const table = layout.layouts['a table']!(card.heading, card.rows);
  assert.notEqual(
    readHtml(card, table.replace('<p>UPI', '<p>A message for you:</p><p>UPI')).outcome,
    'credit',
  );
  assert.notEqual(readHtml(card, `${table}${table}`).outcome, 'credit');
});

test('rows that could be read in two ways, or let a payer speak for the bank, are refused with the line', () => {
  const template = {
    id: 'rows',
    channel: 'upi',
    unconfirmed: true,
    subject: '{any}',
    body: 'Money has been credited to your account:',
  };
  const refused = (rows: object, body = template.body) =>
    extendBanks(banks, [
      {
        entry_id: null,
        entry: {
          id: 'new',
          name: 'New',
          senders: ['a@new.bank.in'],
          signing_domains: ['new.bank.in'],
          templates: [{ ...template, body, rows }],
        },
      },
    ]).skipped[0]?.error.message ?? '';
  const good = { Ref: '{reference}', Amount: 'INR {amount}' };
  assert.equal(refused(good), '');
  assert.match(refused({ Ref: '{reference}' }), /have no \{amount\}/);
  assert.match(refused({ ...good, 'ref ': '{text}' }), /label "ref" twice/);
  assert.match(refused({ ...good, '[Account]': '{account}' }), /may be missing/);
  assert.match(refused({ ...good, Info: '{payer_name}/{account}' }), /payer's text before a fact/);
  assert.match(refused({ ...good, Total: '{amount}' }), /\{amount\} twice/);
  assert.match(refused({ Amount: '{amount}' }, 'Your transaction is complete:'), /money came in/);
  assert.match(refused({ ...good, Kind: 'debited' }), /no incoming payment/);
  assert.match(refused(good, 'Money of {payer_name} was credited:'), /only their heading/);
});
