/**
 * The named slots of a template. Every pattern is bounded and none repeats inside a repetition, so that no payer's
 * text can make matching slow.
 */
export type Slot = {
  readonly pattern: string;
  /**
   * `fact`: the bank's word on which money depends, guarded against a second value. `payer`: text that a stranger can
   * choose, with fixed words on both sides. `bank`: the bank's own text, which decides nothing.
   */
  readonly author: 'fact' | 'payer' | 'bank';
};

/** NPCI allows 99 characters in a name; banks print fewer. */
export const longestName = 100;
/** NPCI's remark has about 80 characters. */
export const longestRemark = 80;
/** The longest text that a payer can put into one place of a bank's mail: a remark, with a reserve. */
export const longestPayerText = 140;
const longestGap = 200;

/** A number must not end inside a longer number of any script, and no word may follow directly. */
const numberEnds = '(?![\\p{L}\\p{N}]|[.,]\\p{N})';
const digitsEnd = '(?!\\p{N}|[.,]\\p{N})';
const vpa = '[A-Za-z0-9._-]{1,90}@[A-Za-z0-9.-]{2,60}';
/** Any printable text on one line, as in names: no tag, control or direction character. */
const printable = '[^\\p{C}\\p{Zl}\\p{Zp}<>]';
/** The greeted customer: capitalised words, as banks print names, or a few words of any kind ("valued customer"). */
const capitalised = "(?:[\\p{Lu}\\p{N}&('][^\\s,:;!<>]{0,40}|and|of|the)";
const anyWord = '[^\\s,:;!<>]{1,40}';
/** A word in a script without capitals, such as Devanagari. */
const uncased = '\\p{Lo}[^\\s,:;!<>]{0,40}';

/**
 * The marks of a sum in rupees: `Rs.`, `Rs`, `Rs:`, `INR`, `₹`, or two of them (`Rs. INR`). A bank may replace one
 * with another without notice. No point may follow INR directly: `INR.50` may mean paise.
 */
const symbol = '(?:[Rr][Ss](?:[.:] ?| )?|[Ii][Nn][Rr](?:[.:] | )?|₹ ?)';
export const currency = `${symbol}${symbol}?`;

const clock = '[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[AaPp]\\.?[Mm]\\.?)?';
const month = '[A-Za-z]{3,9}';
const day = [
  '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  `[0-9]{1,2}(?:st|nd|rd|th)?[-/. ]?(?:[0-9]{1,2}|${month})[-/.,'’]?[ ]?[0-9]{2,4}`,
  `${month} [0-9]{1,2},? [0-9]{4}`,
].join('|');

export const slots: Readonly<Record<string, Slot>> = {
  /** The rupees that came in; write the currency mark as fixed words before it. */
  amount: fact(`(?:[0-9](?:,?[0-9]){0,11}(?:\\.[0-9]{1,2})?|(?<=[ ₹])\\.[0-9]{1,2})${numberEnds}(?:/-)?`),
  /** The credited account as the bank masks it; its last digits are compared. */
  account: fact(
    `(?:[Ee]nding (?:in |with )?)?(?:(?:[0-9]{1,6}[0-9-]{0,8})?[Xx*N][Xx*N -]{0,19})?[0-9]{2,18}${digitsEnd}`,
  ),
  /** The RRN of a UPI or IMPS payment, 9 to 16 digits. */
  reference: fact(`[0-9]{9,16}${numberEnds}`),
  /** The reference of another channel, capitals and digits. */
  utr: fact(`(?=[A-Z]{0,12}[0-9])[A-Z0-9]{8,22}${numberEnds}`),
  /** The merchant's own UPI ID that received the money. */
  payee_vpa: fact(vpa),
  payer_vpa: payers(vpa),
  payer_name: payers(`(?! )${printable}{1,${longestName}}?`),
  /** A name that the bank cuts short between two slashes. */
  cut_name: payers(`(?! )(?:(?!/)${printable}){1,20}?`),
  /** The payer's remark, up to the bank's next words or the end of its line. */
  note: payers('(?! )[^\\n]{1,1000}'),
  /** The bank's one line about the credit, which may name the channel and quote the payer. */
  narration: payers('(?! )[^\\n]{1,1000}'),
  /** A remark, or nothing, to the end of its line, including anything the bank prints after it. */
  rest: payers('[^\\n]{0,32768}'),
  /** Any text of a row that decides nothing: the merchant's own name, a remark. Only in rows. */
  text: payers('[^]{0,32768}'),
  /** Unknown text between two known pieces of a wording, over any number of lines. */
  gap: payers(`(?:\\n|${printable}){0,${longestGap}}?`),
  /** The customer in a greeting; only in greetings and openings. */
  customer: banks(
    `(?:${capitalised}(?: ${capitalised}){0,11}?|${uncased}(?: ${uncased}){0,5}?|${anyWord}(?: ${anyWord}){0,2}?)`,
  ),
  /** A narration that does not begin with UPI or IMPS; only if the channel is `other`. */
  other_channel: payers(`(?! |(?:BY TRANSFER-)?(?:UPI|IMPS))${printable}{1,${longestPayerText}}?`),
  /** A day, with or without the time: 18-04-26, 17-Sep-26, 01MAR25, 6 Jul, 2026, 01-10-26, 17:15:42 IST. */
  date: banks(
    `(?:${day})(?!\\p{N}|[.,/-]\\p{N})(?:(?:,| at|, at)? ${clock}${digitsEnd}(?: (?:IST|[Hh]rs))?)?`,
  ),
  time: banks(clock + digitsEnd),
  /** The balance; never an amount paid. */
  balance: banks(`-?[0-9](?:,?[0-9]){0,14}(?:\\.[0-9]{1,3})?${digitsEnd}`),
  mobile: banks('[+]?[0-9Xx*][0-9Xx* -]{3,19}(?![\\p{L}\\p{N}])'),
  ifsc: banks('[A-Z]{4}[A-Z0-9]{7}(?![\\p{L}\\p{N}])'),
  /** One unbroken word or number of the bank. */
  token: banks('[A-Za-z0-9]{1,40}(?![\\p{L}\\p{N}])'),
  end: banks('(?=\\n|$)'),
};

/** A payer's text in these slots is the payer's up to its end: the bank's facts are never looked for in it. */
export const ownedByPayers: ReadonlySet<string> = new Set([
  'note',
  'narration',
  'rest',
  'text',
  'other_channel',
]);

function fact(pattern: string): Slot {
  return { pattern, author: 'fact' };
}

function payers(pattern: string): Slot {
  return { pattern, author: 'payer' };
}

function banks(pattern: string): Slot {
  return { pattern, author: 'bank' };
}
