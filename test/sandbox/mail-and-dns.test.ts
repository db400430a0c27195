import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { mailKey, signMail } from '../support/signed-mail.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);
beforeEach(() => box.putAccount({ bank: 'hdfc' }));
afterEach(() => box.post('/sandbox/reset', {}));

const keyName = 'unit._domainkey.hdfcbank.net';

/** An alert of a real bank, as a test outside this project would write and sign it. */
function hdfcAlert(
  payable: number,
  change: { to?: string; key?: string; selector?: string; reference?: string } = {},
): Buffer {
  const now = box.sandbox.world.clock.now();
  const lines = [
    'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
    `To: ${change.to ?? box.file.mailbox}`,
    'Subject: View: Account update for your HDFC Bank A/c',
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
  ];
  const body =
    `<p>Dear Customer, Rs. ${rupeesText(paiseFromRupees(payable))} is successfully credited to your account ` +
    `**${box.file.account_digits} by VPA ravi@okaxis RAVI KUMAR on 15-11-26. ` +
    `Your UPI transaction reference number is ${change.reference ?? '612345678901'}.</p>\r\n`;
  return signMail(lines, body, {
    domain: 'hdfcbank.net',
    selector: change.selector ?? 'unit',
    key: mailKey(2048, change.key ?? 'hdfc'),
  });
}

test('a test can sign as a real bank: its DNS record decides, and its mail pays', async () => {
  const put = await box.putDns(keyName, mailKey(2048, 'hdfc').record);
  assert.equal(put.statusCode, 200);
  assert.deepEqual(put.json(), { name: keyName, value: mailKey(2048, 'hdfc').record });
  const order = await box.create();
  const answer = await box.mail(hdfcAlert(order.payable_amount));
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), {
    verdict: 'paid',
    reason: `paid order ${order.order_id}`,
    order_id: order.order_id,
  });
  assert.equal((await box.order(order.order_id))['bank_reference'], '612345678901');
});

test('the same mail found again changes nothing and is reported as such; so is its signature in another envelope', async () => {
  await box.putDns(keyName, mailKey(2048, 'hdfc').record);
  const order = await box.create();
  const raw = hdfcAlert(order.payable_amount);
  assert.equal((await box.mail(raw)).json().verdict, 'paid');
  const again = (await box.mail(raw)).json();
  assert.equal(again.verdict, 'duplicate');
  assert.equal(again.order_id, order.order_id);
  const relayed = Buffer.concat([Buffer.from('Received: from relay.example by mx.example\r\n'), raw]);
  assert.equal((await box.mail(relayed)).json().verdict, 'duplicate');
});

test('the same mail delivered ten times at once pays once, and nine callers read that it was counted', async () => {
  await box.putDns(keyName, mailKey(2048, 'hdfc').record);
  const order = await box.create();
  const raw = hdfcAlert(order.payable_amount);
  const answers = await Promise.all(Array.from({ length: 10 }, () => box.mail(raw)));
  const verdicts = answers.map(answer => answer.json().verdict).sort();
  assert.deepEqual(verdicts, [...Array(9).fill('duplicate'), 'paid']);
});

test('a replaced record counts at once, although the old key was just used', async () => {
  await box.putDns(keyName, mailKey(2048, 'hdfc').record);
  const first = await box.create();
  assert.equal((await box.mail(hdfcAlert(first.payable_amount))).json().verdict, 'paid');
  await box.putDns(keyName, mailKey(2048, 'next').record);
  const second = await box.create();
  const signedAnew = hdfcAlert(second.payable_amount, { key: 'next', reference: '612345678902' });
  assert.equal((await box.mail(signedAnew)).json().verdict, 'paid');
  const third = await box.create();
  const signedOld = hdfcAlert(third.payable_amount, { reference: '612345678903' });
  assert.equal((await box.mail(signedOld)).json().verdict, 'retrying');
});

test('a failing name makes the mail wait, and it pays once the name answers and the clock has moved', async () => {
  await box.putDns('slow._domainkey.hdfcbank.net', 'SERVFAIL');
  const order = await box.create();
  const answer = (await box.mail(hdfcAlert(order.payable_amount, { selector: 'slow' }))).json();
  assert.equal(answer.verdict, 'retrying');
  assert.equal(answer.order_id, null);
  await box.putDns('slow._domainkey.hdfcbank.net', mailKey(2048, 'hdfc').record);
  await box.post('/sandbox/clock', { advance_seconds: 10 });
  assert.equal((await box.order(order.order_id))['status'], 'paid');
});

test('a missing name makes the mail wait too, because banks rotate their keys', async () => {
  await box.putDns('gone._domainkey.hdfcbank.net', 'NXDOMAIN');
  const order = await box.create();
  const mail = hdfcAlert(order.payable_amount, { selector: 'gone' });
  assert.equal((await box.mail(mail)).json().verdict, 'retrying');
  assert.equal((await box.mail(mail)).json().verdict, 'retrying');
});

test('mails that pay nothing say why', async () => {
  await box.putDns(keyName, mailKey(2048, 'hdfc').record);
  const order = await box.create();
  const elsewhere = (await box.mail(hdfcAlert(order.payable_amount, { to: 'x@y.example' }))).json();
  assert.equal(elsewhere.verdict, 'wrong_recipient');
  const stranger = (await box.mail('From: a@b.example\r\nTo: c@d.example\r\n\r\nhello\r\n')).json();
  assert.equal(stranger.verdict, 'unreadable');
  assert.match(stranger.reason, /not a known sender/);
  assert.equal((await box.mail('garbage')).statusCode, 200);
  assert.equal((await box.order(order.order_id))['status'], 'pending');
});

test('a mail may have one mebibyte, and not a byte more', async () => {
  const head = 'From: a@b.example\r\n\r\n';
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  mebibyte.write(head);
  assert.equal((await box.mail(mebibyte)).statusCode, 200);
  const more = await box.mail(Buffer.concat([mebibyte, Buffer.from('x')]));
  assert.equal(more.statusCode, 413);
  assert.equal(more.json().error, 'request_too_large');
});
