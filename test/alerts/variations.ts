import type { Bank, Template } from '../../src/alerts/bank.ts';
import { loadBanks } from '../../src/alerts/load-banks.ts';
import { type Piece, parseTemplate } from '../../src/alerts/parse-template.ts';
import { readWording } from '../../src/alerts/read-wording.ts';

/** One alert in a bank's own wording, written in another way that changes nothing, and what it says. */
export type Variation = {
  readonly bank: Bank;
  readonly template: Template;
  readonly kind: string;
  readonly how: string;
  readonly subject: string;
  readonly text: string;
  readonly says: { readonly amount: number; readonly reference: string | null; readonly account: string | null };
};

/** Every wording that pays, in every harmless way of writing its values and its layout. */
export function everyVariation(banks: readonly Bank[] = loadBanks(null)): Variation[] {
  return banks.flatMap(bank =>
    bank.templates.filter(one => one.channel !== 'other').flatMap(template => variationsOf(bank, template)),
  );
}

/** Why a variation is not read as what it says; null when it is. */
export function missed({ bank, subject, text, says }: Variation): string | null {
  const reading = readWording(bank, { subject, text });
  if (reading.outcome !== 'credit') return reading.reason;
  const { amount, reference, accountDigits } = reading.facts;
  const read = JSON.stringify([amount, reference, accountDigits]);
  return read === JSON.stringify([says.amount, says.reference, says.account]) ? null : `read as ${read}`;
}

const plainValues: Readonly<Record<string, string>> = {
  amount: '500.37',
  account: 'XX4321',
  reference: '615300112233',
  payee_vpa: 'shop@bank',
  payer_vpa: 'meera.iyer@okaxis',
  payer_name: 'MEERA IYER',
  cut_name: 'MEERA IYE',
  note: 'lunch',
  narration: 'UPI/615300112233/lunch',
  date: '15-11-26',
  time: '10:30:00',
  balance: '3,571.23',
  mobile: '919XXXX45100',
  ifsc: 'SBIN0001234',
  token: 'SBIN',
  end: '',
};

/** As banks are seen to print them, whichever bank it was: [what is printed, what it means]. */
const amounts: readonly (readonly [string, number])[] = [
  ...['Rs.500.37', 'Rs. 500.37', 'Rs 500.37', 'RS.500.37', 'Rs:500.37', 'Rs.500.37/-'],
  ...['INR 500.37', 'INR500.37', 'INR. 500.37', '₹500.37', '₹ 500.37', 'Rs. INR 500.37', 'INR Rs.500.37'],
].map(text => [text, 50_037] as const);
const otherAmounts: readonly (readonly [string, number])[] = [
  ['500', 50_000],
  ['500.5', 50_050],
  ['500/-', 50_000],
  ['.05', 5],
  ['1,00,000.50', 10_000_050],
  ['100,000.50', 10_000_050],
  ['1,00000.50', 10_000_050],
  ['1000000', 100_000_000],
];
const accounts: readonly (readonly [string, string])[] = [
  ...['**4321', 'XXXXXXXX4321', '*4321', 'X4321', 'xx4321', 'xx 4321', 'XX-4321', '4321'],
  ...['XXXX XXXX 4321', '15XXXXXX4321', '123xxxx4321', '074-260***-4321'],
  ...['ending 4321', 'ending in 4321', 'ending with XX4321'],
].map(text => [text, '4321'] as const);
const otherAccounts: readonly (readonly [string, string])[] = [
  ['XXXXXXXX11', '11'],
  ['X321', '321'],
  ['NN54321', '54321'],
  ['XXXXX654321', '654321'],
];
const days = ['15-11-2026', '15-NOV-26', '15-Nov-2026', '15 Nov 2026', '15 Nov, 2026', '15/11/26', '15/11/2026'];
const otherDays = ['15.11.2026', '15NOV26', '15NOV2026', '5-1-26', '2026-11-15', 'Nov 15, 2026', '15th November 2026'];
const times = ['10:22', '10:22:33', '22:22:33', '10:22 PM', '10:22:33 am', '10.22.33'];
const moments = [
  ...['15-11-26 10:22', '15-11-26 10:22:33', '15-11-26, 17:15:42 IST', '15/11/2026 10:22', '15-Nov-2026 10:22 PM'],
  ...['15-11-26 at 17:15:42', '15-11-26 at 17:15:42 IST', '15 Nov 2026, 05:15 pm', '15NOV2026 11:45:30', '15-11-26 17:15 hrs'],
];
const vpas = [
  ...['9876543210@ybl', 'a.b-c_d.e@okhdfcbank', 'MEERA@OKSBI', '9876543210@axl', 'shop.12345678@hdfcbank'],
  ...['paytm-ptmbbp@ptybl', 'gpay-11223344@okbizaxis', 'x@upi', `${'long.name-'.repeat(5)}1@idfcfirst`],
];
const names = [
  ...['Mr Rohan Raj', 'A.K. RAO', "D'SOUZA", 'O’BRIEN', 'Al-Amin', 'M/S RAJ & SONS', 'RAJ (HUF)', '7th HEAVEN 24X7'],
  ...['M/S. A & B (INDIA) PVT. LTD.', 'मीरा अय्यर', 'காவ்யா', 'MEERA  IYER', 'X', 'VENKATA '.repeat(8).trim()],
  ...['ON TIME LOGISTICS', 'RECEIVER', 'CREDIT SUISSE', 'REFUND KUMAR', 'FAILED FOODS', 'S/O RAM', 'NO. 1 STORE', 'A, B; C'],
];
const references = ['015300112233', '15300112233', '6153001122334', '123456789'];

const greetings = [
  ...['', 'Dear Customer,', 'Dear Mr. A. K. D’Souza,', 'Dear M/S RAJ & SONS,', 'Hi Asha,', 'Dear Sir/ Madam,', 'Hello!'],
  ...['Dear Customer, Greetings from the bank! Thank you for banking with us. We wish to inform you that'],
  ...['15-11-2026 Dear NITIN SHARMA,', 'If you are unable to view the below e-mailer, please click here .'],
];
const endings = [
  ...['', '.', '. Avl Bal Rs 1,000.00.', '. Total Available Balance INR 40,057.17.', '. Avl. Bal. ₹3,571.23', '. Your account balance is INR 97,720.68.'],
  ...['. Thank you for banking with us.', '. If this was not you, call 18002586161.', '. Please do not reply to this mail.', '.-SBI'],
];

const layouts: Readonly<Record<string, (text: string) => string>> = {
  'no-break spaces': text => text.replaceAll(' ', '\u00a0'),
  'a line for every word': text => text.replaceAll(' ', '\r\n'),
  'double spaces': text => text.replaceAll(' ', '  '),
  'tabs after colons': text => text.replaceAll(': ', ':\t'),
  'zero width inside numbers': text => text.replace(/(\d)(?=\d)/g, '$1\u200c'),
  'curly apostrophes': text => text.replaceAll("'", '’'),
  'long dashes': text => text.replace(/(?<= )-(?=[ \p{Lu}])/gu, '–'),
  'no space between sentences': text => text.replace(/\. (?=\p{Lu}\p{Ll})/gu, '.'),
  'A/C in capitals': text => text.replace(/\bA\/c\b/gi, 'A/C'),
  'a/c in small letters': text => text.replace(/\bA\/c\b/gi, 'a/c'),
  'CREDITED in capitals': text => text.replace(/\bcredited\b/gi, 'CREDITED'),
  'credited in small letters': text => text.replace(/\bcredited\b/gi, 'credited'),
  'labels in small letters': text => text.replace(/(?<=\p{L} )\p{Lu}\p{Ll}+(?= ?:)/gu, word => word.toLowerCase()),
  'without the balance': text => text.replace(/\.? ?(?:Avl\.? Bal|New balance|Your account balance)(?:\.? (?:is )?(?:Rs|INR|₹)?)?$/, '.'),
};

const subjects: Readonly<Record<string, (subject: string) => string>> = {
  'an emoji in front': subject => `❗  ${subject}`,
  'View: in front': subject => `View: ${subject.replace(/^View: /, '')}`,
  'no View: in front': subject => subject.replace(/^View: /, ''),
  'a full stop': subject => `${subject.replace(/[.!]$/, '')}.`,
  'no full stop': subject => subject.replace(/[.!]$/, ''),
  'double spaces': subject => subject.replaceAll(' ', '  '),
};

function variationsOf(bank: Bank, template: Template): Variation[] {
  const { body } = template.written;
  const has = (slot: string) => body.includes(`{${slot}}`);
  const has1 = (slot: string) => has(slot);
  const made: Variation[] = [];
  type Change = { values?: Record<string, string>; amount?: number; account?: string; printed?: (at: number) => boolean; text?: (text: string) => string; subject?: (s: string) => string };
  const add = (kind: string, how: string, change: Change): void => {
    const values = { ...plainValues, ...change.values };
    const printed = change.printed ?? (() => true);
    const filled = fill(body, values, printed);
    const text = (change.text ?? (same => same))(filled);
    const subject = subjectOf(template, values);
    made.push({
      bank, template, kind, how,
      subject: (change.subject ?? (same => same))(subject),
      text,
      says: {
        amount: change.amount ?? 50_037,
        reference: has('reference') && filled.includes(values['reference']!) && referencePrinted(body, printed) ? values['reference']! : null,
        account: has('account') ? (change.account ?? '4321') : null,
      },
    });
  };
  for (const [amount, paise] of [...amounts, ...otherAmounts]) add('amount', amount, { values: { amount }, amount: paise });
  if (has1('account'))
    for (const [account, digits] of [...accounts, ...otherAccounts])
      if (!(account.startsWith('ending') && /ending in \{account\}/.test(body)))
        add('account', account, { values: { account }, account: digits });
  if (has('date')) for (const date of [...days, ...otherDays]) add('date', date, { values: { date } });
  if (has('time')) for (const time of times) add('time', time, { values: { time } });
  if (has('date') || has('time'))
    for (const moment of [...moments, '15-11-26']) add('moment', moment, { values: { date: moment, time: '' } });
  if (has('payer_vpa')) for (const payer_vpa of vpas) add('vpa', payer_vpa, { values: { payer_vpa } });
  for (const slot of ['payer_name', 'cut_name'])
    if (has(slot)) for (const name of names) add('name', name, { values: { [slot]: name } });
  if (has('payer_name')) add('name', 'missing', { values: { payer_name: '' } });
  if (has('reference')) for (const reference of references) add('reference', reference, { values: { reference } });
  add('optional parts', 'none printed', { printed: () => false });
  for (const greeting of greetings) add('greeting', greeting, { text: text => `${greeting} ${text}` });
  for (const ending of endings) add('ending', ending, { text: text => text.replace(/[. ]+$/, '') + ending });
  for (const [how, change] of Object.entries(layouts)) add('layout', how, { text: change });
  if (!template.written.subjects.includes('{any}'))
    for (const [how, change] of Object.entries(subjects)) add('subject', how, { subject: change });
  return made;
}

function referencePrinted(body: string, printed: (at: number) => boolean): boolean {
  return parseTemplate(body).some((piece, at) =>
    piece.kind === 'optional' ? printed(at) && piece.pieces.some(isReference) : isReference(piece),
  );
}
const isReference = (piece: Piece) => piece.kind === 'slot' && piece.name === 'reference';

function subjectOf(template: Template, values: Readonly<Record<string, string>>): string {
  const written = template.written.subjects[0]!;
  return written === '{any}' ? 'Alert' : fill(written, values, () => true);
}

const mark = /(?:(?:Rs|INR)[.:]? ?|₹ ?){1,2}$/i;

/** The template with its values; an amount that brings its own currency mark takes the place of the template's. */
function fill(written: string, values: Readonly<Record<string, string>>, printed: (at: number) => boolean): string {
  let out = '';
  const say = (piece: Piece, at: number): void => {
    if (piece.kind === 'optional') {
      if (printed(at)) piece.pieces.forEach(say);
    } else if (piece.kind === 'slot') {
      const value = values[piece.name]!;
      if (piece.name === 'amount' && /^[A-Z₹]/i.test(value)) out = out.replace(mark, '');
      if (piece.name === 'time' && value === '') out = out.replace(/(?:,| at)? $/, '');
      out += value;
    } else if (piece.kind === 'words') {
      out += values['time'] === '' ? piece.text.replace(/^ IST/, '') : piece.text;
    } else out += piece.choices[0]!;
  };
  parseTemplate(written).forEach(say);
  return out;
}

if (import.meta.main) {
  const counts = new Map<string, [number, number]>();
  const refused = new Map<string, string[]>();
  for (const one of everyVariation()) {
    const why = missed(one);
    const of = counts.get(one.bank.id) ?? [0, 0];
    of[why === null ? 0 : 1]++;
    counts.set(one.bank.id, of);
    if (why !== null) {
      const key = `${one.kind}: ${one.how}`;
      refused.set(key, [...(refused.get(key) ?? []), `${one.bank.id}/${one.template.id}${process.argv.includes('-v') ? ` (${why}: ${one.text})` : ''}`]);
    }
  }
  for (const [bank, [read, not]] of counts) console.log(bank, read, not);
  for (const [key, who] of refused) console.log('-', key, '->', who.length, who.slice(0, process.argv.includes('-v') ? 3 : 30).join(', '));
  const all = [...counts.values()].reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  console.log('read', all[0], 'not read', all[1]);
}
