import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';

test('a narration about returned UPI money is no payment; a payer’s remark with these words is', async () => {
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

test('an SBI narration that does not begin with UPI or IMPS never pays, and is held unless it names another channel', () => {
  const sbi = loadBanks(null).find(bank => bank.id === 'sbi')!;
  const read = (narration: string) => {
    const text = `Dear Customer, Your AC XXXXX004321 Credited INR 500.37 on 02/06/26 -${narration}. Avl Bal INR 3,10,000.00.-SBI`;
    const reading = readWording(sbi, { subject: 'CBSSBI ALERT', text });
    return reading.outcome === 'credit' ? 'credit' : reading.reason.code;
  };
  for (const narration of [
    ...['lunch', 'CSH DEP SELF', 'BULK POSTING', 'DEP TFR', 'BY TRANSFER', 'INTT 01-04', 'TFR FROM 4897692'],
    ...['CSHBK UPI OFFER', 'ACME PAYROLL UPI', 'GSTRFND', 'MERCHANT SETTLEMENT UPI/CR/1', '615300112233'],
  ])
    assert.equal(read(narration), 'channel_not_named', narration);
  for (const narration of ['NEFT-ACME', 'CASH DEPOSIT', 'SALARY JUN', 'INTEREST UPI', 'BY CASH UPI/CR/1'])
    assert.equal(read(narration), 'other_channel', narration);
  for (const narration of [
    'UPI',
    'UPI lunch',
    'IMPS MEERA',
    'BY TRANSFER-UPI-MEERA',
    'BY TRF UPI/MEERA/cash',
    ...['DEPOSIT BY TRANSFER-UPI/CR/615300112233/A', 'INB UPI/CR/615300112233/A', 'MOB-IMPS 615300112233 A'],
    ...['MMT/IMPS/615300112233/A', 'BHIM UPI', 'YONO UPI', 'DEP TFR UPI CR 615300112233'],
  ])
    assert.equal(read(narration), 'credit', narration);
  const text =
    'Your AC XXXXX004321 Credited INR 500.37 on 02/06/26 -DEP TFR UPI/CR/615300112233/ASHA. Avl Bal INR 3.00.-SBI';
  const deposit = readWording(sbi, { subject: 'CBSSBI ALERT', text });
  assert.equal(deposit.outcome === 'credit' && deposit.facts.reference, '615300112233');
});

test('a narration of other money that names no other channel first never pays, and is visible', () => {
  const statements: Record<string, readonly [subject: string, before: string, after: string]> = {
    axis: [
      'Credit transaction alert for Axis Bank A/c',
      'Dear Customer, We wish to inform you that your A/c no. XX4321 has been credited with INR 500.37 on 02-06-26 at 11:59:42 IST by ',
      '.',
    ],
    indusind: [
      'IndusInd Bank Transaction Alert',
      'Dear Customer, Your IndusInd Bank Account No. 15XXXXXX4321 has been Credited for INR 500.37 towards ',
      '. The balance available in your Account is INR 5.00.',
    ],
    jana: [
      'Transaction Alert for your Jana Bank Account',
      'Dear Customer, Your Jana Bank A/c no. XX4321 is credited with INR 500.37 on 02-JUN-2026. Info: ',
      ' Your account balance is INR 5.00.',
    ],
    icici: [
      'Transaction alert',
      'Dear Customer, Your ICICI Bank Account XX321 has been credited with INR 500.37 on 02-Jun-26. Info: ',
      '.',
    ],
  };
  for (const [id, [subject, before, after]] of Object.entries(statements)) {
    const bank = loadBanks(null).find(one => one.id === id)!;
    const read = (narration: string) => {
      const reading = readWording(bank, { subject, text: before + narration + after });
      return reading.outcome === 'credit' ? 'credit' : `${reading.outcome} ${reading.reason.code}`;
    };
    for (const narration of [
      ...['BHIM/UPI/615300112233/MEERA', 'BY UPI/615300112233/MEERA', 'MMT/IMPS/615300112233/MEERA'],
      ...['Upi/615300112233/MEERA', '615300112233/UPI/MEERA', 'VPA meera@ybl 615300112233', 'MEERA IYER'],
    ])
      assert.equal(read(narration), 'unreadable channel_not_named', `${id} ${narration}`);
    for (const narration of ['NEFT-ACME', 'BY CASH', 'ACH C- ACME', 'INT.PD', 'TRF NEFT UPI/615300112233'])
      assert.equal(read(narration), 'not_a_credit other_channel', `${id} ${narration}`);
  }
});

test('an SBI mail with "credit for" pays only if it names UPI', () => {
  const sbi = loadBanks(null).find(bank => bank.id === 'sbi')!;
  const read = (what: string) => {
    const text = `Greetings from SBI ! Your A/C XXXXX004321 has credit for ${what} of Rs 500.37 on 02/06/26. Avl Bal Rs 1,00,000.00.-SBI`;
    const reading = readWording(sbi, { subject: 'CBSSBI ALERT', text });
    return reading.outcome === 'credit' ? 'credit' : `${reading.outcome} ${reading.reason.code}`;
  };
  assert.equal(read('UPI'), 'credit');
  for (const what of ['NEFT', 'RTGS', 'NACH', 'CASH', 'Cheque', 'INTEREST', 'SALARY', 'Cash Deposit'])
    assert.equal(read(what), 'not_a_credit other_channel', what);
  for (const what of ['REVERSAL', 'REFUND', 'Return', 'UPI REVERSAL', 'UPI REFUND'])
    assert.equal(read(what), 'not_a_credit refund', what);
  // Nobody can say whose money this is.
  for (const what of [
    'C0000000000000000000000',
    'AOFS00000000000011BHPL',
    'UPIREV',
    'UPI123',
    'IMPS',
    'TDS',
    'UPI CASHBACK',
  ])
    assert.equal(read(what), 'unreadable unknown_wording', what);
});

test('returned UPI money at South Indian Bank is no payment', () => {
  const bank = loadBanks(null).find(one => one.id === 'south-indian')!;
  const read = (kind: string) =>
    readWording(bank, {
      subject: 'Credit Alert From SIB',
      text: `Dear Customer, INR 500.37 was credited to your SOUTH INDIAN BANK account XXXXX4321 Info - UPI/${kind}/615300112233/MEERA/x`,
    }).outcome;
  for (const kind of [
    ...['REV', 'REVERSE', 'REVERSED', 'REVERSAL', 'RVSL', 'REVSL', 'REFUND', 'RFND', 'RFD', 'RETURN', 'RET'],
    ...['RETD', 'RETN', 'RTN', 'REJECT', 'REJECTED', 'REJ', 'RJT', 'CHARGEBACK', 'CB', 'RRC', 'ADJ', 'DR'],
    'FAILED',
  ])
    assert.equal(read(kind), 'not_a_credit', kind);
  for (const kind of ['SBIN', 'HDFC', 'RETC']) assert.equal(read(kind), 'credit', kind);
});

test('a sentence with more words than its template is not read', () => {
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

test('a sum in the footer does not change money by another channel', () => {
  const sbi = loadBanks(null).find(one => one.id === 'sbi')!;
  const text = `Dear Customer, Your A/C XXXXX771234 has a credit by NACH- POWER CORP of Rs 733.50 on 10/11/26. Avl Bal Rs 1,000.00.-SBI\nGet a cover of Rs 2,00,000 today.`;
  assert.equal(readWording(sbi, { subject: 'CBSSBI ALERT', text }).outcome, 'not_a_credit');
});

test('an ATM in SBI’s footer does not prevent a payment', () => {
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
