import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReference } from '../../src/base/read-reference.ts';

const reference = '412345678901';

for (const [what, text] of [
  ['typed', reference],
  ['typed with a space at its end', `${reference} `],
  ['in groups', '4123 4567 8901'],
  ['in groups of another kind', '41234-5678-901'],
  ['in Devanagari digits', '४१२३४५६७८९०१'],
  ['in Tamil digits', '௪௧௨௩௪௫௬௭௮௯௦௧'],
  ['in wide digits', '４１２３４５６７８９０１'],
  ['with a mark that nobody sees', '412345\u200b678901'],
  ['with its label', `UPI Ref No ${reference}`],
  ['behind UTR', `UTR: ${reference}`],
  ['glued to its label', `UTR${reference}`],
  ['in groups behind a label', 'UPI transaction ID: 4123 4567 8901'],
  ['in groups before a date', 'UPI transaction ID: 4123 4567 8901 14 Nov 2026'],
  ['on a line of its own', `₹500.37\nUPI transaction ID\n${reference}\nTo: Chai Point`],
  ['in a bank’s line', `UPI/${reference}/Payment`],
  ['twice the same', `RRN ${reference}. Ref ${reference}`],
  [
    'among a UPI ID, an amount and other ids',
    `Paid to 9812345678@ybl 500.37 Transaction ID T2611151234567890123456 UPI Ref. No. ${reference} on 15 Nov 2026`,
  ],
  ['beside a telephone number of twelve digits', `To 919812345678, UTR ${reference}`],
  ['at the end of the longest text that is read', `${'x '.repeat(1_990)}${reference}`],
] as const) {
  test(`a reference is found ${what}`, () => assert.equal(readReference(text), reference));
}

for (const [what, text] of [
  ['nothing', ''],
  ['eleven digits', '41234567890'],
  ['thirteen digits', '4123456789012'],
  ['a number of sixteen in groups', '4123 4567 8901 2345'],
  ['a UPI ID', `${reference}@upi`],
  ['a telephone number', '+919812345678'],
  ['a part of another id', `XXXX${reference}`],
  ['an amount', `1.${reference}`],
  ['two numbers of which nothing tells which', `${reference} and 512345678901`],
  ['two that both say what they are', `UTR ${reference}, RRN 512345678901`],
  ['10 KB of letters', 'a'.repeat(10_000)],
  ['10 KB of digits', '9'.repeat(10_000)],
  ['10 KB of groups', '4123 '.repeat(2_000)],
  ['what stands beyond the longest text that is read', `${'x '.repeat(2_000)}${reference}`],
] as const) {
  test(`no reference is read from ${what}`, () => assert.equal(readReference(text), null));
}
