import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { judgeMail } from '../../../src/alerts/judging/judge-mail.ts';
import { noon, noonSeconds } from '../../support/genuine-alert.ts';
import { mailKey, quotedPrintable, signMail, utf8, zone } from '../../support/signed-mail.ts';

const banks = loadBanks(null);
type Row = [
  bank: string,
  kind: string,
  subject: string,
  text: string,
  amount?: number,
  reference?: string | null,
];

function fixtures(file: string): Row[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', file), 'utf8')) as Row[];
}

/** A mail as the bank sends it: HTML in quoted-printable, with exactly the headers signed that this bank signs. */
function asItsBankSends(bank: Bank, domain: string, subject: string, text: string): Buffer {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');
  const page = quotedPrintable(`<html><body><table><tr><td>${escaped}</td></tr></table></body></html>`);
  const container = bank.unsignedMime?.[0]?.contentType ?? 'multipart/alternative';
  const body = `--b0\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${page}\r\n--b0--\r\n`;
  const lines = [
    `From: Alerts <${bank.senders[0]}>`,
    'To: MERCHANT@SHOP.IN',
    `Subject: ${utf8(subject)}`,
    'Date: Tue, 02 Jun 2026 11:59:50 +0530',
    'MIME-Version: 1.0',
    `Content-Type: ${container}; boundary="b0"`,
  ];
  const names = ['from', 'to', 'subject'];
  if (!bank.dateMayBeUnsigned) names.push('date');
  if (!bank.unsignedMime) names.push('mime-version', 'content-type');
  return signMail(lines, body, { domain, names, tags: [`t=${noonSeconds - 5}`] });
}

async function judgeAs(id: string, subject: string, text: string) {
  const known = banks.find(one => one.id === id)!;
  // Of some banks the wording is known, and the sender or who signs is not; an operator adds it, as we do here.
  const bank = {
    ...known,
    senders: known.senders.length > 0 ? known.senders : ['alerts@made-up.bank.in'],
    signingDomains: known.signingDomains.length > 0 ? known.signingDomains : ['made-up.bank.in'],
    trial: false,
  };
  const domain = bank.signingDomains[0]!;
  return judgeMail(asItsBankSends(bank, domain, subject, text), {
    banks: [bank],
    addresses: ['merchant@shop.in'],
    arrivedAt: noon,
    now: noon,
    keys: zone({ [`s1._domainkey.${domain}`]: mailKey().record }),
  });
}

test('every known credit wording, signed as its bank signs, is a credit of the right amount, and none where the bank is gone', async () => {
  const rows = fixtures('credits.json');
  assert.ok(rows.length > 20);
  for (const [id, template, subject, text, amount, reference] of rows) {
    const judgement = await judgeAs(id, subject, text);
    const isGone = banks.find(bank => bank.id === id)!.closed !== null;
    assert.equal(
      judgement.verdict,
      isGone ? 'not_a_credit' : 'credit',
      `${id} ${template}: ${judgement.reason.code}`,
    );
    assert.deepEqual(
      [judgement.facts?.amount, judgement.facts?.reference],
      [amount, reference],
      `${id} ${template}`,
    );
  }
});

test('no other mail of a bank, however well signed, is a credit', async () => {
  for (const [id, kind, subject, text] of [
    ...fixtures('no-credits.json'),
    ...fixtures('other-channels.json'),
  ]) {
    const { verdict } = await judgeAs(id, subject, text);
    assert.ok(['not_a_credit', 'unreadable'].includes(verdict), `${id} ${kind}: ${verdict}`);
  }
});
