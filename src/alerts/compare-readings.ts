import { because } from '../verdicts.ts';
import type { Bank, CreditFacts, Reading } from './bank.ts';
import { doubtBehind } from './doubt-behind.ts';
import { parseAmount } from './parse-amount.ts';
import type { BodyText } from './read-body.ts';
import { holdsWording, noCreditIn, readWording } from './read-wording.ts';

/** A part without meaning (Federal's "view this mail as HTML") names no sum of money. */
const sums = /(?:₹|\brs\b|\binr\b)[\s.:]*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*\.\d\d)(?!\d)/i;

/**
 * Reads the part that the bank's file names and holds the other one against it. Where a mail says one thing as HTML
 * and another as plain text, a person and this program would see different mails, so neither is believed.
 */
export function compareReadings(bank: Bank, subject: string, body: BodyText): Reading {
  const [told, other] = bank.part === 'html' ? [body.html, body.text] : [body.text, body.html];
  // With one part only there is one reading only, whichever kind the bank's file expects.
  const reading = readWording(bank, { subject, text: told ?? other ?? '' });
  if (told === null || other === null || other === '') return reading;

  const second = readWording(bank, { subject, text: other });
  if (reading.outcome !== 'credit' && second.outcome !== 'credit') return reading;
  if (reading.outcome === 'credit' && second.outcome === 'credit' && sameMoney(reading.facts, second.facts))
    return reading;
  if (reading.outcome === 'credit' && !holdsWording(bank, other) && agrees(bank, other, reading.facts))
    return reading;
  return { outcome: 'unreadable', reason: because('texts_differ') };
}

/** All that decides; the payer's name may be spaced differently in two renderings of one mail. */
function sameMoney(one: CreditFacts, other: CreditFacts): boolean {
  return (
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.accountDigits === other.accountDigits &&
    one.payeeVpa === other.payeeVpa
  );
}

/**
 * A part without the bank's wording: a placeholder, or the same alert laid out in another way (links written out, stars
 * for bold), whose first sum and reference tell. Its footer counts no more than that of the part that was read.
 */
function agrees(bank: Bank, text: string, { amount, reference }: CreditFacts): boolean {
  const sum = sums.exec(text);
  if (sum === null) return doubtBehind(`. ${text}`, { endsInPayerText: false }) === null;
  const named = reference === null ? null : new RegExp(`(?<!\\d)${reference}(?!\\d)`).exec(text);
  if (named === null || parseAmount(sum[1] ?? sum[2] ?? '') !== amount) return false;
  const end = named.index + named[0].length;
  return (
    noCreditIn(bank, '', text.slice(0, end)) === null &&
    doubtBehind(text.slice(end), { endsInPayerText: false }) === null
  );
}
