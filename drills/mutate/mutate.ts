import { type Judgement, judgeMail } from '../../src/alerts/judging/judge-mail.ts';
import { canonicaliseBody } from '../../src/alerts/origin/check-signature.ts';
import type { MimeShape } from '../../src/alerts/origin/weigh-signature.ts';
import { sentence, testBank } from '../../test/support/alert-banks.ts';
import { bankZone, genuineLines, linesWith, noon, signedAlert } from '../../test/support/genuine-alert.ts';
import { quotedPrintable, signatureLine, zone } from '../../test/support/signed-mail.ts';

/**
 * Changes genuine mails at random and judges them. A mail may still be a credit only when all that the bank signed is
 * unchanged, and then it must say exactly what it said before: `npm run drill -- mutate --count 100000 --seed 1`.
 */
export async function mutate(count: number, seed: number): Promise<{ credits: number; wrong: string[] }> {
  const random = randomFrom(seed);
  const mails = genuineMails();
  const before = await Promise.all(mails.map(mail => judgeOne(mail.raw, mail)));
  for (const [i, judgement] of before.entries())
    if (judgement.verdict !== 'credit') throw new Error(`mail ${i} is not genuine: ${judgement.reason.code}`);

  const wrong: string[] = [];
  let credits = 0;
  for (let i = 0; i < count; i++) {
    const which = Math.floor(random() * mails.length);
    const mail = mails[which]!;
    const raw = change(mail.raw, random);
    const judgement = await judgeOne(raw, mail);
    if (judgement.verdict !== 'credit') continue;
    credits++;
    if (
      signedBytes(raw, mail.names) !== signedBytes(mail.raw, mail.names) ||
      !saysTheSame(judgement, before[which]!)
    )
      wrong.push(`mutation ${i} of mail ${which}: ${raw.toString('base64')}`);
  }
  return { credits, wrong };
}

export type Genuine = { raw: Buffer; names: string[]; bank: ReturnType<typeof testBank> };

/** One of each kind: plain, quoted-printable in parts, without Date or MIME signature, through Gmail, two signatures. */
export function genuineMails(): Genuine[] {
  const usual = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];
  const html = testBank({ part: 'html' });
  const shape: MimeShape = {
    contentType: 'multipart/mixed',
    parts: ['text/html'],
  };
  const parts = (type: string, encoding: string, text: string) =>
    `--b0\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n--b0--\r\n`;
  const inParts = linesWith({ 'Content-Type': 'multipart/alternative; boundary=b0' });
  const unsignedMime = linesWith({ 'Content-Type': 'multipart/mixed; boundary="b0"' });
  const hdfc = ['content-type', 'message-id', 'subject', 'date', 'mime-version', 'to', 'from'];
  const page = quotedPrintable(`<html><body><table><tr><td>${sentence}</td></tr></table></body></html>`);
  const gmail = signedAlert(linesWith({ 'Message-ID': 'A.1#merchant@shop.in' }), undefined, { names: hdfc })
    .toString('latin1')
    .replace(
      'Message-ID: A.1#merchant@shop.in',
      'Message-ID: <1.SMTPIN_ADDED_BROKEN@mx.google.com>\r\nX-Google-Original-Message-ID: A.1#merchant@shop.in',
    );
  const second = signatureLine(genuineLines, `${sentence}\r\n`, { domain: 'carrier.in' });
  return [
    { raw: signedAlert(), names: usual, bank: testBank() },
    { raw: signedAlert(undefined, undefined, { canon: 'simple/simple' }), names: usual, bank: testBank() },
    {
      raw: signedAlert(inParts, parts('text/html; charset=UTF-8', 'quoted-printable', page)),
      names: usual,
      bank: html,
    },
    {
      raw: signedAlert(unsignedMime, parts('text/html; charset=us-ascii', '7bit', `<p>${sentence}</p>`), {
        names: ['from', 'to', 'subject'],
      }),
      names: ['from', 'to', 'subject'],
      bank: { ...html, dateMayBeUnsigned: true, unsignedMime: [shape] },
    },
    {
      raw: Buffer.from(gmail, 'latin1'),
      names: hdfc.filter(name => name !== 'message-id'),
      bank: testBank(),
    },
    { raw: Buffer.concat([Buffer.from(`${second}\r\n`), signedAlert()]), names: usual, bank: testBank() },
  ];
}

function judgeOne(raw: Buffer, { bank }: Genuine): Promise<Judgement> {
  const addresses = ['merchant@shop.in'];
  return judgeMail(raw, { banks: [bank], addresses, arrivedAt: noon, now: noon, keys: zone(bankZone()) });
}

const insertions = [
  'To: merchant@shop.in\r\n',
  'Cc: merchant@shop.in\r\n',
  'To : merchant@shop.in\r\n',
  'From: alerts@test.bank.in\r\n',
  'Subject: Account update\r\n',
  'Date: Tue, 02 Jun 2026 12:00:00 +0530\r\n',
  'Content-Type: text/html; charset=utf-7\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'DKIM-Signature: v=1; a=rsa-sha256; d=test.bank.in; s=s1; h=from; bh=AA==; b=AA==\r\n',
  'Account Balance - Weekly: UTF-8\r\n',
  'X-Other: x\r\n',
  '; l=5',
  '; x=1',
  '; t=9999999999',
  '--b0\r\n',
  '--b0--\r\n',
  '\r\n\r\n',
  '\r\n',
  '\r\n ',
  ' ',
  '\t',
  '\0',
  '\r',
  '\n',
  '=\r\n',
  '=30',
  '0',
  '9',
  ',',
  '<!--',
  '-->',
  '<div style="display:none">',
  '\xc2\xa0',
  '\xe2\x80\xae',
  sentence.replace('500.37', '900.37'),
];

/** One to three changes: a byte flipped, added, removed; a line moved, doubled, dropped, re-cased; a known trick. */
export function change(raw: Buffer, random: () => number): Buffer {
  let text = raw.toString('latin1');
  const below = (limit: number) => Math.floor(random() * limit);
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(text.length);
    const lines = text.split('\r\n');
    const line = below(lines.length);
    switch (below(9)) {
      case 0:
        text = text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(at + 1 + below(4));
        break;
      case 2:
        text = text.slice(0, at) + insertions[below(insertions.length)] + text.slice(at);
        break;
      case 3:
        text = [insertions[below(insertions.length)]!.trimEnd(), ...lines].join('\r\n');
        break;
      case 4:
        text = lines.toSpliced(line, 0, insertions[below(insertions.length)]!.trimEnd()).join('\r\n');
        break;
      case 5:
        text = lines.toSpliced(line, 1).join('\r\n');
        break;
      case 6:
        text = lines.toSpliced(below(lines.length), 0, lines[line]!).join('\r\n');
        break;
      case 7:
        text = lines
          .with(line, random() < 0.5 ? lines[line]!.toUpperCase() : `${lines[line]} \t`)
          .join('\r\n');
        break;
      case 8:
        text = text
          .replace(/[0-9](?=[^0-9]*$)/, String(below(10)))
          .replace(/ /g, random() < 0.1 ? '  ' : ' ');
    }
  }
  return Buffer.from(text, 'latin1');
}

/** The bytes that the bank signed, computed without the code under test: relaxed headers by name, relaxed body. */
function signedBytes(raw: Buffer, names: readonly string[]): string {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map(
      line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1)] as const,
    );
  const signed = names.map(name =>
    fields.filter(([key]) => key === name).map(([, value]) => value.replace(/[ \t]+/g, ' ').trim()),
  );
  return JSON.stringify([signed, canonicaliseBody(raw.subarray(end + 4), 'relaxed').toString('latin1')]);
}

function saysTheSame(one: Judgement, other: Judgement): boolean {
  const facts = ({ facts, alertTime, recipient, signatureId }: Judgement) =>
    JSON.stringify([facts, alertTime, recipient, signatureId]);
  return facts(one) === facts(other);
}

/** A small generator of our own (mulberry32), because a run must be repeatable from its seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
