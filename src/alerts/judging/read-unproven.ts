import { type Bank, findBank, type Reading } from '../banks/bank.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-addresses.ts';
import { headerValue, type SplitMail, splitHeaders } from '../mail/split-headers.ts';
import { compareReadings } from '../reading/compare-readings.ts';
import { type BodyText, readBody } from '../reading/read-body.ts';

type Unproven = { bank: Bank; reading: Reading };

/**
 * The reading of an unsigned mail, or of text pasted from one, as if its bank had signed it. It is for writing bank
 * entries and decides nothing. Without a known sender, only the bank whose wording fits is named.
 */
export async function readUnproven(raw: Buffer, banks: readonly Bank[]): Promise<Unproven | null> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') {
    const text = raw.toString('utf8').replaceAll('\r\n', '\n').trim();
    return firstFitting(banks.map(withAnySubject), '', { outcome: 'read', html: null, text });
  }
  const body = await bodyOf(mail);
  if (body === null) return null;
  const subject =
    decodeSubject(headerValue(mail, 'subject') ?? '')?.replace(/^(?:(?:fwd?|re): *)+/i, '') ?? '';
  const sender = parseAddresses(headerValue(mail, 'from') ?? '')?.[0];
  const bank = sender === undefined ? null : findBank(banks, sender);
  if (bank) return { bank, reading: compareReadings(bank, subject, body) };
  return firstFitting(banks, subject, body);
}

async function bodyOf(mail: SplitMail): Promise<BodyText | null> {
  const [contentType, transferEncoding] = [
    headerValue(mail, 'content-type'),
    headerValue(mail, 'content-transfer-encoding'),
  ];
  const body = await readBody({ contentType, transferEncoding, mimeSigned: true, body: mail.body }, null);
  return body.outcome === 'refused' ? null : body;
}

function withAnySubject(bank: Bank): Bank {
  return { ...bank, templates: bank.templates.map(template => ({ ...template, subject: /^/ })) };
}

function firstFitting(banks: readonly Bank[], subject: string, body: BodyText): Unproven | null {
  for (const bank of banks) {
    const reading = compareReadings(bank, subject, body);
    if (reading.outcome !== 'unreadable' && reading.facts !== null) return { bank, reading };
  }
  return null;
}
