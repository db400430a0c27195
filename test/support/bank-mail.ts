import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { judgeMail } from '../../src/alerts/judging/judge-mail.ts';
import { noon, noonSeconds } from './genuine-alert.ts';
import { mailKey, signMail, utf8, zone } from './signed-mail.ts';

const banks = loadBanks(null);

/** The words of one bank's credit alert, to be put into mails of every build. */
export type Alert = { bank: string; subject: string; text: string };

export const hdfc: Alert = {
  bank: 'hdfc',
  subject: 'View: Account update for your HDFC Bank A/c',
  text: "Dear Customer, Greetings from HDFC Bank! We're writing to inform you that Rs.500.37 has been successfully credited to your HDFC Bank account ending in 4321. Transaction Details: a. Date: 02-06-26 b. Sender: MEERA IYER (VPA: meera.iyer@okaxis) c. UPI Reference No.: 615300112233",
};
export const axis: Alert = {
  bank: 'axis',
  subject: 'INR 500.37 was credited to your A/c no. XX4321.',
  text: "02-06-2026 Dear Customer, Here's the summary of your transaction: Amount Credited: INR 500.37 Account Number: XX4321 Date & Time: 02-06-26, 11:59:42 IST Transaction Info: UPI/P2A/615300112233/MEERA IYE/SBI/Paym",
};
export const kotak: Alert = {
  bank: 'kotak',
  subject: 'Kotak811 UPI credit',
  text: "Hi 811 Customer, You’ve received a UPI Credit in your Kotak A/c (XX4321). Here's the summary of your transaction: Date: 02-Jun-26 Amount: ₹500.37 Sender: MEERA IYER UPI Reference Number (RRN): 615300112233 View balance: https://example.in/pay",
};
export const slice: Alert = {
  bank: 'slice',
  subject: 'Received ₹500.37 via UPI',
  text: 'Hi Asha, You have received ₹500.37 via UPI in your slice bank account xx4321. Avl. Bal. ₹3,571.23 Transaction date 02-Jun-26 From MEERA IYER RRN 615300112233',
};
export const canara: Alert = {
  bank: 'canara',
  subject: 'UPI/IMPS/MB Transaction Alert',
  text: 'Dear Customer, An amount of INR 500.37 has been CREDITED on 02/06/26 to your account XXXX4321 from MEERA IYER with UPI Ref No.:615300112233.',
};
export const everyAlert = [hdfc, axis, kotak, slice, canara];

export type Build = {
  html?: string;
  plain?: string;
  subject?: string | null;
  to?: string;
  /** Head of the HTML part; for `single` the head of the mail. */
  type?: string;
  encoding?: string | null;
  container?: string;
  single?: boolean;
};

/** The alert in a signed mail of its bank; whatever `build` does not say is as the bank does it. */
export function bankMail(alert: Alert, build: Build = {}): Buffer {
  const bank = banks.find(one => one.id === alert.bank)!;
  const html = utf8(build.html ?? `<html><body><p class="x">${escaped(alert.text)}</p></body></html>`);
  const encoding = build.encoding === undefined ? '8bit' : build.encoding;
  const head = [
    `Content-Type: ${build.type ?? 'text/html; charset=UTF-8'}`,
    ...(encoding === null ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
  ];
  const plain =
    build.plain === undefined
      ? ''
      : `--b0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${utf8(build.plain)}\r\n`;
  const body = build.single
    ? `${html}\r\n`
    : `${plain}--b0\r\n${head.join('\r\n')}\r\n\r\n${html}\r\n--b0--\r\n`;
  const subject = build.subject === undefined ? alert.subject : build.subject;
  const lines = [
    `From: Alerts <${bank.senders[0]}>`,
    `To: ${build.to ?? 'merchant@shop.in'}`,
    ...(subject === null ? [] : [`Subject: ${utf8(subject)}`]),
    'Date: Tue, 02 Jun 2026 11:59:50 +0530',
    'MIME-Version: 1.0',
    ...(build.single ? head : [`Content-Type: ${build.container ?? 'multipart/alternative'}; boundary=b0`]),
  ];
  const mime = bank.unsignedMime === null ? ['content-type', 'content-transfer-encoding'] : [];
  const names = ['from', 'to', 'subject', 'date', 'mime-version', ...mime];
  return signMail(lines, body, { domain: bank.signingDomains[0]!, names, tags: [`t=${noonSeconds - 5}`] });
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export async function judgeBankMail(raw: Buffer) {
  const keys = zone(
    Object.fromEntries(
      banks.flatMap(bank =>
        bank.signingDomains.map(domain => [`s1._domainkey.${domain}`, mailKey().record] as const),
      ),
    ),
  );
  return judgeMail(raw, { banks, addresses: ['merchant@shop.in'], arrivedAt: noon, now: noon, keys });
}
