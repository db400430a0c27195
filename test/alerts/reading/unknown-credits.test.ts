import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';

const banks = loadBanks(null);
const bank = (id: string) => banks.find(one => one.id === id)!;

test('a credit in an unknown wording is unreadable, whatever footer or remark comes after its sentence', () => {
  const behind = [
    ...['Never share your OTP for any transaction.', 'Do not accept any collect request to receive money.'],
    ...['Transaction failed? Payment pending?', 'Your e-statement is available online.'],
    ...['If it is debited from your account in error, call us.', 'Pay your credit card bill in the app.'],
    'To view the available balance in your account, log in.',
    ...['Remarks: credit card bill', 'Remarks: payment request', 'Remarks: autopay approved'],
  ];
  for (const statement of [
    'Dear Customer, INR 500.37 has been credited to HDFC Bank A/c XX4321 on 02-06-26 from VPA meera@okaxis (UPI Ref No 615300112233).',
    'Great news! Rs.500.37 received in your HDFC Bank A/c no. 4321 from MEERA IYER via UPI.',
    'UPI payment has been credited to your bank account.\nCurrency: INR\nAmount: 500.37',
    'Amount Credited\n₹500\nUPI Ref No\n615300112233',
  ])
    for (const said of behind)
      for (const between of statement.endsWith('.') ? [' ', '\n'] : ['\n']) {
        const reading = readWording(bank('hdfc'), { subject: 'New', text: statement + between + said });
        assert.equal(reading.outcome, 'unreadable', statement + between + said);
        assert.equal(reading.reason.code, 'unknown_wording');
      }
});

test('a mail is no credit if its sentence with "credited" or "received", or one before it, says so', () => {
  for (const [code, text] of [
    ['failed_or_declined', 'Your transaction has failed. Rs. 500.00 is credited to you again.'],
    ['failed_or_declined', 'Rs. 500.00 could not be credited to MEERA. The transaction has failed.'],
    ['failed_or_declined', 'Rs. 500.00 was not received by MEERA. The payment has failed.'],
    ['refund', 'Rs. 500.00 is credited to your A/c No. XX4321 for reversal of UPI 615300112233.'],
    ['card_bill', 'Rs. 500.00 has been credited to your\nHDFC Bank Credit Card ending 4129.'],
    ['card_bill', 'Rs. 500.00 has been credited to your HDFC Bank\ncredit card ending 4129.'],
    [
      'request',
      'We have received a request for Rs. 500.00 from MEERA. Approve the collect request in the app.',
    ],
    ['refund', 'Rs. 500.00 has been credited to your account. This payment has been reversed.'],
    ['otp', 'We have received your application. 123456 is the OTP for paying Rs. 500.00.'],
    ['statement', 'Points were credited. Your e-statement is ready.'],
    ['debit', 'Rs. 500.00 was deducted at the shop and credited to MEERA.'],
  ] as const) {
    const reading = readWording(bank('federal'), { subject: 'New', text });
    assert.equal(reading.outcome, 'not_a_credit', text);
    assert.equal(reading.reason.code, code, text);
  }
});
