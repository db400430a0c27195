import assert from 'node:assert/strict';
import test from 'node:test';
import type { MimeShape } from '../../../src/alerts/origin/weigh-signature.ts';
import { readBody } from '../../../src/alerts/reading/read-body.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { quotedPrintable, utf8 } from '../../support/signed-mail.ts';

type Given = { type?: string | null; encoding?: string | null; signed?: boolean; shape?: MimeShape | null };

async function read(body: string, given: Given = {}) {
  const result = await readWhole(body, given);
  if (result.outcome === 'refused') return result;
  const { outcome, html, text } = result;
  return { outcome, html, text };
}

function readWhole(body: string, given: Given) {
  return readBody(
    {
      contentType: given.type === undefined ? 'text/plain; charset=utf-8' : given.type,
      transferEncoding: given.encoding ?? null,
      mimeSigned: given.signed ?? true,
      body: Buffer.from(body, 'latin1'),
    },
    given.shape ? [given.shape] : null,
  );
}

async function refused(body: string, given: Given, reason: RegExp) {
  const result = await read(body, given);
  assert.equal(result.outcome, 'refused', JSON.stringify(result));
  assert.match(result.outcome === 'refused' ? sayReason('en', result.reason) : '', reason);
}

const part = (head: string, content: string) => `--B\r\n${head}\r\n\r\n${content}\r\n`;
const alternative = (...parts: string[]) => `${parts.join('')}--B--\r\n`;
const multipart = 'multipart/alternative; boundary=B';

test('quoted-printable that splits an amount and an address is decoded before reading', async () => {
  const html = `<p>${'x'.repeat(50)} Rs.500.37 by someone.with.a.long.name@okbank ₹</p>`;
  const result = await read(quotedPrintable(html), {
    type: 'text/html; charset=UTF-8',
    encoding: 'quoted-printable',
  });
  assert.deepEqual(result, {
    outcome: 'read',
    html: `${'x'.repeat(50)} Rs.500.37 by someone.with.a.long.name@okbank ₹`,
    text: null,
  });
});

test('base64, 8bit and the four character sets are read; no charset means UTF-8', async () => {
  const base64 = Buffer.from('₹1').toString('base64');
  for (const [body, type, encoding, expected] of [
    [base64, 'text/plain; charset=utf-8', 'base64', '₹1'],
    [utf8('₹1'), 'text/plain; charset="UTF-8"', '8bit', '₹1'],
    [utf8('₹1'), 'text/plain', '8bit', '₹1'],
    ['caf\xe9', 'text/plain; charset=iso-8859-1', '8bit', 'café'],
    ['\x80', 'text/plain; charset=windows-1252', '8bit', '€'],
    ['plain', 'text/plain; charset=us-ascii', '7bit', 'plain'],
    ['plain', null, null, 'plain'],
  ] as const)
    assert.deepEqual(await read(body, { type, encoding }), { outcome: 'read', html: null, text: expected });
});

test('another or a doubtful character set is refused', async () => {
  for (const type of ['text/plain; charset=utf-7', 'text/plain; charset=utf-16', 'text/html; charset=gb2312'])
    await refused('x', { type }, /character set/);
  await refused('\xe9', { type: 'text/plain; charset=us-ascii' }, /plain ASCII/);
  for (const type of [
    'text/plain; charset=utf-8; charset=utf-7',
    "text/plain; charset*=us-ascii'en'utf-7",
    'text/plain; charset*0=utf; charset*1=-7',
    'text/plain; charset=utf-8 (comment)',
    'text/plain (x); charset=utf-8',
    'text/plain; charset="utf-8',
    'text',
    'text/plain charset=utf-8',
  ])
    await refused('x', { type }, /malformed/);
});

test('broken encodings are refused, not repaired', async () => {
  for (const body of ['=4', '=G1', '= x', 'a=3', '=\t\r\nx'])
    await refused(body, { encoding: 'quoted-printable' }, /quoted-printable/);
  for (const body of ['QQ=', 'Q!Q=', 'QUJD=QUJD', 'QUI=QUJD', 'Q'])
    await refused(body, { encoding: 'base64' }, /base64/);
  await refused('x', { encoding: 'uuencode' }, /unknown transfer encoding/);
  await refused('x', { encoding: 'base64, 7bit' }, /unknown transfer encoding/);
  await refused('=00', { encoding: 'quoted-printable' }, /NUL/);
  await refused('x', { type: 'text/plain; format=flowed; delsp=yes' }, /folds/);
});

test('both texts of an alternative are returned as plain text', async () => {
  const body = alternative(
    part('Content-Type: text/plain', 'plain'),
    part('Content-Type: text/html', '<p>html</p>'),
  );
  assert.deepEqual(await read(body, { type: multipart }), { outcome: 'read', html: 'html', text: 'plain' });
});

test('plain text has no cell borders: those in a remark are removed', async () => {
  const bytes = Buffer.from('one\ue001two\ue000three').toString('latin1');
  assert.deepEqual(await read(bytes), { outcome: 'read', html: null, text: 'onetwothree' });
});

test('a logo or an attached statement next to the text is ignored', async () => {
  const body = alternative(
    part('Content-Type: text/html', 'html'),
    part('Content-Type: image/png\r\nContent-Disposition: inline; filename="a.png"', 'AAAA'),
    part(
      'Content-Type: image/png; name=Our Logo (1).png\r\nContent-Disposition: inline; filename=Our Logo.png',
      'A',
    ),
    part("Content-Type: application/pdf; name*=utf-8''a.pdf", 'AAAA'),
  );
  assert.deepEqual(await read(body, { type: 'multipart/mixed; boundary="B"' }), {
    outcome: 'read',
    html: 'html',
    text: null,
  });
});

test('a mail inside a mail and attached text are refused', async () => {
  const html = part('Content-Type: text/html', 'x');
  for (const type of ['message/rfc822', 'message/partial', 'MESSAGE/RFC822', 'message/global'])
    await refused(
      alternative(html, part(`Content-Type: ${type}`, 'Subject: x\r\n\r\ny')),
      { type: multipart },
      /another mail/,
    );
  for (const head of [
    'Content-Type: text/csv',
    'Content-Type: text/calendar',
    'Content-Type: text/plain\r\nContent-Disposition: attachment',
    'Content-Type: text/plain\r\nContent-Disposition: ATTACHMENT; filename=x.txt',
  ])
    await refused(alternative(html, part(head, 'x')), { type: multipart }, /attached/);
});

test('two texts of one kind are refused, also in different containers', async () => {
  const html = part('Content-Type: text/html', 'x');
  await refused(alternative(html, html), { type: multipart }, /more than one text/);
  const inner = '--C\r\nContent-Type: text/html\r\n\r\ny\r\n--C--';
  const nested = part('Content-Type: multipart/related; boundary=C', inner);
  await refused(alternative(html, nested), { type: multipart }, /more than one text/);
});

test('a structure with two readings is refused', async () => {
  const html = part('Content-Type: text/html', 'x');
  const odd: Array<[string, string, string]> = [
    ['unterminated', html, multipart],
    ['goes on after the end', `${alternative(html)}${html}`, multipart],
    ['ends twice', `${alternative(html)}--B--\r\n`, multipart],
    ['no part', 'x', multipart],
    ['only an end', '--B--\r\n', multipart],
    ['no boundary', alternative(html), 'multipart/alternative'],
    ['empty boundary', alternative(html), 'multipart/alternative; boundary=""'],
    ['two boundaries', alternative(html), 'multipart/alternative; boundary=B; boundary=C'],
    ['RFC 2231 boundary', alternative(html), 'multipart/alternative; boundary*0=B'],
    ['boundary that only begins alike', alternative(html, '--B2\r\nx\r\n'), multipart],
    ['part without end of headers', '--B\r\nContent-Type: text/html\r\n--B--\r\n', multipart],
    ['odd part header', alternative(part('Content-Type : text/html', 'x')), multipart],
    [
      'part type given twice',
      alternative(part('Content-Type: text/html\r\nContent-Type: text/plain', 'x')),
      multipart,
    ],
    [
      'encoded container',
      alternative(
        part('Content-Type: multipart/mixed; boundary=C\r\nContent-Transfer-Encoding: base64', 'x'),
      ),
      multipart,
    ],
    [
      'inner boundary equal to the outer',
      alternative(part('Content-Type: multipart/mixed; boundary=B', html)),
      multipart,
    ],
    ['unknown container', alternative(html), 'multipart/digest; boundary=B'],
    ['no text', alternative(part('Content-Type: image/png', 'x')), multipart],
  ];
  for (const [what, body, type] of odd) {
    const result = await read(body, { type });
    assert.equal(result.outcome, 'refused', what);
  }
});

test('depth and number of parts have limits', async () => {
  const deep = (levels: number): string =>
    levels === 0
      ? 'Content-Type: text/plain\r\n\r\nx'
      : `Content-Type: multipart/mixed; boundary=D${levels}x\r\n\r\n--D${levels}x\r\n${deep(levels - 1)}\r\n--D${levels}x--`;
  const nested = (levels: number) => alternative(`--B\r\n${deep(levels)}\r\n`);
  assert.equal((await read(nested(4), { type: multipart })).outcome, 'read');
  await refused(nested(5), { type: multipart }, /deeper/);
  const many = Array.from({ length: 40 }, () => part('Content-Type: image/png', 'x'));
  await refused(alternative(...many), { type: multipart }, /parts/);
});

const kotak: MimeShape = {
  contentType: 'multipart/mixed',
  parts: ['text/html'],
};

test('unsigned MIME headers are accepted only in the bank’s exact shape', async () => {
  const head = 'Content-Type: text/html; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit';
  const genuine = alternative(part(head, '<p>Rs.1.00</p>'));
  const given = { type: 'multipart/mixed; boundary="B"', signed: false, shape: kotak };
  assert.deepEqual(await read(genuine, given), { outcome: 'read', html: 'Rs.1.00', text: null });

  for (const [what, body, changes] of [
    ['no exception for this bank', genuine, { shape: null }],
    ['another container', genuine, { type: 'multipart/alternative; boundary="B"' }],
    ['no container', genuine, { type: 'text/html; charset=us-ascii' }],
    ['text before', `hello\r\n${genuine}`, {}],
    ['text after', `${genuine}hello\r\n`, {}],
    ['second part', alternative(part(head, 'x'), part('Content-Type: image/png', 'x')), {}],
    [
      'two containers',
      alternative(part('Content-Type: multipart/mixed; boundary=C', `--C\r\n${head}\r\n\r\nx\r\n--C--`)),
      {},
    ],
    ['another kind of text', alternative(part(head.replace('html', 'plain'), 'x')), {}],
    ['encoding on the container', genuine, { encoding: 'base64' }],
    ['no Content-Type at all', genuine, { type: null }],
  ] as const)
    assert.equal((await read(body, { ...given, ...changes })).outcome, 'refused', what);
});

test('a relay that renames the boundary of an unsigned mail cannot choose its reading', async () => {
  const head = 'Content-Type: text/html; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit';
  // The payer wrote a line that looks like a boundary into a field that the bank prints.
  const body = `--real\r\n${head}\r\n\r\n<p>true</p>\r\n--B\r\n${head}\r\n\r\n<p>false</p>\r\n--B--\r\n--real--\r\n`;
  const renamed = { type: 'multipart/mixed; boundary=B', signed: false, shape: kotak };
  await refused(body, renamed, /not built as the bank/);
});

test('a single unsigned part is read only under the label that its body proves', async () => {
  const shape: MimeShape = { contentType: 'text/html', parts: ['text/html'] };
  const quoted = '<p style=3D"a">a=3Db</p>';
  const plain = '<p style="a">a&#61;b</p>';
  const packed = Buffer.from(plain).toString('base64');
  for (const [body, encoding] of [
    [quoted, 'quoted-printable'],
    [plain, '7bit'],
    [plain, null],
    [packed, 'base64'],
  ] as const)
    for (const label of ['quoted-printable', 'base64', '7bit', '8bit', null])
      for (const type of ['text/html; charset=UTF-8', 'text/html', 'text/html; charset=us-ascii']) {
        const result = await read(body, { signed: false, shape, encoding: label, type });
        // A relay may write anything there: the result is this text or none.
        if (label === encoding) assert.equal(result.outcome, 'read', `${encoding} as ${label}`);
        if (result.outcome === 'read') assert.equal(result.html, 'a=b', `${encoding} as ${label}`);
      }
  const given = { signed: false, shape, encoding: '7bit' };
  for (const type of ['text/html; charset=iso-8859-1', 'text/html; charset=utf-7', 'text/plain'])
    assert.equal((await read(plain, { ...given, type })).outcome, 'refused', type);
  for (const ambiguous of ['Rs.1.00 by A <!-- B --> C', 'Rs.1.00 &lt;b&gt;'])
    for (const [type, contentType] of [
      ['text/html', 'text/html'],
      ['text/plain', 'text/plain'],
    ] as const) {
      const either: MimeShape = { contentType, parts: [contentType] };
      assert.equal((await read(ambiguous, { ...given, type, shape: either })).outcome, 'refused', ambiguous);
      assert.equal((await read('Rs.1.00 by A & B', { ...given, type, shape: either })).outcome, 'read');
    }
  assert.equal((await read(`--B\r\n\r\n${plain}`, { ...given, type: 'text/html' })).outcome, 'refused');
});
