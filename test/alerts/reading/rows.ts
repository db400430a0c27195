import { htmlToText, sourceText } from '../../../src/alerts/mail/html-to-text.ts';
import { normaliseLines, withoutBorders } from '../../../src/alerts/mail/plain-text.ts';
import { escaped } from '../../support/bank-mail.ts';

export type Rows = readonly (readonly [label: string, value: string])[];
export type Card = {
  readonly bank: string;
  readonly subject: string;
  readonly heading: string;
  readonly rows: Rows;
};

export const standardChartered: Card = {
  bank: 'standard-chartered',
  subject: 'Alert',
  heading: 'UPI payment has been successfully credited to your bank account.',
  rows: [
    ['UPI Ref. No.', '664323243300'],
    ['From VPA', '9000000787@yescred'],
    ['Payer Name', 'RAHUL SAMPLE'],
    ['Payee Name', 'MR SHOP OWNER'],
    ['To VPA', '9000000788@yescred'],
    ['To Account', 'Standard Chartered - XXXXXXX2600'],
    ['Currency', 'INR'],
    ['Amount', '4000.00'],
    ['Remarks', 'Paid via CRED'],
    ['Transaction Date', '04/10/2026 09:58:29'],
    ['Transaction Status', 'COMPLETED'],
    ['Transaction Type', 'CR'],
    ['Reason for Failure', 'NA'],
  ],
};
/** The same rows in an order that leaves a payer nothing to write above the money. */
export const village: Card = {
  ...standardChartered,
  bank: 'village',
  rows: [
    ['To VPA', '9000000788@yescred'],
    ['To Account', 'Village Bank - XXXXXXX2600'],
    ['Currency', 'INR'],
    ['Amount', '4000.00'],
    ['UPI Ref. No.', '664323243300'],
    ['From VPA', '9000000787@yescred'],
    ['Payer Name', 'RAHUL SAMPLE'],
    ['Payee Name', 'MR SHOP OWNER'],
    ...standardChartered.rows.slice(8),
  ],
};
export const axis: Card = {
  bank: 'axis',
  subject: 'INR 4000.00 was credited to your A/c no. XX2600.',
  heading: "Here's the summary of your transaction:",
  rows: [
    ['Amount Credited', 'INR 4000.00'],
    ['Account Number', 'XX2600'],
    ['Date & Time', '04-10-26, 09:58:29 IST'],
    ['Transaction Info', 'UPI/P2A/664323243300/RAHUL SAM/HDFC/Paym'],
  ],
};
const kotak: Card = {
  bank: 'kotak',
  subject: 'Alert',
  heading: "You've received a UPI Credit in your Kotak A/c (XX2600). Here's the summary of your transaction:",
  rows: [
    ['Date', '04-Oct-26'],
    ['Amount', '₹4000.00'],
    ['Sender', 'RAHUL SAMPLE'],
    ['UPI Reference Number (RRN)', '664323243300'],
  ],
};
export const cards = [village, axis, kotak];

/** How one card is laid out in the mails of different banks and mailers. */
export const layouts: Readonly<Record<string, (heading: string, rows: Rows) => string>> = {
  'a table': (heading, rows) =>
    `<h3>Alerts</h3><p>Dear Valued Customer,</p><p>${heading}</p><table>${rows.map(([label, value]) => `<tr><td>${label}:</td><td>${value}</td></tr>`).join('')}</table><p>For additional assistance kindly email us.</p>`,
  'a table without colons': (heading, rows) =>
    `<p>Dear Customer,</p><p>${heading}</p><table>${rows.map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`).join('')}</table>`,
  'a colon in a cell of its own': (heading, rows) =>
    `<p>Dear Customer,</p><p>${heading}</p><table>${rows.map(([label, value]) => `<tr><td>${label}</td><td>:</td><td>${value}</td></tr>`).join('')}</table>`,
  'tables in tables': (heading, rows) =>
    `<table><tr><td><table><tr><td>Dear Customer,</td></tr><tr><td colspan="2">${heading}</td></tr><tr><td><table width="100%">${rows.map(([label, value]) => `<tr><td><p><b>${label} :</b></p></td><td><table><tr><td><p>${value}</p></td></tr></table></td></tr>`).join('')}</table></td></tr><tr><td>Team Alerts</td></tr></table></td></tr></table>`,
  'a table for every row': (heading, rows) =>
    `<div>Dear Customer,</div><div>${heading}</div>${rows.map(([label, value]) => `<table><tr><td>${label}:</td><td colspan="3">${value}</td></tr></table>`).join('')}`,
  'lines of text': (heading, rows) =>
    `<p>Dear Customer,<br>${heading}<br>${rows.map(([label, value]) => `${label}: ${value}`).join('<br>')}<br>View balance: https://bank.in/x</p>`,
  'label above value': (heading, rows) =>
    `<p>Dear Customer,</p><p>${heading}</p>${rows.map(([label, value]) => `<p>${label}:</p><p>${value}</p>`).join('')}<p>Feel free to contact us.</p>`,
};

/** The page as it is read; null for one that is not. */
export function bodyOf(html: string) {
  const text = htmlToText(html);
  if (typeof text !== 'string') return null;
  const cells = normaliseLines(text);
  const source = sourceText(html);
  return { outcome: 'read', html: withoutBorders(cells), cells, source, text: null } as const;
}

export const escapedRows = (rows: Rows): Rows =>
  rows.map(([label, value]) => [escaped(label), escaped(value)]);

export function textOf({ heading, rows }: Pick<Card, 'heading' | 'rows'>): string {
  return `Dear Valued Customer,\n\n${heading}\n\n${rows.map(([label, value]) => `${label} : ${value}`).join('\n')}\n\nFor additional assistance kindly email us.`;
}

export function withValue(rows: Rows, label: string, value: string): Rows {
  return rows.map(row => (row[0] === label ? [label, value] : row));
}
