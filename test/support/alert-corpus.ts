import { readFileSync } from 'node:fs';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { noon, noonSeconds } from './genuine-alert.ts';
import { mailKey, quotedPrintable, signMail, utf8 } from './signed-mail.ts';

type Row = [
  bank: string,
  kind: string,
  subject: string,
  text: string,
  amount?: number,
  reference?: string | null,
];

/** One sample as its bank sends it, what is to be known to judge it, and what it says. */
export type Sample = {
  name: string;
  bank: Bank;
  raw: Buffer;
  addresses: string[];
  arrivedAt: Date;
  /** Names of keys, and their TXT records. */
  dns: Record<string, string>;
  amount: number | undefined;
  reference: string | null | undefined;
};

/** Every known credit wording of every bank (`credits`), and mails that are no credits. */
export function alertCorpus(): { credits: Sample[]; others: Sample[] } {
  const banks = loadBanks(null);
  const samples = (file: string) =>
    (JSON.parse(readFileSync(new URL(`../alerts/fixtures/${file}`, import.meta.url), 'utf8')) as Row[]).map(
      row => sampleOf(banks.find(one => one.id === row[0])!, row),
    );
  return {
    credits: samples('credits.json'),
    others: [...samples('no-credits.json'), ...samples('other-channels.json')],
  };
}

function sampleOf(known: Bank, [id, kind, subject, text, amount, reference]: Row): Sample {
  // For some banks the wording is known, but not the sender or signer; an operator adds it, as we do here.
  const bank = {
    ...known,
    senders: known.senders.length > 0 ? known.senders : ['alerts@made-up.bank.in'],
    signingDomains: known.signingDomains.length > 0 ? known.signingDomains : ['made-up.bank.in'],
    trial: false,
  };
  const domain = bank.signingDomains[0]!;
  return {
    name: `${id} ${kind}`,
    bank,
    raw: asItsBankSends(bank, domain, subject, text),
    addresses: ['merchant@shop.in'],
    arrivedAt: noon,
    dns: { [`s1._domainkey.${domain}`]: mailKey().record },
    amount,
    reference,
  };
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
