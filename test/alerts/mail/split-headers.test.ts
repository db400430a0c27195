import assert from 'node:assert/strict';
import test from 'node:test';
import { mostMailBytes } from '../../../src/alerts/mail/limits.ts';
import { maxHeadBytes, splitHeaders } from '../../../src/alerts/mail/split-headers.ts';
import { sayReason } from '../../../src/texts/say.ts';

const genuine = ['From: a@b.in', 'To: c@d.in', 'Subject: one', '\ttwo', 'Date: x'];
const mail = (lines: string[], body = 'hello\r\n') =>
  Buffer.from([...lines, '', body].join('\r\n'), 'latin1');

function refusal(raw: Buffer): string {
  const split = splitHeaders(raw);
  assert.equal(split.outcome, 'refused');
  return split.outcome === 'refused' ? sayReason('en', split.reason) : '';
}

test('a genuine header block is split into unfolded fields, and its bytes stay unchanged', () => {
  const raw = mail(genuine);
  const split = splitHeaders(raw);
  assert.ok(split.outcome === 'split');
  assert.deepEqual(
    split.fields.map(field => [field.name, field.value]),
    [
      ['from', 'a@b.in'],
      ['to', 'c@d.in'],
      ['subject', 'one\ttwo'],
      ['date', 'x'],
    ],
  );
  assert.equal(split.raw, raw);
  assert.equal(split.body.toString(), 'hello\r\n');
});

for (const name of [
  'From',
  'Sender',
  'To',
  'Cc',
  'Date',
  'Subject',
  'Message-ID',
  'Reply-To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
])
  test(`a second ${name} is refused, in whatever letter case and wherever it is`, () => {
    const lines = [
      ...genuine,
      'Sender: s@b.in',
      'Cc: e@d.in',
      'Message-ID: <1@b>',
      'Reply-To: r@b.in',
    ].concat(['MIME-Version: 1.0', 'Content-Type: text/plain', 'Content-Transfer-Encoding: 7bit']);
    assert.equal(splitHeaders(mail(lines)).outcome, 'split');
    for (const copy of [name, name.toLowerCase(), name.toUpperCase()]) {
      assert.match(refusal(mail([`${copy}: other`, ...lines])), /more than one/);
      assert.match(refusal(mail([...lines, `${copy}: other`])), /more than one/);
    }
  });

test('a mail that mail programs split differently is refused', () => {
  const oddities: Array<[string, Buffer]> = [
    ['space before the colon', mail(['To : x@y.in', ...genuine])],
    ['tab before the colon', mail(['To\t: x@y.in', ...genuine])],
    ['NBSP before the colon', mail(['To\xa0: x@y.in', ...genuine])],
    ['UTF-8 NBSP before the colon', mail(['To\xc2\xa0: x@y.in', ...genuine])],
    ['byte order mark', mail(['\xef\xbb\xbfTo: x@y.in', ...genuine])],
    ['no colon', mail(['nonsense', ...genuine])],
    ['empty name', mail([': x', ...genuine])],
    ['a name folded before its colon', mail(['To', ' : x@y.in', ...genuine])],
    ['a continuation line first', mail([' To: x@y.in', ...genuine])],
    ['an empty continuation line', mail(['X-A: b', ' ', 'From: a@b.in'])],
    [
      'bare LF in the head',
      Buffer.from(mail(genuine).toString('latin1').replace('\r\nTo', '\nTo'), 'latin1'),
    ],
    ['bare CR in the head', Buffer.from(mail(genuine).toString('latin1').replace('one', 'o\rne'), 'latin1')],
    ['bare LF in the body', mail(genuine, 'a\nb\r\n')],
    ['bare CR in the body', mail(genuine, 'a\rb\r\n')],
    ['NUL', mail(genuine, 'a\0b\r\n')],
    ['no end of headers', Buffer.from('From: a@b.in\r\nTo: c@d.in\r\n')],
    ['LF only', Buffer.from('From: a@b.in\n\nbody')],
    ['nothing', Buffer.alloc(0)],
  ];
  for (const [what, raw] of oddities) assert.equal(splitHeaders(raw).outcome, 'refused', what);
});

test('Kotak’s header line with spaces in its name is left out with its continuation before anything reads it', () => {
  const split = splitHeaders(mail(['Account Balance - Weekly: UTF-8', ' more', ...genuine]));
  assert.ok(split.outcome === 'split');
  assert.deepEqual(split.raw, mail(genuine));
});

test('a header name with spaces that resembles a known one is refused', () => {
  for (const line of [
    'To : x@y.in',
    'To merchant: x@y.in',
    'Subject line: x',
    'D ate: x',
    'DKIM-Signature x: y',
    'Content-Type of part: text/html',
    'Account  Balance: two blanks',
    'Account Balance : blank at the end',
  ])
    assert.equal(splitHeaders(mail([line, ...genuine])).outcome, 'refused', line);
});

test('a bank’s mail has one header line with spaces in its name: four are accepted, five are refused', () => {
  const odd = (count: number) => Array.from({ length: count }, (_, i) => `Account Balance ${i}: x`);
  assert.equal(splitHeaders(mail([...odd(4), ...genuine])).outcome, 'split');
  assert.equal(splitHeaders(mail([...odd(5), ...genuine])).outcome, 'refused');
});

test('size, header block and number of signatures have limits', () => {
  const exact = mail(genuine, 'x'.repeat(mostMailBytes - mail(genuine, '').length));
  assert.equal(splitHeaders(exact).outcome, 'split');
  assert.match(refusal(Buffer.concat([exact, Buffer.from('x')])), /1 MiB/);
  assert.match(refusal(mail([`X-Long: ${'x'.repeat(maxHeadBytes)}`, ...genuine])), /64 KiB/);
  const signed = (count: number) => mail([...Array(count).fill('DKIM-Signature: v=1'), ...genuine]);
  assert.equal(splitHeaders(signed(8)).outcome, 'split');
  assert.match(refusal(signed(9)), /more than 8/);
});
