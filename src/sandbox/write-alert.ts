import type { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { indiaAhead, indianDay, later } from '../base/clock.ts';
import { type Paise, rupeesText } from '../base/money.ts';
import { randomBase62 } from '../base/random.ts';
import type { SimulatedBank } from './open-bank.ts';

export type AlertFacts = {
  to: string;
  amount: Paise;
  accountDigits: string;
  /** Twelve digits, as NPCI assigns them. */
  reference: string;
  /** The time at which the bank booked the money and wrote the mail. */
  at: Date;
  isNewWording?: boolean;
};

/** The library's types require the domain next to `signatureData`; the library itself reads it only inside. */
type DkimOptions = Parameters<typeof dkimSign>[1];

const payer = { name: 'ASHA VERMA', vpa: 'asha.verma@sandbox' };
const signedFields = 'from:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding';

export async function writeAlert(bank: SimulatedBank, facts: AlertFacts): Promise<Buffer> {
  const isEven = Number(facts.reference.at(-1)) % 2 === 0;
  const write = facts.isNewWording === true ? newWording : isEven ? senderList : byVpa;
  const { subject, body } = write(facts);
  const mail = [
    `From: Sandbox Bank InstaAlerts <${bank.sender}>`,
    `To: ${facts.to}`,
    `Subject: ${subject}`,
    `Date: ${mailDate(facts.at)}`,
    `Message-ID: <${randomBase62(20)}@${bank.domain}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    ...page(body),
    '',
  ].join('\r\n');
  // Loaded here, because it takes 9 MB and a sandbox may never pay.
  const library = await import('mailauth/lib/dkim/sign.js');
  const { signatures, errors } = await library.dkimSign(mail, {
    canonicalization: 'relaxed/relaxed',
    algorithm: 'rsa-sha256',
    signTime: facts.at,
    headerList: signedFields,
    signatureData: [{ signingDomain: bank.domain, selector: bank.selector, privateKey: bank.privateKey }],
  } as DkimOptions);
  if (signatures === '') throw new Error('the simulated bank could not sign its mail', { cause: errors });
  return Buffer.from(signatures + mail);
}

type Wording = { subject: string; body: string[] };

function senderList({ amount, accountDigits, reference, at }: AlertFacts): Wording {
  return {
    subject: 'You have received money in your Sandbox Bank account',
    body: [
      "<p>We're writing to inform you that",
      `<b>Rs. ${rupeesText(amount)}</b> has been successfully credited`,
      `to your Sandbox Bank account ending in ${accountDigits}.</p>`,
      '<p>Transaction Details:</p>',
      `<p>Date: ${bookedOn(at)}</p>`,
      `<p>Sender: ${payer.name} (VPA: ${payer.vpa})</p>`,
      `<p>UPI Reference No.: ${reference}</p>`,
    ],
  };
}

function byVpa({ amount, accountDigits, reference, at }: AlertFacts): Wording {
  return {
    subject: 'View: Account update for your Sandbox Bank A/c',
    body: [
      `<p>Rs. ${rupeesText(amount)} is successfully credited to your account`,
      `**${accountDigits} by VPA ${payer.vpa} ${payer.name} on ${bookedOn(at)}.</p>`,
      `<p>Your UPI transaction reference number is ${reference}.</p>`,
    ],
  };
}

function newWording({ amount, accountDigits, reference, at }: AlertFacts): Wording {
  return {
    subject: 'Money received in your Sandbox Bank account',
    body: [
      `<p>Good news: Rs. ${rupeesText(amount)} from ${payer.vpa} was credited`,
      `to your account **${accountDigits} on ${bookedOn(at)}. UPI Ref No. ${reference}.</p>`,
    ],
  };
}

function page(body: readonly string[]): string[] {
  return ['<html><body>', '<p>Dear Customer,</p>', ...body, '<p>Sandbox Bank</p>', '</body></html>'];
}

/** Indian banks write their local time, +0530. */
function mailDate(at: Date): string {
  return later(at, indiaAhead).toUTCString().replace('GMT', '+0530');
}

/** The bank's own calendar date, such as 15-11-26. */
export function bookedOn(at: Date): string {
  const [year = '', month, day] = indianDay(at).split('-');
  return `${day}-${month}-${year.slice(2)}`;
}
