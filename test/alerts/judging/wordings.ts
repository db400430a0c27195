import assert from 'node:assert/strict';
import {
  type Alert,
  type Build,
  bankMail,
  escaped,
  everyAlert,
  judgeBankMail,
} from '../../support/bank-mail.ts';

/** Banks' words around the statement of a credit: the first tier tries each with one bank, the second with all. */
export type Pair = readonly [words: string, alert: Alert];

export const inTurn = (all: readonly string[]): Pair[] =>
  all.map((words, at) => [words, everyAlert[at % everyAlert.length]!]);
export const withEvery = (all: readonly string[]): Pair[] =>
  all.flatMap(words => everyAlert.map(alert => [words, alert] as const));

export async function isNoCredit(alert: Alert, build: Build, what: string) {
  const judgement = await judgeBankMail(bankMail(alert, build));
  assert.notEqual(judgement.verdict, 'credit', `${alert.bank}, ${what}`);
}

export async function isCredit(alert: Alert, build: Build, what: string) {
  const judgement = await judgeBankMail(bankMail(alert, build));
  assert.equal(judgement.verdict, 'credit', `${alert.bank}, ${what}: ${judgement.reason.code}`);
  assert.deepEqual(
    [judgement.facts?.amount, judgement.facts?.reference, judgement.facts?.accountDigits],
    [50037, '615300112233', '4321'],
    `${alert.bank}, ${what}`,
  );
}

export async function noCreditBehind(pairs: readonly Pair[]): Promise<void> {
  const page = (text: string) => `<html><body><p>${text}</p></body></html>`;
  for (const [before, alert] of pairs) {
    await isNoCredit(alert, { html: page(`${before} ${alert.text}`) }, before);
    await isNoCredit(alert, { html: page(`Dear Customer, ${before} ${alert.text}`) }, before);
  }
}

export async function creditAbove(pairs: readonly Pair[]): Promise<void> {
  const page = (text: string) => `<html><body><table><tr><td>${text}</td></tr></table></body></html>`;
  for (const [footer, alert] of pairs) {
    await isCredit(alert, { html: page(escaped(`${alert.text} ${footer}`)) }, footer);
    await isCredit(alert, { html: page(escaped(`${alert.text}. Thank you. ${footer}`)) }, footer);
    await isCredit(alert, { html: page(`${escaped(alert.text)}<br>${escaped(footer)}`) }, footer);
  }
}

export const announcements = [
  'Your payment could not be processed:',
  'The following credit is on hold:',
  'You have a collect request.',
  'A transfer has been initiated:',
  'Upcoming credit:',
  'Pending:',
  'Cancelled:',
  'This transaction was cancelled.',
  'Please ignore this mail.',
  'Sent in error:',
  'The alert below was sent by mistake.',
  'This is a reversal.',
  'Declined:',
  'The following amount will be credited:',
  'Scheduled for 05-12-26:',
  'Failed.',
  'Your account was NOT credited:',
  'We were unable to credit your account.',
  'Subject to clearance:',
  'Once the payer approves, you will read:',
  'Test mail:',
  'यह लेनदेन विफल रहा।',
  'लंबित:',
  'लेनदेन रद्द किया गया।',
  'असफल:',
  'कृपया इस मेल पर ध्यान न दें।',
  'You will soon receive',
  'You are about to receive',
  'Future dated credit:',
  'Forthcoming credit:',
  'Standing instruction:',
  'Request raised:',
  'You asked MEERA IYER to pay:',
  'MEERA IYER wants to send you money.',
  'Accept this payment:',
  'Claim your money:',
  'Demo:',
  'Example:',
  'Preview of your alert:',
  'This is how alerts look:',
  'Duplicate alert:',
  'Last year on this day:',
  'Under review:',
  'Frozen:',
  'Debit alert:',
  'You sent:',
  'Outgoing payment:',
  'Your payment to MEERA IYER:',
  'Hi your money is pending,',
  'नमूना:',
];

export const footers = [
  'You are requested not to share your OTP, PIN or CVV with anyone.',
  'For failed transactions, the amount debited will be reversed within T+1 days.',
  'In case your account is debited and the transaction failed, a refund will be made within 5 working days.',
  'If the amount has been debited from your account for a failed transaction, it will be credited back to your account.',
  'Your account will be debited only after you enter your UPI PIN.',
  'Amount once credited will not be refunded. Refund policy applies.',
  'For payment declined or unsuccessful transactions call us. If you have requested a chargeback it will be on hold.',
  'Disclaimer: the amount credited is subject to reversal in case of dispute.',
  'If you did not authorize this transaction, please report it immediately.',
  'The recipient, if not the addressee, should not use this message if erroneously received.',
  'Get cashback of Rs. 500 using your Kotak Credit Card. Pay bills with Axis Bank Credit Card No. cost EMI.',
  'The available balance in your account is Rs. INR 12,345.67.',
  'If you have received this mail in error, please delete it.',
  'For service requests write to us. For transaction failed cases contact your branch.',
  'We have sent you this alert because you have requested it.',
  'AutoPay and e-mandate: set up today. Your e-statement is ready.',
  'If you have not initiated this transaction, please call 18002586161.',
  'If this transaction was not initiated by you: SMS BLOCKUPI to 5676782.',
  'Not initiated by you? Report it at once.',
  'If not done by you, forward this SMS.',
  'Kindly ignore calls and messages that ask for your OTP. Please disregard mails about prizes.',
  'Please ignore this mail if you have already updated your KYC.',
  'Payment services will be unavailable due to scheduled maintenance on Sunday.',
  'Complete your pending KYC today. Submit a cancelled cheque at your branch.',
  'Transaction failed? Payment pending? Refund delayed? Chat with us.',
  'Failed Transactions: see our policy. Pending requests: open the app.',
  'This is a system generated mail. Please do not reply.',
  'This message was sent to you because you asked for alerts.',
  'This e-mail is confidential and may be read by you alone. If it reached you in error, delete it.',
  'Cashback will be credited within 90 days. This transaction will appear in your statement.',
  'This payment is not insured by any third party. It is safe to bank with us.',
  'अपना OTP किसी के साथ साझा न करें। बैंक कभी भी आपका पिन नहीं मांगता।',
  'यदि यह लेनदेन आपने नहीं किया है तो तुरंत बैंक को बताएं।',
  'असफल लेनदेन की राशि तीन कार्य दिवसों में वापस हो जाएगी। धन्यवाद।',
  'The amount debited in a failed transaction is reversed automatically.',
  'Money debited but transaction failed? It is reversed within 24 hours.',
  'This message has been sent by an automated system.',
  'This e-mail has been sent to you because you asked for alerts.',
  'This is not a collect request. A dispute can be raised for this transaction within 120 days.',
  'Do not accept any collect request to receive money. You need not enter your UPI PIN to receive money.',
  'This transaction cannot be reversed. UPI transactions are irreversible.',
  'The balance shown includes funds in clearing and amount on hold.',
  'Transaction initiated by MEERA IYER via PhonePe. The status of this transaction can be seen in the app.',
  'In case of any discrepancy, contact your branch within 7 days, failing which the transaction will be treated as correct.',
  'Kindly update your PAN; accounts without PAN will be frozen.',
  'The message could have been intercepted, corrupted, lost, or arrive late or incomplete.',
  'Complaints pending beyond 30 days may go to the Ombudsman. Replies to this mailbox are not received.',
  'Your feedback is awaited. The transaction will reflect in your statement.',
  'राशि वापस नहीं होगी। पैसे पाने के लिए UPI पिन नहीं डालना होता।',
];
