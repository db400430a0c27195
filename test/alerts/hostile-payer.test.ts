import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Bank, Template } from '../../src/alerts/bank.ts';
import { loadBanks } from '../../src/alerts/load-banks.ts';
import { type Piece, parseTemplate } from '../../src/alerts/parse-template.ts';
import { readWording } from '../../src/alerts/read-wording.ts';
import { slots } from '../../src/alerts/slots.ts';

/** What the bank says, and what an attacker would like it to have said. */
const truth: Values = {
  amount: '1.00',
  account: 'XX5521',
  reference: '630711223344',
  utr: 'HDFCN26001122',
  payee_vpa: 'shop@bank',
  date: '03-11-26',
  time: '10:30:00',
  balance: '9,000.00',
  mobile: '919XXXX45100',
  ifsc: 'SBIN0001234',
  token: 'SBIN',
  end: '',
  payer_name: 'ASHA RAO',
  cut_name: 'ASHA RAO',
  payer_vpa: 'asha@ybl',
  note: 'lunch',
  gap: ' to your account. ',
  narration: 'UPI lunch',
  other_channel: 'NEFT-ACME',
};
const decoy: Values = {
  ...truth,
  amount: '500.37',
  account: 'XX9999',
  reference: '999999999999',
  utr: 'EVILN99999999',
};

/** The same with the true amount: an attacker who pays honestly once and wants another reference or account. */
const decoyOfSameAmount: Values = { ...decoy, amount: '1.00' };

type Values = Record<string, string>;

const banks = loadBanks(null).filter(bank => bank.templates.length > 0);
const wordings = banks.flatMap(bank => bank.templates.map(template => ({ bank, template })));

/** Fills a template. `choose` decides for each optional part whether the bank prints it. */
function fill(written: string, values: Values, choose: (at: number) => boolean = () => true): string {
  const say = (piece: Piece, at: number): string => {
    if (piece.kind === 'words') return piece.text;
    if (piece.kind === 'either') return piece.choices[0]!;
    if (piece.kind === 'slot') return values[piece.name]!;
    return choose(at) ? piece.pieces.map(say).join('') : '';
  };
  return parseTemplate(written).map(say).join('');
}

function subjectOf(template: Template, values: Values): string {
  const written = template.written.subjects[0]!;
  return written === '{any}' ? '' : fill(written, values);
}

function payerSlotsOf(template: Template): string[] {
  return [...template.written.body.matchAll(/\{([a-z_]+)\}/g)]
    .map(([, name]) => name!)
    .filter(name => slots[name]?.author === 'payer');
}

/** Pieces of attack: the bank's own phrases and whole sentences with other facts, and marks that confuse readers. */
function attackOn(bank: Bank): fc.Arbitrary<string> {
  const lies = [decoy, decoyOfSameAmount];
  const sentences = bank.templates.flatMap(template =>
    lies.flatMap(lie => [fill(template.written.body, lie), fill(template.written.body, lie, () => false)]),
  );
  // What a payer writes to end the bank's sentence early and have his own reference taken.
  const endings = bank.templates.flatMap(template =>
    [
      ...template.written.body.matchAll(
        /\{(?:payer_name|payer_vpa|cut_name|note|narration|gap|other_channel)\}/g,
      ),
    ].flatMap(slot => {
      const rest = template.written.body.slice(slot.index + slot[0].length).replace(/^([^[]*)\]/, '$1');
      return ['', '.', ' x', ' :'].map(end => `A@BC${fill(rest, decoy)}${end}`);
    }),
  );
  const phrases = bank.templates.flatMap(template =>
    parseTemplate(template.written.body).flatMap(piece => (piece.kind === 'words' ? [piece.text] : [])),
  );
  const marks = [
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
        { weight: 3, arbitrary: fc.constantFrom(...sentences.flatMap(disguises)) },
        { weight: 3, arbitrary: fc.constantFrom('ASHA RAO', ...endings.flatMap(disguises)) },
        { weight: 3, arbitrary: fc.constantFrom(...phrases.flatMap(disguises)) },
        { weight: 2, arbitrary: fc.constantFrom(...digits) },
        { weight: 2, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.constantFrom(...marks) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map(parts => parts.join(''));
}

/** What a template forgives its bank, it must not forgive a payer. */
function disguises(text: string): string[] {
  const marks = ['₹', 'Rs ', 'INR ', 'Rs. INR '].map(mark => text.replace(/(?:\bRs\.?|\bINR|₹) ?/g, mark));
  const accounts = text.replace(/XX9999/g, 'ending in XXXX XXXX 9999');
  const timed = text.replace(/03-11-26/g, '03-11-26, 10:30:00 IST');
  return [text, text.toUpperCase(), text.toLowerCase(), ...marks, accounts, timed];
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

  it('cannot be the reason why a true credit of every wording is read at all', () => {
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
