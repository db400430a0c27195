import assert from 'node:assert/strict';
import test from 'node:test';
import {
  axis,
  bankMail,
  canara,
  escaped,
  everyAlert,
  hdfc,
  judgeBankMail,
  kotak,
  slice,
} from '../../support/bank-mail.ts';
import { creditAbove, footers, inTurn, isCredit } from './wordings.ts';

const page = (text: string) => `<html><body><table><tr><td>${text}</td></tr></table></body></html>`;

test('a payment is read with every footer: advice, terms and advertising describe no transaction', async () => {
  await creditAbove(inTurn(footers));
});

test('a payment is read with every introductory line of its bank', async () => {
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

/** Any lines of an alert up to its greeting. */
const greeted = /^.{0,12}?(?:Dear|Hi) [^,]+, /;

test('a payment is read whatever words the customer’s name in the greeting has', async () => {
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

test('a payment is read whatever the payer’s remark says', async () => {
  for (const remark of ['refund', 'failed order', 'debited twice', 'reversal pls', 'on hold'])
    await isCredit(axis, { html: page(axis.text.replace('/Paym', `/${remark}`)) }, remark);
});

test('a headline that names nobody may be above the statement', async () => {
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

test('layout does not change the reading: soft hyphens, cells for colons, copies hidden by class, spelled-out text', async () => {
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

test('a plain part without an amount is a placeholder, in any words', async () => {
  const plain =
    'Please view this mail as HTML. If you have received it in error, call 18002586161. No credit cards.';
  for (const alert of [hdfc, axis, slice]) await isCredit(alert, { plain }, 'placeholder');
});

test('a plain part in another layout may have the bank’s usual footer', async () => {
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

test('names of people and firms are read', async () => {
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

test('other spellings of a character set mean the same character set', async () => {
  for (const charset of ['utf8', 'UTF-8', '"utf-8"'])
    await isCredit(slice, { type: `text/html; charset=${charset}` }, charset);
  const ascii = page(escaped(slice.text).replaceAll('₹', '&#8377;'));
  for (const charset of ['ascii', 'latin1', 'cp1252'])
    await isCredit(slice, { html: ascii, type: `text/html; charset=${charset}` }, charset);
});

test('a To with the address in place of the name is one address', async () => {
  for (const to of ['merchant@shop.in <merchant@shop.in>', "'Merchant@shop.in' <merchant@shop.in>"])
    await isCredit(hdfc, { to }, to);
});

test('Kotak’s unsigned MIME structure may be any that has only one reading', async () => {
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

test('a mail signed as having no subject is read if the bank’s subject is unknown', async () => {
  await isCredit(kotak, { subject: null }, 'no subject');
  assert.equal((await judgeBankMail(bankMail(hdfc, { subject: null }))).verdict, 'unreadable');
});
