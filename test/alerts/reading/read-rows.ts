import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { unreadable } from '../../../src/alerts/reading/read-wording.ts';
import { because } from '../../../src/texts/verdicts.ts';
import * as layout from './rows.ts';

const banks = loadBanks(join(import.meta.dirname, '../fixtures/village-bank.json'));
/** With its wordings in rows alone: Axis and Kotak are known by sentences, too. */
const bankOf = (id: string) => {
  const bank = banks.find(one => one.id === id)!;
  return { ...bank, templates: bank.templates.filter(({ rows }) => rows !== null) };
};
export const payers: Readonly<Record<string, string>> = {
  village: 'Remarks',
  axis: 'Transaction Info',
  kotak: 'Sender',
};

export function readHtml(card: layout.Card, html: string) {
  const body = layout.bodyOf(html);
  return body === null
    ? unreadable(because('html_unclosed'))
    : compareReadings(bankOf(card.bank), card.subject, body);
}

export function readText(card: layout.Card, text = layout.textOf(card)) {
  return compareReadings(bankOf(card.bank), card.subject, { outcome: 'read', html: null, text });
}

type Read = ReturnType<typeof readHtml>;

export function assertPays(reading: Read, context: string) {
  assert.equal(reading.outcome, 'credit', `${context}: ${JSON.stringify(reading)}`);
  const { amount, reference, accountDigits } = reading.facts;
  assert.deepEqual([amount, reference, accountDigits], [400_000, '664323243300', '2600'], context);
}

/** Held, or exactly what the bank said. */
function assertTrueOrNothing(reading: Read, context: string) {
  if (reading.outcome === 'credit') assertPays(reading, context);
}

/** Axis prints the remark in a row with the reference. */
export const said = (card: layout.Card, remark: string) =>
  card.bank === 'axis' ? `UPI/P2A/664323243300/RAHUL SAM/HDFC/${remark}` : remark;

/** Texts that a payer could put into a value, also through a bank that lets line ends pass. */
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
    'x\nTo Account: Village Bank - XX2600',
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

/** Answers how many rows of a hostile payer were tried in these layouts: none moved anything. */
export function tryHostileRows(cards: readonly layout.Card[], layouts: readonly string[]): number {
  let tried = 0;
  for (const card of cards)
    for (const value of hostile)
      for (const label of card.bank === 'village'
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
          for (const [name, lay] of layouts.map(name => [name, layout.layouts[name]!] as const))
            for (const given of [layout.escapedRows(rows), rows, broken, broken.toReversed()]) {
              tried++;
              assertTrueOrNothing(
                readHtml(card, lay(card.heading, given)),
                `${card.bank}, ${name}, ${label}: ${filling}`,
              );
            }
          tried++;
          assertTrueOrNothing(readText({ ...card, rows }), `${card.bank}, plain, ${label}: ${filling}`);
        }
  return tried;
}
