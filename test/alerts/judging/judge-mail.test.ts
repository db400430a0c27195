import assert from 'node:assert/strict';
import test from 'node:test';
import type { MimeShape } from '../../../src/alerts/origin/weigh-signature.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { sentence, testBank } from '../../support/alert-banks.ts';
import { altered, genuineLines, judge, linesWith, signedAlert } from '../../support/genuine-alert.ts';
import { quotedPrintable } from '../../support/signed-mail.ts';

const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];
const alternative = 'multipart/alternative; boundary=B';

function inParts(text: string, html: string): string {
  const parts = [
    ['text/plain', text],
    ['text/html', html],
  ].map(([type, content]) => `--B\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${content}\r\n`);
  return `${parts.join('')}--B--\r\n`;
}

test("the attacker's own genuine alert, forwarded to the merchant, is addressed to the attacker", async () => {
  const judgement = await judge(signedAlert(linesWith({ To: 'attacker@x.in' })));
  assert.equal(judgement.verdict, 'wrong_recipient');
  assert.match(sayReason('en', judgement.reason), /attacker@x\.in/);
  assert.equal(judgement.recipient, null);
  assert.equal(judgement.facts?.amount, 50037);
});

test('a signed To or Cc that equals an own address in any letter case counts', async () => {
  for (const changes of [
    { To: 'MERCHANT@SHOP.IN' },
    { To: 'Shop <Merchant@Shop.in>' },
    { To: 'x@y.in, merchant@shop.in' },
    { To: 'x@y.in', Cc: 'merchant@shop.in' },
    { To: null, Cc: 'merchant@shop.in' },
    { To: '', Cc: 'merchant@shop.in' },
    { Cc: '' },
  ])
    assert.equal((await judge(signedAlert(linesWith(changes)))).verdict, 'credit', JSON.stringify(changes));
  const extra = await judge(signedAlert(linesWith({ To: 'old@mail.in' })), {
    addresses: ['merchant@shop.in', 'Old@Mail.in'],
  });
  assert.equal(extra.recipient, 'old@mail.in');
});

test('plus tags, dots, look-alikes and no recipient at all are wrong recipients', async () => {
  for (const To of [
    'merchant+x@shop.in',
    'mer.chant@shop.in',
    'merchant@shop.in.evil.in',
    'amerchant@shop.in',
    'merchant@shop.co',
    '',
    null,
  ]) {
    const judgement = await judge(signedAlert(linesWith({ To })));
    assert.equal(judgement.verdict, 'wrong_recipient', String(To));
  }
});

test('a signed recipient that can be read twice is unreadable, in To as in Cc', async () => {
  for (const odd of [
    'x: merchant@shop.in;',
    'merchant@shop.in (x)',
    '"merchant"@shop.in',
    '=?utf-8?B?PG1lcmNoYW50QHNob3AuaW4+?=',
    '<<merchant@shop.in>> <attacker@x.in>',
    'merchant@shop.in; x@y.in',
  ]) {
    assert.equal((await judge(signedAlert(linesWith({ To: odd })))).verdict, 'unreadable', odd);
    assert.equal((await judge(signedAlert(linesWith({ Cc: odd })))).verdict, 'unreadable', odd);
  }
});

test('the bank’s mails from another sender or with another subject are no credit', async () => {
  const marketing = await judge(signedAlert(linesWith({ From: 'offers@test.bank.in' })));
  assert.equal(marketing.verdict, 'unreadable');
  const receipt = await judge(signedAlert(linesWith({ Subject: 'Your friend shared a receipt' })));
  assert.notEqual(receipt.verdict, 'credit');
});

test('a debit is no credit, whatever else it says', async () => {
  const judgement = await judge(signedAlert(genuineLines, `Rs.5.00 is debited from XX1. ${sentence}\r\n`));
  assert.equal(judgement.verdict, 'not_a_credit');
});

test('an encoded subject is compared with the template as its author wrote it', async () => {
  const subject = '=?utf-8?Q?Account_up?= =?utf-8?Q?date?=';
  assert.equal((await judge(signedAlert(linesWith({ Subject: subject })))).verdict, 'credit');
  const odd = await judge(signedAlert(linesWith({ Subject: '=?utf-7?Q?Account_update?=' })));
  assert.equal(odd.verdict, 'unreadable');
});

test('text and HTML that agree are read; text and HTML that differ are not', async () => {
  const lines = linesWith({ 'Content-Type': alternative });
  for (const part of ['text', 'html'] as const) {
    const bank = testBank({ part });
    const verdictOf = async (text: string, html: string) =>
      (await judge(signedAlert(lines, inParts(text, html)), { bank })).verdict;
    assert.equal(await verdictOf(sentence, `<p>${sentence}</p>`), 'credit');
    assert.equal(await verdictOf(sentence, `<p>${sentence.replace('500.37', '900.37')}</p>`), 'unreadable');
    assert.equal(await verdictOf(sentence, `<p>${sentence.replace('678901', '678902')}</p>`), 'unreadable');
    assert.equal(await verdictOf(sentence.replace('500.37', '900.37'), `<p>${sentence}</p>`), 'unreadable');
    assert.equal(await verdictOf('Rs.5.00 is debited from XX1.', `<p>${sentence}</p>`), 'unreadable');
    assert.equal(await verdictOf(sentence, '<p>Rs.5.00 is debited from XX1.</p>'), 'unreadable');
  }
});

test('a placeholder next to the part that the bank uses is ignored', async () => {
  const raw = signedAlert(
    linesWith({ 'Content-Type': alternative }),
    inParts('Please view this mail in a program that shows HTML.', `<p>${sentence}</p>`),
  );
  assert.equal((await judge(raw, { bank: testBank({ part: 'html' }) })).verdict, 'credit');
  const hinting = signedAlert(
    linesWith({ 'Content-Type': alternative }),
    inParts('You received Rs.900.00', `<p>${sentence}</p>`),
  );
  assert.equal((await judge(hinting, { bank: testBank({ part: 'html' }) })).verdict, 'unreadable');
});

test('a mail forwarded inside another signed mail is not read', async () => {
  const body = `--B\r\nContent-Type: text/plain\r\n\r\nsee below\r\n--B\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n${sentence}\r\n--B--\r\n`;
  const judgement = await judge(
    signedAlert(linesWith({ 'Content-Type': 'multipart/mixed; boundary=B' }), body),
  );
  assert.equal(judgement.verdict, 'unreadable');
});

test('blanks that a relay adds outside the signature do not change the reading', async () => {
  const lines = linesWith({
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': 'quoted-printable',
  });
  const names = [...everything, 'content-transfer-encoding'];
  const body = `${quotedPrintable(`${sentence} ${'Thank you. '.repeat(5)}`)}\r\n`;
  assert.match(body, /=\r\n/);
  const raw = signedAlert(lines, body, { names });
  const padded = altered(raw, /(\r\n\r\n[\s\S]*?=)\r\n/, '$1 \t\r\n');
  const [first, second] = [await judge(raw), await judge(padded)];
  assert.equal(first.verdict, 'credit', first.reason.code);
  assert.deepEqual({ ...second, asked: [] }, { ...first, asked: [] });
});

const iciciShape: MimeShape = {
  contentType: 'multipart/mixed',
  parts: ['text/html'],
};
const iciciBody = `------=_Part_1\r\nContent-Type: text/html; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n<p>${sentence}</p>\r\n------=_Part_1--\r\n`;

test('ICICI signs neither Date nor MIME headers: the time is t=, and only ICICI’s own shape is read', async () => {
  const bank = testBank({ part: 'html', dateMayBeUnsigned: true, unsignedMime: [iciciShape] });
  const lines = linesWith({ 'Content-Type': 'multipart/mixed; \r\n\tboundary="----=_Part_1"' });
  const raw = signedAlert(lines, iciciBody, { names: ['From', 'To', 'Subject'] });
  const judgement = await judge(raw, { bank });
  assert.equal(judgement.verdict, 'credit', judgement.reason.code);

  for (const [from, to] of [
    [/Content-Type: multipart.*\r\n.*/, 'Content-Type: text/plain'],
    [/Content-Type: multipart.*\r\n.*/, 'Content-Type: text/html; charset=us-ascii'],
    [/boundary="----=_Part_1"/, 'boundary="----=_Part_2"'],
    [/Content-Type: multipart\/mixed/, 'Content-Type: multipart/alternative'],
    [/MIME-Version: 1.0/, 'MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64'],
  ] as const)
    assert.equal((await judge(altered(raw, from, to), { bank })).verdict, 'unreadable', to);
  const stripped = altered(raw, /Content-Type: multipart.*\r\n.*\r\n/, '');
  assert.equal((await judge(stripped, { bank })).verdict, 'unreadable');
});

test('without a Content-Type a mail is forged, because a relay may have removed it, unless it was signed as absent', async () => {
  const lines = linesWith({ 'Content-Type': null });
  const names = everything.filter(name => name !== 'content-type');
  assert.equal((await judge(signedAlert(lines, undefined, { names }))).verdict, 'forged');
  assert.equal((await judge(signedAlert(lines))).verdict, 'credit');
});

test("Kotak's mail, with the odd header line and unsigned Content-Type, is read", async () => {
  const bank = testBank({ part: 'html', unsignedMime: [iciciShape] });
  const lines = linesWith({ 'Content-Type': 'multipart/mixed; boundary="----=_Part_1"' });
  const names = ['message-id', 'date', 'from', 'to', 'subject', 'mime-version'];
  const raw = signedAlert(lines, iciciBody, { names });
  for (const place of [/^/, /From: /, /MIME-Version/]) {
    const odd = altered(raw, place, 'Account Balance - Weekly: UTF-8\r\n$&');
    const judgement = await judge(odd, { bank });
    assert.equal(judgement.verdict, 'credit', judgement.reason.code);
  }
  assert.equal((await judge(altered(raw, /^/, 'To : merchant@shop.in\r\n'), { bank })).verdict, 'forged');
});

test('every refusal gives its reason in a sentence', async () => {
  const mails = [
    Buffer.from('x'),
    Buffer.from([...genuineLines, '', sentence].join('\r\n')),
    signedAlert(linesWith({ To: 'x@y.in' })),
    signedAlert(genuineLines, 'hello\r\n'),
    altered(signedAlert(), 'Rs.5', 'Rs.6'),
  ];
  for (const mail of mails) {
    const judgement = await judge(mail);
    assert.notEqual(judgement.verdict, 'credit');
    assert.match(sayReason('en', judgement.reason), /^[A-Z][^\n]{10,}\.$/);
  }
});

test('mail bombs are refused by a limit before they cost time', async () => {
  const nest = (levels: number): string =>
    levels === 0
      ? 'x'
      : `--b${levels}x\r\nContent-Type: multipart/mixed; boundary=b${levels - 1}x\r\n\r\n${nest(levels - 1)}`;
  const lines = (type: string) => linesWith({ 'Content-Type': type });
  const bombs = [
    signedAlert(lines('text/html'), `${'<div>'.repeat(150_000)}\r\n`),
    signedAlert(lines('text/html'), `${'<p '.repeat(300_000)}\r\n`),
    signedAlert(lines('text/html'), `${'&'.repeat(1_000_000)}\r\n`),
    signedAlert(lines('text/html'), `${'<!--'.repeat(250_000)}\r\n`),
    signedAlert(lines('text/html'), `${'</p>'.repeat(250_000)}\r\n`),
    signedAlert(lines('multipart/mixed; boundary=b500x'), `${nest(500)}\r\n`),
    signedAlert(lines('multipart/mixed; boundary=B'), `${'--B\r\n\r\n'.repeat(100_000)}\r\n`),
    signedAlert(lines('text/plain'), `${' '.repeat(1_000_000)}\r\n`),
    signedAlert(lines('text/plain'), `${'Rs.'.repeat(300_000)}\r\n`),
    signedAlert(lines('text/plain'), `${'\r\n'.repeat(500_000)}x\r\n`),
    signedAlert(linesWith({ From: `a@${'a'.repeat(60_000)}!` })),
    signedAlert(linesWith({ To: `${'a@b.in,'.repeat(8_000)}` })),
    signedAlert(linesWith({ Subject: '=?a?Q?'.repeat(10_000) })),
    signedAlert(linesWith({ 'X-Long': '('.repeat(60_000) })),
    signedAlert(linesWith({ 'Return-Path': '<'.repeat(60_000) })),
  ];
  for (const bomb of bombs) {
    const { verdict } = await judge(bomb);
    assert.ok(verdict !== 'credit' || bomb.length < 100_000, verdict);
  }
});
