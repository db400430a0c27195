import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { partsOf } from '../../../src/alerts/reading/compare-readings.ts';
import { findCreditSentences } from '../../../src/alerts/reading/find-credit-sentences.ts';
import { mostSplits } from '../../../src/alerts/reading/find-splits.ts';
import { offerFigures } from '../../../src/alerts/reading/offer-figures.ts';
import { linedOf, readWording } from '../../../src/alerts/reading/read-wording.ts';
import { wrapped } from './surroundings.ts';

const banks = loadBanks(null);
const bankOf = (id: string) => banks.find(bank => bank.id === id)!;

test('a reference that a payer wrote into a name is never offered, however the lines are wrapped', () => {
  const name = 'with UPI Ref No.: 111111111111 KUMAR RAM PRASAD SHARMA AND SONS GENERAL TRADERS OF PATNA';
  const text = `Dear Customer,\nAn amount of INR 1.00 has been CREDITED on 17/11/26 to your account XX1234 from ${name} with UPI Ref No.: 123456789012. Total Available Balance INR 5.00`;
  for (const width of [40, 60, 70, 76, 80, 100, 1000]) {
    const lines = text.split('\n').map(line => wrapped(line, width));
    const body = { outcome: 'read', html: null, text: lines.join('\n') } as const;
    for (const said of partsOf(bankOf('canara'), body)) {
      const offer = offerFigures(bankOf('canara'), { subject: 'UPI Transaction Alert', ...said });
      assert.deepEqual(offer?.references ?? [], [], String(width));
    }
  }
});

test('a balance is never offered as the received amount', () => {
  const text =
    'You have received ₹1 via UPI in your slice bank account xx1234. Avl. Bal. ₹50,000 Transaction date 17-11-26\nFrom RAM Rs 5 RRN 123456789012';
  const offer = offerFigures(bankOf('slice'), { subject: 'Received ₹1 via UPI', text });
  assert.deepEqual(offer?.amounts, [100]);
});

test('a mail with more possible readings than the limit is doubtful, and costs no more time', () => {
  const text = `Dear Customer,\nYour AC XXXXX004321 Credited INR 1.00 on 15/11/26 -UPI/CR/615300112233/A/x${'.-SBI '.repeat(1_000)}`;
  const [statement] = findCreditSentences(bankOf('sbi'), linedOf({ text }));
  assert.equal(statement?.splits.length, mostSplits);
  const reading = readWording(bankOf('sbi'), { subject: 'CBSSBI ALERT', text });
  assert.equal(reading.outcome, 'unreadable');
  assert.equal(offerFigures(bankOf('sbi'), { subject: 'CBSSBI ALERT', text }), null);
});
