import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { htmlToText } from '../../../src/alerts/mail/html-to-text.ts';
import { normaliseLines, withoutBorders } from '../../../src/alerts/mail/plain-text.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { payersSpans } from '../../../src/alerts/reading/find-credit-sentences.ts';
import { linedOf, readWording } from '../../../src/alerts/reading/read-wording.ts';
import { escaped } from '../../support/bank-mail.ts';
import { remarkMails } from './remark-mails.ts';
import { everydayRemarks } from './remarks.ts';
import { wrapped } from './surroundings.ts';

const banks = loadBanks(null);
const bankOf = (id: string) => banks.find(bank => bank.id === id)!;

/** One mail as HTML, as plain text, and wrapped by a mailer. */
function* formsOf(text: string) {
  const page = text.split('\n').map(line => `<p>${escaped(line)}</p>`);
  const cells = normaliseLines(htmlToText(page.join('')) as string);
  yield { outcome: 'read', html: withoutBorders(cells), cells, text: null } as const;
  yield { outcome: 'read', html: null, text } as const;
  const lines = text.split('\n').map(line => wrapped(line, 76));
  yield { outcome: 'read', html: null, text: lines.join('\n') } as const;
}

test('a payment is read with every everyday remark, at every wording that prints one', t => {
  assert.ok(everydayRemarks.length >= 200 && everydayRemarks.some(remark => remark.length >= 50));
  let tried = 0;
  for (const { bank, wording, subject, text, reference } of remarkMails)
    for (const remark of everydayRemarks)
      for (const body of formsOf(text.replace('«»', () => remark))) {
        tried++;
        const reading = compareReadings(bankOf(bank), subject, body);
        const context = `${bank} ${wording}, "${remark}": ${JSON.stringify(reading)}`;
        assert.equal(reading.outcome, 'credit', context);
        assert.equal(reading.facts.amount, 50_037, context);
        assert.equal(reading.facts.reference, reference, context);
      }
  t.diagnostic(`${tried} mails of ${remarkMails.length} wordings, all pay`);
});

test('a remark with the bank’s own last words allows two readings, and the mail is held', () => {
  const sbi = (remark: string) =>
    readWording(bankOf('sbi'), {
      subject: 'CBSSBI ALERT',
      text: `Dear Customer,\nYour AC XXXXX004321 Credited INR 1.00 on 15/11/26 -UPI/CR/615300112233/A/${remark}. Avl Bal INR 3,10,000.00.-SBI`,
    });
  const indusind = (remark: string) =>
    readWording(bankOf('indusind'), {
      subject: 'IndusInd Bank Transaction Alert',
      text: `Dear Customer,\nYour IndusInd Bank Account No. 15XXXXXX4321 has been Credited for INR 1.00 towards UPI/615300112233/CR/A/${remark}. The balance available in your Account is INR 2,000.00.`,
    });
  for (const reading of [
    sbi('x. Avl Bal INR 5.-SBI thanks'),
    sbi('x.-SBI y'),
    indusind('x. The balance available in your Account is INR 5 and so on'),
  ]) {
    assert.equal(reading.outcome, 'unreadable');
    assert.equal(reading.reason.code, 'many_splits');
  }
  assert.equal(sbi('x. Avl Bal').outcome, 'unreadable');
  assert.equal(sbi('x. avl').outcome, 'credit');
});

test('a name too long or odd to be one never leaves only a wrong reading', () => {
  const subject = 'View: Account update for your HDFC Bank A/c';
  const read = (name: string) =>
    readWording(bankOf('hdfc'), {
      subject,
      text: `Dear Customer, Rs. 1.00 is successfully credited to your account **4321 by VPA a@bc ${name} on 15-11-26. Your UPI transaction reference number is 615300112233. Thank you.`,
    });
  const fake = 'X on 15-11-26. Your UPI transaction reference number is 999999999999';
  for (const name of [`${fake}. ${'long '.repeat(30)}`, `${fake} <b>`, `${fake}. \u202E`, fake])
    assert.equal(read(name).outcome, 'unreadable', name);
  assert.equal(read('MEERA IYER').outcome, 'credit');
});

test('a remark with the victim’s number is no reference, and a number of the bank’s before it is', () => {
  const read = (narration: string) => {
    const text = `Your AC XXXXX004321 Credited INR 1.00 on 15/11/26 -${narration}. Avl Bal INR 3,10,000.00.-SBI`;
    const reading = readWording(bankOf('sbi'), { subject: 'CBSSBI ALERT', text });
    assert.equal(reading.outcome, 'credit', narration);
    return reading.facts.reference;
  };
  assert.equal(read('UPI/CR/615300112233/A/HDFC/a@b/UPI/CR/999999999999/x'), '615300112233');
  assert.equal(read('UPI pay UPI/CR/999999999999/x'), null);
  assert.equal(read('BY TRANSFER-UPI-x UPI/999999999999/y'), null);
  assert.equal(read('UPI/A 999999999999'), null);
});

test('every part that some reading gives to a payer is reported, and nothing else', () => {
  const text =
    'Dear Customer,\nYour AC XXXXX004321 Credited INR 1.00 on 15/11/26 -UPI/CR/615300112233/A/x. Avl Bal INR 5.-SBI thanks 500.37. Avl Bal INR 3,10,000.00.-SBI\nCall 1800 1234';
  const said = linedOf({ text });
  const payers = payersSpans(bankOf('sbi'), said).map(span => said.text.slice(...span));
  assert.deepEqual(payers, ['A/x. Avl Bal INR 5.-SBI thanks 500.37']);
});
