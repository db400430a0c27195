import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Alert,
  axis,
  type Build,
  bankMail,
  canara,
  escaped,
  everyAlert,
  hdfc,
  judgeBankMail,
  kotak,
  slice,
} from '../../support/bank-mail.ts';

async function isCredit(alert: Alert, build: Build, what: string) {
  const judgement = await judgeBankMail(bankMail(alert, build));
  assert.equal(judgement.verdict, 'credit', `${alert.bank}, ${what}: ${judgement.reason.code}`);
  assert.deepEqual(
    [judgement.facts?.amount, judgement.facts?.reference, judgement.facts?.accountDigits],
    [50037, '615300112233', '4321'],
    `${alert.bank}, ${what}`,
  );
}

const page = (text: string) => `<html><body><table><tr><td>${text}</td></tr></table></body></html>`;

test('no footer takes a payment away: advice, terms and advertising speak of no transaction in particular', async () => {
  for (const footer of [
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
  ])
    for (const alert of everyAlert) {
      await isCredit(alert, { html: page(escaped(`${alert.text} ${footer}`)) }, footer);
      await isCredit(alert, { html: page(escaped(`${alert.text}. Thank you. ${footer}`)) }, footer);
      await isCredit(alert, { html: page(`${escaped(alert.text)}<br>${escaped(footer)}`) }, footer);
    }
});

test('what a bank says before it comes to the point takes no payment away', async () => {
  for (const opening of [
    'If you are unable to view this mail, please click here.',
    'If you have not initiated this transaction, call us.',
    'Please do not reply to this mail. This mailbox is not monitored.',
    'Never share your OTP, PIN or CVV. The bank does not ask for them.',
    'Looking forward to more opportunities to be of service to you.',
    'Transaction alert',
    'With reference to your account held with us,',
    'प्रिय ग्राहक,',
    'Open an FD today at 7.25% p.a.',
    'As requested by you, we inform you that',
    'This is in response to your request for alerts.',
    'As per RBI guidelines, alerts will be sent for all transactions.',
    'Beware of phishing: never approve a collect request from strangers.',
  ])
    for (const alert of everyAlert) {
      const text = alert.text.replace(greeted, '');
      await isCredit(alert, { html: page(`${opening}<br>Dear Customer,<br>${escaped(text)}`) }, opening);
    }
});

/** Whatever an alert has up to its greeting. */
const greeted = /^.{0,12}?(?:Dear|Hi) [^,]+, /;

test("no word of the customer's own name in the greeting takes his payments away", async () => {
  for (const name of [
    'SHREE FOOD PROCESSING',
    'Care Initiatives',
    'M/S. Bounce & Co. (Refund Experts) Pvt. Ltd.',
    'Mr. REGRET IYER',
    'PAID MEDIA AND MANDATE CONSULTANTS OF INDIA',
    'VOID STUDIO',
  ])
    for (const alert of everyAlert) {
      const text = alert.text.replace(/Dear Customer, |^Hi [^,]+, /, '');
      await isCredit(alert, { html: page(escaped(`Dear ${name}, ${text}`)) }, name);
    }
});

test("no payer's remark takes his payment away", async () => {
  for (const remark of ['refund', 'failed order', 'debited twice', 'reversal pls', 'on hold'])
    await isCredit(axis, { html: page(axis.text.replace('/Paym', `/${remark}`)) }, remark);
});

test('a headline that names nobody may stand above the statement', async () => {
  for (const headline of [
    'Money received!',
    'Amount credited',
    'INR 500.37 credited',
    'You have received money',
  ])
    for (const alert of everyAlert) {
      const text = alert.text.replace(greeted, '');
      await isCredit(alert, { html: page(`<h1>${headline}</h1>Hi Asha,<p>${escaped(text)}</p>`) }, headline);
    }
});

test('layout changes nothing: soft hyphens, cells for colons, copies hidden by class, text written out', async () => {
  for (const alert of [hdfc, axis, kotak, slice, canara]) {
    const text = escaped(alert.text);
    const hyphened = text.replace(/(\p{L}{3})(\p{L}{3})/gu, '$1&shy;$2').replace('500.37', '500&shy;.37');
    await isCredit(alert, { html: page(hyphened) }, 'soft hyphens');
    await isCredit(alert, { html: page(text.replaceAll(': ', '</td><td>:</td><td>')) }, 'colon cells');
    const twice = `<head><style>@media (max-width:600px){.a{display:block}} .phone, div.pre {display:none !important}</style></head><div class="x phone">${text}</div><div class="pre">${text}</div><p>${text}</p>`;
    await isCredit(alert, { html: twice }, 'copies hidden by class');
  }
  await isCredit(hdfc, { plain: `*${hdfc.text}*`.replace('(VPA: ', '(VPA: mailto:') }, 'links written out');
});

test('a plain part that names no money is a placeholder, whatever its words', async () => {
  const plain =
    'Please view this mail as HTML. If you have received it in error, call 18002586161. No credit cards.';
  for (const alert of [hdfc, axis, slice]) await isCredit(alert, { plain }, 'placeholder');
});

test('a plain part laid out in another way may have the footer that every mail of the bank has', async () => {
  for (const footer of [
    'Beware of collect request frauds.',
    'A payment has failed? Call us.',
    'Your e-statement is free.',
    'Refund has its own page.',
  ])
    for (const alert of [hdfc, axis, slice, canara]) {
      const plain = `${alert.text.replace('500.37', '*500.37*')} ${footer}`;
      await isCredit(alert, { plain }, plain);
      await isCredit(alert, { plain: `Please view this mail as HTML. ${footer}` }, footer);
    }
});

test('names as people and firms have them', async () => {
  for (const name of [
    'M/S A & B (INDIA) PVT. LTD.',
    "D'SOUZA",
    'मीरा',
    '100% COTTON',
    'RAVI [HUF]',
    'R "RAJ" K',
    'A; B',
    'D`SOUZA',
    'M/S: RAM',
    'A & B',
    'ASHA 😀 ❤️',
  ])
    for (const alert of [hdfc, kotak, slice, canara])
      await isCredit(alert, { html: page(escaped(alert.text.replace('MEERA IYER', name))) }, name);
});

test('other spellings of a character set are the same character set', async () => {
  for (const charset of ['utf8', 'UTF-8', '"utf-8"'])
    await isCredit(slice, { type: `text/html; charset=${charset}` }, charset);
  const ascii = page(escaped(slice.text).replaceAll('₹', '&#8377;'));
  for (const charset of ['ascii', 'latin1', 'cp1252'])
    await isCredit(slice, { html: ascii, type: `text/html; charset=${charset}` }, charset);
});

test('a To that gives the address where a name belongs is one address', async () => {
  for (const to of ['merchant@shop.in <merchant@shop.in>', "'Merchant@shop.in' <merchant@shop.in>"])
    await isCredit(hdfc, { to }, to);
});

test("Kotak's unsigned build may be any that leaves one reading", async () => {
  const html = `<html><body style="a">${escaped(kotak.text)}</body></html>`;
  for (const container of ['multipart/mixed', 'multipart/alternative'])
    await isCredit(kotak, { html, container }, container);
  await isCredit(kotak, { html, plain: kotak.text }, 'both texts');
  for (const encoding of ['8bit', null])
    await isCredit(kotak, { html, single: true, encoding }, `${encoding}`);
  await isCredit(
    kotak,
    { html: Buffer.from(html).toString('base64'), single: true, encoding: 'base64' },
    'base64',
  );
});

test('a mail signed for as having no subject is read, where the bank’s subject is not known', async () => {
  await isCredit(kotak, { subject: null }, 'no subject');
  assert.equal((await judgeBankMail(bankMail(hdfc, { subject: null }))).verdict, 'unreadable');
});
