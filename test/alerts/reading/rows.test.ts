import assert from 'node:assert/strict';
import test from 'node:test';
import { extendBanks, loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { assertPays, payers, readHtml, readText, said, tryHostileRows } from './read-rows.ts';
import { everydayRemarks } from './remarks.ts';
import * as layout from './rows.ts';

test('rows are read in every layout and order, unless a payer’s words come above the money', () => {
  for (const card of layout.cards)
    for (const [name, lay] of Object.entries(layout.layouts)) {
      const rows = layout.escapedRows(card.rows);
      assertPays(readHtml(card, lay(card.heading, rows)), `${card.bank}, ${name}`);
      const [one, two, ...others] = rows;
      assertPays(readHtml(card, lay(card.heading, [two!, one!, ...others])), `${card.bank}, ${name}`);
      const reversed = readHtml(card, lay(card.heading, rows.toReversed()));
      assert.equal(reversed.outcome, 'unreadable', `${card.bank}, ${name}, reversed`);
      assert.deepEqual(reversed.reason, {
        code: 'row_odd',
        facts: { row: payers[card.bank] },
      });
    }
  for (const card of layout.cards) assertPays(readText(card), `${card.bank}, plain text`);
});

test('Standard Chartered’s UPI mail, which has the payer above the money, waits for a person', () => {
  const card = layout.standardChartered;
  for (const lay of Object.values(layout.layouts))
    assert.equal(readHtml(card, lay(card.heading, card.rows)).outcome, 'unreadable');
  assert.equal(readText(card).outcome, 'unreadable');
});

test('a payment is read with every everyday remark in a row', () => {
  for (const card of [layout.village, layout.axis])
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

test('a payer’s text in a row changes neither amount, account nor reference', t => {
  const tried = tryHostileRows([layout.village], ['a table']);
  t.diagnostic(`${tried} hostile rows, none moved`);
});

test('a value with line breaks stays in its cell, and pays if it is only a remark', () => {
  const card = layout.village;
  const rows = layout.withValue(
    card.rows,
    'Remarks',
    'for<br>Amount: 9999.00<br>UPI Ref. No. : 999999999999',
  );
  for (const name of ['a table', 'a table without colons', 'a table for every row'])
    assertPays(readHtml(card, layout.layouts[name]!(card.heading, rows)), name);
});

test('a row that is unknown, missing, repeated, hidden or different holds the mail', () => {
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
      if (card.bank !== 'village') continue;
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

test('rows repeated in a hidden copy are read once, and rows in one line are not read', () => {
  const card = layout.village;
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

test('rows below another heading, or quoted in a remark, pay nothing', () => {
  const card = layout.village;
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

test('row templates with two readings, or with a payer’s text in a bank’s row, are refused with the line', () => {
  const template = {
    id: 'rows',
    channel: 'upi',
    unconfirmed: true,
    subject: '{any}',
    body: 'Money has been credited to your account:',
  };
  const refused = (rows: object, body = template.body) =>
    extendBanks(loadBanks(null), [
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
