import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Bank, Template } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';
import {
  attacksOn,
  decoy,
  fill,
  payerSlotsOf,
  subjectOf,
  truth,
  type Values,
} from '../../../src/alerts/workshop/try-out.ts';
import { fc } from '../../support/same-dice.ts';

const banks = loadBanks(null).filter(bank => bank.templates.length > 0);
/** Rows are tried in rows.test.ts. */
const wordings = banks.flatMap(bank =>
  bank.templates.filter(({ rows }) => rows === null).map(template => ({ bank, template })),
);

/** Pieces of attack: the bank's own phrases and whole sentences with other facts, and marks that confuse readers. */
function attackOn(bank: Bank): fc.Arbitrary<string> {
  const { sentences, endings, phrases } = attacksOn(bank);
  const signs = [
    '\n',
    '\r\n',
    '\u202e',
    '\u200f',
    '\u200b',
    '\u00a0',
    '\u2028',
    '&#8377;',
    '&nbsp;',
    '<br>',
    '</td>',
  ];
  const digits = [
    '999999999999',
    '５００.３７',
    '५००',
    '500.37',
    'Rs.500.37',
    '₹500.37',
    'INR 500.37',
    '9'.repeat(40),
  ];
  const names = [
    'ASHA',
    " D'SOUZA",
    '/',
    ' - ',
    ' & ',
    '(',
    ')',
    ':',
    '.',
    ', ',
    ' on 01-01-26',
    'UPI',
    'RRN ',
    '@',
  ];
  return fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...sentences) },
        { weight: 3, arbitrary: fc.constantFrom('ASHA RAO', ...endings) },
        { weight: 3, arbitrary: fc.constantFrom(...phrases) },
        { weight: 2, arbitrary: fc.constantFrom(...digits) },
        { weight: 2, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.constantFrom(...signs) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map(parts => parts.join(''));
}

/** Either nothing is paid, or exactly what the bank said. */
function assertTrueOrNothing(
  bank: Bank,
  template: Template,
  subject: string,
  text: string,
  said: Values,
): void {
  const reading = readWording(bank, { subject, text });
  if (reading.outcome !== 'credit') return;
  const { amount, reference, accountDigits } = reading.facts;
  const has = (slot: string) => template.written.body.includes(`{${slot}}`);
  assert.notEqual(template.channel, 'other', text);
  assert.equal(amount, Math.round(Number(said['amount']) * 100), text);
  assert.equal(accountDigits, has('account') ? '5521' : null, text);
  if (reference !== null || !/\[[^\]]*\{reference\}/.test(template.written.body))
    assert.equal(reference, has('reference') ? said['reference'] : null, text);
  else assert.ok(!text.includes(said['reference']!), text);
}

const runs = { numRuns: 300 };

describe('payer text', () => {
  for (const { bank, template } of wordings) {
    const payerSlots = payerSlotsOf(template);
    if (payerSlots.length === 0) continue;
    it(`in ${bank.id} ${template.id} changes neither amount, account, reference nor direction`, () => {
      fc.assert(
        fc.property(
          fc.record(Object.fromEntries(payerSlots.map(slot => [slot, attackOn(bank)]))),
          fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
          (attacks, printed) => {
            const values: Values = { ...truth, ...attacks };
            const body = fill(template.written.body, values, at => printed[at % 20]!);
            const text = `Dear Customer, ${body}. Thank you for banking with us.`;
            assertTrueOrNothing(bank, template, subjectOf(template, truth), text, truth);
          },
        ),
        runs,
      );
    });
  }

  for (const { bank, template } of wordings)
    it(`after ${bank.id} ${template.id} changes nothing either`, () => {
      fc.assert(
        fc.property(attackOn(bank), attack => {
          const text = `Dear Customer, ${fill(template.written.body, truth)} ${attack}`;
          assertTrueOrNothing(bank, template, subjectOf(template, truth), text, truth);
        }),
        runs,
      );
    });

  for (const { bank, template } of wordings)
    it(`quoting ${bank.id} ${template.id} inside another mail of the bank pays nothing`, () => {
      const quote = fill(template.written.body, decoy);
      const mails = [
        `Rs.1.00 is debited from your account ending 5521 towards VPA x@ybl (${quote}) on 01-01-26.`,
        `Dear Customer, INR 1.00 has landed in your account from ${quote}. Thank you.`,
        `You have paid ₹500.37 to ${quote}.`,
        `You have received money from ${quote} Amount: Rs 1.00`,
        `A sum of 1.00 rupees has come from ${quote}.`,
        `Beneficiary ${quote} was registered.`,
        `Dear Customer, ${quote} has requested Rs. 1.00 from you.`,
        `---------- Forwarded message --------- From: bank Subject: x ${quote}`,
      ];
      for (const text of mails) {
        // A remark to the end of its line is as long as it is; and nobody's name is as long as such a statement.
        if (/\{(?:rest|note)\}\]?$/.test(template.written.body) && text.startsWith(`Dear Customer, ${quote}`))
          continue;
        const reading = readWording(bank, { subject: subjectOf(template, decoy), text });
        assert.notEqual(reading.outcome, 'credit', text);
      }
    });

  it('that is an ordinary name, in any script, is read and shown', () => {
    const hdfc = banks.find(bank => bank.id === 'hdfc')!;
    const template = hdfc.templates.find(one => one.id === 'upi-by-vpa')!;
    const words = [
      'MEERA',
      "D'SOUZA",
      'A.K.',
      'Sons & Co',
      'M/S',
      '(P)',
      '7th',
      'श्री राम',
      'காவ்யா',
      'José',
      'Al-Amin',
      'on',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), parts => {
        const name = parts.join(' ');
        const text = fill(template.written.body, { ...truth, payer_name: name });
        const reading = readWording(hdfc, { subject: subjectOf(template, truth), text });
        assert.equal(reading.outcome, 'credit', text);
      }),
    );
  });

  it('is never what makes a true credit readable, at any wording', () => {
    for (const { bank, template } of wordings) {
      const text = `Dear Customer, ${fill(template.written.body, truth)} Thank you.`;
      const reading = readWording(bank, { subject: subjectOf(template, truth), text });
      assert.equal(
        reading.outcome,
        template.channel === 'other' ? 'not_a_credit' : 'credit',
        `${bank.id} ${text}`,
      );
    }
  });
});
