import assert from 'node:assert/strict';
import test from 'node:test';
import { compileBody } from '../../../src/alerts/banks/compile-template.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { parseTemplate } from '../../../src/alerts/banks/parse-template.ts';
import { htmlToText } from '../../../src/alerts/mail/html-to-text.ts';
import { splitsFrom } from '../../../src/alerts/reading/find-splits.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';
import { escaped } from '../../support/bank-mail.ts';
import { payingWordings, variationsOf } from './variations.ts';

const wordings = payingWordings(loadBanks(null));

/** Left unread on purpose: only the missing words would show where the name ends. */
const unnamed = [
  'idfc-first imps',
  'jana imps',
  'jana upi-info',
  'kotak 811-upi',
  'slice imps',
  'slice imps-under-any-subject',
].map(wording => `${wording}: payer_name `);

/** And behind a statement as short as a name a sum that its template does not explain: "‹name› sent you Rs. 1". */
const short = ['bank-of-baroda bob-world', 'federal upi', 'standard-chartered credit'].flatMap(wording =>
  ['. Avl Bal Rs 3,571.23.', '. Total Available Balance INR 3,571.23.', '. Avl. Bal. ₹3,571.23'].map(
    ending => `${wording}: ending ${ending}`,
  ),
);

/** Left unread too: an ending that occurs twice, since a remark may have contained it first. */
const endedTwice = ['. Avl Bal Rs 3,571.23.', '.-SBI'].map(ending => `sbi cbs-credited: ending ${ending}`);

test('a wording is read with each way to write rupees, masked accounts, dates, names, letters and spaces', t => {
  const missed: string[] = [];
  let read = 0;
  for (const { bank, template } of wordings)
    for (const { name, subject, text, says } of variationsOf(template)) {
      // Read it as HTML source too, in which line ends are spaces.
      const reading = readWording(bank, { subject, text: htmlToText(`<p>${escaped(text)}</p>`) as string });
      if (reading.outcome !== 'credit') {
        missed.push(`${bank.id} ${template.id}: ${name}`);
        continue;
      }
      const { amount, reference, accountDigits } = reading.facts;
      assert.deepEqual(
        { amount, reference, accountDigits },
        says,
        `${bank.id} ${template.id}, ${name}: ${text}`,
      );
      read++;
    }
  t.diagnostic(`${read} variations of ${wordings.length} wordings read, ${missed.length} not`);
  assert.deepEqual(missed.sort(), [...unnamed, ...short, ...endedTwice].sort());
  assert.ok(read > 80 * wordings.length);
});

test('a sum without a rupee sign, or perhaps in paise, is refused', () => {
  for (const { bank, template } of wordings) {
    const [first] = variationsOf(template);
    assert.match(first!.text, /Rs\.500\.37/);
    for (const sum of [
      'USD 500.37',
      '$500.37',
      'Rs. USD 500.37',
      'Rs.05',
      'INR.50',
      'Rs.500.370',
      'Rs.500,37',
      'Rs.500.37 lakh'.replace(' ', ''),
      'Rs.-500.37',
      'Rs.५००',
    ]) {
      const text = first!.text.replace('Rs.500.37', sum);
      const subject = first!.subject.replace('Rs.500.37', sum);
      assert.notEqual(readWording(bank, { subject, text }).outcome, 'credit', `${bank.id}: ${text}`);
    }
  }
});

test('a template finds both date and time if they are next to each other', () => {
  const body = compileBody(
    parseTemplate('credited with INR {amount} on {date}, {time} IST by UPI/{reference}/'),
  );
  const text = 'credited with Rs. 500.37 on 15-11-26, 10:22:33 IST by UPI/615300112233/';
  assert.equal(splitsFrom(body[0]!, { text, cells: text }, 0)[0]?.to, text.length);
});
