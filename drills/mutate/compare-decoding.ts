import PostalMime from 'postal-mime';
import { knownCharset } from '../../src/alerts/mail/decode-subject.ts';
import { decodeLeaf } from '../../src/alerts/reading/read-body.ts';
import { quotedPrintable } from '../../test/support/signed-mail.ts';
import { chanceFrom } from './chance.ts';
import { randomFrom } from './mutate.ts';

const pieces = [
  ...[
    '=\r\n',
    '=3D',
    '=20',
    '=E2=82=B9',
    '=e2',
    '=C2=A0',
    '=00',
    '=0A',
    '=0D=0A',
    '=EF=BB=BF',
    '=FF',
    '=\r\n=\r\n',
  ],
  ...[
    '\r\n',
    '\r\n\r\n',
    ' \r\n',
    ' ',
    '\t',
    'Rs.500.37',
    '<p>',
    '</p>',
    '&amp;',
    'a',
    '--',
    '.',
    '\xe2\x82\xb9',
    '\x80',
  ],
  ...['\xef\xbb\xbf', '\xff\xfe', '\0', '\x0b', '=', '=4', '=G1', '= \r\n', 'x'.repeat(76)],
];
const page = quotedPrintable('<table><tr><td>₹500.37 आया – XX4321</td></tr></table>\r\n'.repeat(3));

/** Our own quoted-printable, base64 and plain text against postal-mime's, on the same parts. */
export async function compareDecoding(
  count: number,
  seed: number,
): Promise<{ decoded: number; wrong: string[] }> {
  const chance = chanceFrom(randomFrom(seed));
  const { pick, maybe, below } = chance;
  const wrong: string[] = [];
  let decoded = 0;
  for (let i = 0; i < count; i++) {
    const encoding = pick(['quoted-printable', 'quoted-printable', 'base64', '7bit', '8bit', 'binary']);
    const loose = Array.from({ length: below(30) }, () =>
      pick(maybe(0.95) ? pieces.slice(0, -6) : pieces),
    ).join('');
    let content = maybe(0.3) ? chance.scratch(page, pieces) : loose;
    // No other line ends reach a part: `splitHeaders` refuses them.
    content = content.replace(/\r(?!\n)|(?<!\r)\n/g, '');
    if (encoding === 'base64')
      content =
        Buffer.from(content, 'latin1')
          .toString('base64')
          .replace(/(.{20})/g, pick(['$1\r\n', '$1', '$1 '])) +
        pick(['', '\r\n', '', '=', '\r\n\r\n', 'QQ==', '*']);
    const charset = pick([null, 'utf-8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'UTF8']);
    const type = pick(['text/html', 'text/plain']);
    const own = decodeLeaf({ charset, encoding, params: new Map(), content });
    // Bad encodings are refused before decoding, NUL and non-ASCII letters after it.
    if (typeof own !== 'string') continue;
    decoded++;
    const head = `Content-Type: ${type}; charset=${knownCharset(charset ?? 'utf-8')}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    const mail = await PostalMime.parse(Buffer.from(head + content, 'latin1'));
    const theirs = (type === 'text/html' ? mail.html : mail.text) ?? '';
    if (own !== theirs)
      wrong.push(`part ${i}: ${JSON.stringify({ encoding, charset, type, content, own, theirs })}`);
  }
  return { decoded, wrong };
}
