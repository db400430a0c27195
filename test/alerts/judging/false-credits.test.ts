import assert from 'node:assert/strict';
import test from 'node:test';
import { bankMail, everyAlert, hdfc, judgeBankMail, slice } from '../../support/bank-mail.ts';
import { announcements, inTurn, isNoCredit, noCreditBehind } from './wordings.ts';

const page = (text: string) => `<html><body><p>${text}</p></body></html>`;

test('a statement behind unlisted words is no credit, whatever they announce', async () => {
  await noCreditBehind(inTurn(announcements));
});

test('a subject that revokes the credit wins, where any subject is accepted', async () => {
  for (const subject of ['Upcoming payment', 'Payment failed', 'Collect request'])
    await isNoCredit(slice, { subject }, subject);
});

test('a credit quoted in another mail of the bank is no credit', async () => {
  for (const before of [
    'A dispute has been raised about this transaction.',
    'We have registered your complaint about:',
    'Here are your transactions for May:',
    'You have received a message from',
    'You have received a payment from',
    'Money received. Sender:',
    'Rs.20.00 was credited.',
    '---------- Forwarded message ----------',
    'On Mon, HDFC Bank wrote:',
    'This is how your alert will look like:',
    'Sample alert:',
  ])
    for (const alert of everyAlert)
      await isNoCredit(alert, { html: page(`${before} ${alert.text}`) }, before);
});

test('struck-through, rotated and superscript text is not read as its letters', async () => {
  for (const [open, close] of [
    ['<del>', '</del>'],
    ['<s>', '</s>'],
    ['<strike>', '</strike>'],
    ['<span style="text-decoration: line-through">', '</span>'],
    ['<bdo dir="rtl">', '</bdo>'],
    ['<span style="unicode-bidi:bidi-override;direction:rtl">', '</span>'],
    ['<div style="width:0;overflow:hidden">', '</div>'],
  ]) {
    await isNoCredit(hdfc, { html: page(`${open}${hdfc.text}${close}`) }, open!);
    await isNoCredit(hdfc, { html: page(hdfc.text.replace('500.37', `${open}500.37${close}`)) }, open!);
  }
  for (const amount of ['500<sup>37</sup>', '5<sub>00</sub>.37', '500,37', '1,00,00'])
    await isNoCredit(hdfc, { html: page(hdfc.text.replace('500.37', amount)) }, amount);
  const cheaper = await judgeBankMail(
    bankMail(hdfc, { html: page(hdfc.text.replace('500.37', '<del>500.37</del>1.00')) }),
  );
  assert.equal(cheaper.facts?.amount, 100);
});

test('a subject with another amount than the text is refused where any subject is accepted', async () => {
  await isNoCredit(slice, { subject: 'Received ₹1 via UPI' }, 'another sum');
});

test('an address hidden in a display name is not the recipient', async () => {
  for (const to of [
    'merchant@shop.in <a@evil.in>',
    "'merchant@shop.in' <a@evil.in>",
    "merchant@shop.in' <merchant@shop.in>",
  ])
    await isNoCredit(hdfc, { to }, to);
});

test('plain and HTML texts with different amounts are refused, in every layout of the plain one', async () => {
  for (const plain of [
    hdfc.text.replace('500.37', '1.00'),
    `*${hdfc.text.replace('500.37', '1.00')}* ref 615300112233`,
    `Rs.500.37 credited * ref 615300112299`,
    'Rs.500.37 has been credited. The transaction has failed. Ref 615300112233',
    'Rs.500.37 is debited from your account. Ref 615300112233',
  ])
    await isNoCredit(hdfc, { plain }, plain);
});
