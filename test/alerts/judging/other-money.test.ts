import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';

test('a narration in which UPI money comes back is no payment; a payer who writes so is', async () => {
  const sbi = loadBanks(null).find(bank => bank.id === 'sbi')!;
  const read = (narration: string) =>
    readWording(sbi, {
      subject: 'CBSSBI ALERT',
      text: `Your AC XXXXX004321 Credited INR 500.37 on 02/06/26 -${narration}. Avl Bal INR 3,10,000.00.-SBI`,
    }).outcome;
  for (const narration of [
    'UPI/REV/615300112233',
    'UPI REVERSAL',
    'IMPS-RETURN',
    'by transfer-UPI/REFUND/1',
    'REV UPI',
    'UPI/DR/615300112233/RAVI',
    'BY TRANSFER-UPI/DR/615300112233/REV',
    'UPI/RVSL/615300112233',
    'UPI-RTN-615300112233',
    'UPIREV/615300112233',
    'UPI CHARGEBACK',
    'IMPS REJECT',
    'ATM CASH',
    'NEFT/UPI ENTERPRISES',
  ])
    assert.equal(read(narration), 'not_a_credit', narration);
  for (const narration of [
    'UPI/CR/615300112233/MEERA/refund',
    'by transfer-UPI/CR/1/REVATHI',
    'UPI/REVATHI',
    'UPI/DR SHARMA CLINIC',
    'UPI/CR/615300112233/DR SHARMA',
    'UPI/CB TRADERS',
    'BY ONL UPI_CR/615300112233/MEERA/cash for salary',
  ])
    assert.equal(read(narration), 'credit', narration);
});

test('a wording whose sentence goes on with words that its template does not know is not read', () => {
  const bank = loadBanks(null).find(one => one.id === 'standard-chartered')!;
  const read = (rest: string) =>
    readWording(bank, {
      subject: 'x',
      text: `Dear Client, Your a/c no. XX4321 is credited by INR 500.37${rest}`,
    }).outcome;
  for (const rest of [
    ' on 02-06-26 by NEFT.',
    ' via NEFT from MEERA IYER.',
    ' through RTGS.',
    ' by cash deposit.',
    ' as interest for May.',
    ' on account of cashback.',
    ' from your fixed deposit.',
    ' by transfer from own account.',
    ' on reversal of a debit.',
    ' by way of refund.',
    ' upon failure of your transfer.',
    ' (since reversed)',
    ', which failed.',
    ' has requested money from you.',
    ' by UPI Ref no 615300112233.',
  ])
    assert.equal(read(rest), 'unreadable', rest);
  for (const rest of [
    '.',
    ' on 02-06-26.',
    ' on 02-06-26. For NEFT and cheque deposits visit a branch or ATM.',
  ])
    assert.equal(read(rest), 'credit', rest);
});

test("an ATM in SBI's footer takes no payment away", () => {
  const sbi = loadBanks(null).find(one => one.id === 'sbi')!;
  const credit = 'Your A/C XXXXX004321 has a credit by transfer of Rs 500.37 on 02/06/26';
  for (const end of ['. Avl Bal Rs 3,571.23-SBI', '. Avl Bal INR 3,571.23.-SBI', '.-SBI'])
    for (const footer of [
      '',
      '. Visit the nearest ATM.',
      ' Visit any ATM for cash',
      '\nFor cash visit any ATM',
    ])
      assert.equal(
        readWording(sbi, { subject: 'CBSSBI ALERT', text: credit + end + footer }).outcome,
        'credit',
        end + footer,
      );
});
