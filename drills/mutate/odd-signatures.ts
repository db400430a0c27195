import { createHash, sign } from 'node:crypto';
import { sentence } from '../../test/support/alert-banks.ts';
import { linesWith, noonSeconds } from '../../test/support/genuine-alert.ts';
import { canonBody, canonHeader, type MailKey } from '../../test/support/signed-mail.ts';
import type { Chance } from './chance.ts';

const usual = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];
const further = [
  'from',
  'From',
  'subject',
  'x-a',
  'x-a',
  'to',
  'reply-to',
  'message-id',
  'dkim-signature',
  'nothing',
  '',
];
const identities = [
  ...['@test.bank.in', 'alerts@test.bank.in', '@sub.test.bank.in', 'a@a.b.test.bank.in', '@TEST.bank.in'],
  ...[
    '@evil.in',
    '@eviltest.bank.in',
    '@bank.in',
    'test.bank.in',
    '',
    '@',
    'x',
    '@.test.bank.in',
    '.@test.bank.in',
  ],
  ...[
    'a=40b@test.bank.in',
    '"q q"@test.bank.in',
    '"q=20q"@test.bank.in',
    '"a\\"b"@test.bank.in',
    '"a@b"@test.bank.in',
  ],
  ...['a..b@test.bank.in', '.a@test.bank.in', 'a.@test.bank.in', ' a @ test.bank.in', 'a b@test.bank.in'],
  ...['(c)@test.bank.in', 'a=@test.bank.in', 'a=4@test.bank.in', '=C3=A9@test.bank.in', '=00@test.bank.in'],
  ...['"=00"@test.bank.in', '"\\=E2=80=A8"@test.bank.in', '"=0A"@test.bank.in', '=22a=22@test.bank.in'],
  ...[
    'a@s=75b.test.bank.in',
    'a@=C3=A9.test.bank.in',
    'a@s b.test.bank.in',
    'a@b@test.bank.in',
    'a@-.test.bank.in',
  ],
  ...[
    '=40@test.bank.in',
    'a@sub.test.bank.in.',
    'a@test.bank.in=2E',
    'a,b@test.bank.in',
    'a@x=40y.test.bank.in',
  ],
];
const others = [
  ...[
    'l=5',
    'l=0',
    'l=100000',
    'l=-1',
    'L=5',
    'l=',
    'z=From:a=3Bb',
    'z=b=c',
    'n=a b=c',
    'foo=bar',
    'y_1=',
    '_x=1',
    'x y=1',
  ],
  ...[
    'B=1',
    'D=x.in',
    'BH=x',
    'V=1',
    'H=x',
    'b2=x',
    'bb=',
    'value=1',
    'header=2',
    'constructor=1',
    '__proto__=1',
    'toString=1',
  ],
  ...[
    'd=evil.in',
    'b=AAAA',
    'v=1',
    'zz',
    '=x',
    'r=\xe9',
    'r=\xa0',
    'r=\x0b',
    'r="x',
    "r='",
    'r=(x',
    'q',
    '1=2',
    'é=1',
  ],
];

/** A mail that its key truly signed, and whose signature is written in every way that somebody might write it. */
export function oddlySigned(
  chance: Chance,
  key: MailKey,
): { lines: string[]; body: string; signature: string } {
  const { pick, maybe, below } = chance;
  const lines = oddLines(chance);
  const body = oddBody(chance);
  const canon = maybe(0.96)
    ? pick(['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed', 'relaxed', 'simple'])
    : pick([
        '',
        'Relaxed/Relaxed',
        'relaxed/',
        '/relaxed',
        'relaxed/nowsp',
        'relaxed / simple',
        'relaxed/relaxed/x',
      ]);
  const names = namesFor(chance);
  const times = [maybe(0.6) ? noonSeconds - 5 + (maybe(0.9) ? 0 : pick([299, 305, 306, 600, -90000])) : null];
  times.push(maybe(0.3) ? noonSeconds + (maybe(0.8) ? 1000 : pick([10, -5, -6, -4, 0, 1])) : null);
  const kind = maybe(0.95)
    ? `${key.algorithm}-sha256`
    : pick(['RSA-SHA256', 'rsa-sha1', 'ed25519-sha256', 'rsa-sha256', '', 'rsa', 'rsa-sha256 ']);
  const hash = createHash('sha256')
    .update(canonBody(body, canon.split('/')[1] || 'simple'), 'latin1')
    .digest('base64');
  const time = (name: string, at: number | null | undefined) =>
    at === null
      ? []
      : [
          `${name}=${maybe(0.98) ? at : pick(['', '-1', '1e9', '0', '+1', '12345678901234', '1 2', '0x1', '٣'])}`,
        ];
  const tags = [
    maybe(0.97) ? 'v=1' : pick(['v=2', 'v=', 'v=01', 'v=1.0', 'v = 1', '']),
    `a=${kind}`,
    canon === 'simple' && maybe(0.5) ? '' : `c=${canon}`,
    `d=${maybe(0.93) ? 'test.bank.in' : pick(['TEST.bank.in', 'test.bank.in.', 'sub.test.bank.in', 'new.bank.in', 'bank', 'test.bank.in '])}`,
    `s=${maybe(0.93) ? 's1' : pick(['S1', 's_1', 's1.x', '_s', 's1 ', 's1.', 's-1', ''])}`,
    ...time('t', times[0]),
    ...time('x', times[1]),
    maybe(0.15)
      ? `q=${pick(['dns/txt', 'DNS/TXT', 'dns', 'x:dns/txt', ' dns/txt : y', '', 'dns/txt;', 'dns / txt', ':dns/txt'])}`
      : '',
    maybe(0.3) ? `i=${pick(maybe(0.5) ? identities.slice(0, 5) : identities)}` : '',
    maybe(0.12) ? pick(others) : '',
    `h=${names.join(pick([':', ':', ':', ' : ', ':\r\n ', ': ', '\t:']))}`,
    `bh=${maybe(0.97) ? blanked(chance, hash) : pick([hash.replace('=', ''), `${hash}=`, hash.toLowerCase(), ''])}`,
    'b=',
  ].filter(tag => tag !== '');
  if (maybe(0.3)) tags.sort(() => chance.random() - 0.5);
  if (maybe(0.02)) tags.splice(below(tags.length), 1);
  if (maybe(0.02)) tags.push(pick(tags));
  const gap = maybe(0.02) ? ';;' : pick(['; ', '; ', '; ', ';', ' ; ', ';\r\n ', ';\r\n\t', '; \t']);
  const equals = maybe(0.85) ? '=' : pick([' =', '= ', ' = ', '=\r\n ', '\t=', '\r\n =']);
  const written = tags.map(tag => tag.replace('=', tag.startsWith('b=') ? equals.trimEnd() : equals));
  const header = maybe(0.8)
    ? 'DKIM-Signature: '
    : pick(['dkim-signature:', 'DKIM-SIGNATURE:\t', 'Dkim-Signature:\r\n ', 'DKIM-Signature:  ']);
  const unsigned = header + written.join(gap) + (maybe(0.01) ? ';;' : pick(['', '', '', ';', '; ', ' ']));

  const left = [...lines];
  const chosen = names.flatMap(name => {
    const at = left.findLastIndex(
      line => line.slice(0, line.indexOf(':')).toLowerCase() === name.toLowerCase(),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
  const [headerCanon = ''] = (canon || 'simple').split('/');
  const text = [
    ...chosen.map(line => `${canonHeader(line, headerCanon)}\r\n`),
    canonHeader(unsigned, headerCanon),
  ];
  const bytes = Buffer.from(text.join(''), 'latin1');
  const made =
    key.algorithm === 'ed25519'
      ? sign(null, createHash('sha256').update(bytes).digest(), key.privateKey)
      : sign('sha256', bytes, key.privateKey);
  const encoded = made.toString('base64');
  const value = maybe(0.97)
    ? blanked(chance, encoded)
    : pick([encoded.replace(/=+$/, ''), `${encoded}=`, `*${encoded}`, `${encoded}\xa0`, '']);
  const empty = /((?:^|[;:])[ \t\r\n]*b[ \t\r\n]*=)(?=[ \t\r\n]*(?:;|$))/;
  return { lines, body, signature: unsigned.replace(empty, (_, before) => before + value) };
}

/** Blanks and folds within base64, which mean nothing. */
function blanked({ pick, maybe, below }: Chance, text: string): string {
  if (maybe(0.6)) return text;
  const at = below(text.length);
  const blank = pick([' ', '\t', '\r\n ', '\r\n\t', '  ']);
  return pick(['', ' ', '\r\n ']) + text.slice(0, at) + blank + text.slice(at) + pick(['', ' ', '\t']);
}

function namesFor({ pick, maybe, below }: Chance): string[] {
  let names = maybe(0.5)
    ? usual
    : [
        ...usual,
        ...Array.from({ length: below(5) }, () => pick(maybe(0.9) ? further.slice(0, -1) : further)),
      ];
  if (maybe(0.1)) names = names.filter(() => maybe(0.8));
  if (maybe(0.2)) names = names.map(name => (maybe(0.3) ? name.toUpperCase() : name));
  return maybe(0.02) ? [] : names;
}

function oddLines({ pick, maybe }: Chance): string[] {
  const changes: Record<string, string | null> = maybe(0.4)
    ? {}
    : pick<Record<string, string | null>>([
        { Cc: 'x@y.in' },
        { Subject: '  Account   update\t ' },
        { Subject: 'Account\r\n\tupdate' },
        { Subject: '' },
        { Subject: 'caf\xc3\xa9 \xff\xa0' },
        { Subject: null },
        { 'X-A': 'b' },
        { 'X-A': 'x'.repeat(4000) },
        { From: 'Test Bank\r\n <alerts@test.bank.in> ' },
        { 'Content-Type': 'text/plain;\r\n  charset=utf-8' },
        { 'Content-Transfer-Encoding': '7bit' },
        { To: ' merchant@shop.in\t' },
        { To: null },
        { Date: null },
        { 'Reply-To': 'a: b; c' },
        { 'ARC-Seal': 'i=1; cv=none' },
      ]);
  const lines = linesWith(changes);
  if (maybe(0.15)) lines.push('X-A: one', `X-A:${pick([' two', 'two ', '\r\n\ttwo', ''])}`);
  if (maybe(0.1)) lines.unshift('X-A: above');
  if (!maybe(0.2)) return lines;
  return lines.map(line => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    return (
      pick([name, name.toUpperCase(), name.toLowerCase()]) +
      pick([':', ': ', ':  ', ':\t', ':\r\n ']) +
      line.slice(colon + 2)
    );
  });
}

const bodyPieces = [
  '\r\n',
  '\r\n\r\n',
  ' ',
  '  ',
  '\t',
  ' \r\n',
  '\t\r\n',
  '.',
  'x',
  '=20',
  '\xa0',
  '\xff',
  '\x0b',
  '--',
  'y z',
];

export function oddBody({ pick, maybe, below }: Chance): string {
  const loose = () => Array.from({ length: below(8) }, () => pick(bodyPieces)).join('');
  if (maybe(0.1)) return loose();
  return maybe(0.6) ? `${sentence}\r\n` : `${maybe(0.3) ? loose() : ''}${sentence}${loose()}`;
}
