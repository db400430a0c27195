import type { Bank, Template } from '../../../src/alerts/banks/bank.ts';
import { type Piece, parseTemplate } from '../../../src/alerts/banks/parse-template.ts';

/** An alert in a bank's own wording, written in another way that changes nothing, and what it says. */
export type Variation = {
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  readonly says: {
    readonly amount: number;
    readonly reference: string | null;
    readonly accountDigits: string | null;
  };
};

/** One wording in every harmless way in which some bank was seen to write its values, its letters and its layout. */
export function variationsOf(template: Template): Variation[] {
  const { body, subjects } = template.written;
  const has = (slot: string) => body.includes(`{${slot}}`);
  const varied = (slot: string, values: readonly string[]) =>
    has(slot) ? values.map(value => vary(template, `${slot} ${value}`, { values: { [slot]: value } })) : [];
  const isNamed = /ending in \{account\}/.test(body);
  return [
    ...[...withCurrency.map(text => [text, 50_037] as const), ...amounts].map(([amount, paise]) =>
      vary(template, `amount ${amount}`, { values: { amount }, says: { amount: paise } }),
    ),
    ...(has('account') ? [...masked.map(text => [text, '4321'] as const), ...accounts] : [])
      .filter(([account]) => !(isNamed && account.startsWith('ending')))
      .map(([account, accountDigits]) =>
        vary(template, `account ${account}`, { values: { account }, says: { accountDigits } }),
      ),
    ...varied('date', [...days, ...moments]),
    ...varied('payer_vpa', vpas),
    ...varied('payer_name', [...names, '']),
    ...varied('cut_name', names),
    ...references.map(reference =>
      vary(template, `reference ${reference}`, {
        values: { reference },
        says: has('reference') ? { reference } : {},
      }),
    ),
    vary(template, 'no optional part', {
      printed: false,
      says: /\[[^\]]*\{reference\}/.test(body) ? { reference: null } : {},
    }),
    ...greetings.map(words => vary(template, `greeting ${words}`, { text: text => `${words} ${text}` })),
    ...endings.map(words =>
      vary(template, `ending ${words}`, { text: text => text.replace(/\.? ?$/, words) }),
    ),
    ...Object.entries(layouts).map(([name, text]) => vary(template, name, { text })),
    ...(subjects.includes('{any}') ? [] : Object.entries(ornaments)).map(([name, subject]) =>
      vary(template, `subject: ${name}`, { subject }),
    ),
  ];
}

/** A wording with ordinary values and everything that its bank may print. */
export function statementOf(template: Template): { subject: string; statement: string } {
  const { subject, text } = vary(template, 'plain', {});
  return { subject, statement: text };
}

/** The same with nothing that may be missing, and without a remark: as short as it can be. */
export function shortestOf(template: Template): { subject: string; statement: string } {
  const { subject, text } = vary(template, 'shortest', { printed: false, values: { rest: '' } });
  return { subject, statement: text };
}

type Change = {
  values?: Record<string, string>;
  says?: Partial<Variation['says']>;
  printed?: boolean;
  text?: (text: string) => string;
  subject?: (subject: string) => string;
};

function vary(template: Template, name: string, change: Change): Variation {
  const { body, subjects } = template.written;
  const values = { ...plain, ...change.values };
  const subject = subjects[0] === '{any}' ? 'Alert' : fill(subjects[0]!, values, true);
  const text = fill(body, values, change.printed ?? true);
  return {
    name,
    subject: change.subject?.(subject) ?? subject,
    text: change.text?.(text) ?? text,
    says: {
      amount: 50_037,
      reference: body.includes('{reference}') ? plain['reference']! : null,
      accountDigits: body.includes('{account}') ? '4321' : null,
      ...change.says,
    },
  };
}

/** The template with its values; an amount that brings its own mark of the rupee takes the place of the template's. */
function fill(written: string, values: Readonly<Record<string, string>>, printed: boolean): string {
  const pieces = parseTemplate(written).flatMap((piece): readonly Piece[] => {
    if (piece.kind !== 'optional') return [piece];
    return printed ? piece.pieces : [];
  });
  return pieces
    .map((piece, at) => {
      if (piece.kind === 'slot') return values[piece.name]!;
      if (piece.kind === 'either') return piece.choices[0]!;
      if (piece.kind === 'optional') return '';
      const next = pieces[at + 1];
      const isReplaced = piece.isCurrency && next?.kind === 'slot' && next.name === 'amount';
      return isReplaced && /^[A-Z₹]/i.test(values['amount']!) ? '' : piece.text;
    })
    .join('');
}

const plain: Readonly<Record<string, string>> = {
  amount: '500.37',
  account: 'XX4321',
  reference: '615300112233',
  payer_vpa: 'meera.iyer@okaxis',
  payer_name: 'MEERA IYER',
  cut_name: 'MEERA IYE',
  narration: 'UPI lunch',
  note: 'lunch',
  rest: 'lunch',
  text: 'MEERA IYER',
  gap: ' to your account. ',
  date: '15-11-26',
  balance: '3,571.23',
  mobile: '919XXXX45100',
  token: 'SBIN',
};

const withCurrency = [
  ...['Rs.500.37', 'Rs. 500.37', 'Rs 500.37', 'RS.500.37', 'Rs:500.37', 'Rs.500.37/-', 'INR 500.37'],
  ...['INR500.37', 'INR. 500.37', '₹500.37', '₹ 500.37', 'Rs. INR 500.37', 'INR Rs.500.37'],
];
const amounts: readonly (readonly [string, number])[] = [
  ['500', 50_000],
  ['500.5', 50_050],
  ['500/-', 50_000],
  ['INR .05', 5],
  ['1,00,000.50', 10_000_050],
  ['100,000.50', 10_000_050],
  ['1,00000.50', 10_000_050],
  ['1000000', 100_000_000],
];
const masked = [
  ...['**4321', 'XXXXXXXX4321', '*4321', 'X4321', 'xx4321', 'xx 4321', 'XX-4321', '4321', 'XXXX XXXX 4321'],
  ...[
    '15XXXXXX4321',
    '123xxxx4321',
    '074-260***-4321',
    'ending 4321',
    'ending in 4321',
    'ending with XX4321',
  ],
];
const accounts: readonly (readonly [string, string])[] = [
  ['XXXXXXXX11', '11'],
  ['X321', '321'],
  ['NN54321', '54321'],
  ['XXXXX654321', '654321'],
];
const days = [
  ...['15-11-2026', '15-NOV-26', '15-Nov-2026', '15 Nov 2026', '15 Nov, 2026', '15/11/26', '15/11/2026'],
  ...[
    '15.11.2026',
    '15NOV26',
    '15NOV2026',
    '5-1-26',
    '2026-11-15',
    'Nov 15, 2026',
    '15th November 2026',
    "15 Nov'26",
  ],
];
const moments = [
  ...['15-11-26 10:22', '15-11-26 10:22:33', '15-11-26, 17:15:42 IST', '15-Nov-2026 10:22 PM'],
  ...['15-11-26 at 17:15:42 IST', '15 Nov 2026, 05:15 pm', '15NOV2026 11:45:30', '15-11-26 17:15 hrs'],
];
const vpas = [
  ...['9876543210@ybl', 'a.b-c_d.e@okhdfcbank', 'MEERA@OKSBI', 'shop.12345678@hdfcbank', 'x@upi'],
  ...['paytm-ptmbbp@ptybl', 'gpay-11223344@okbizaxis', `${'long.name-'.repeat(5)}1@idfcfirst`],
];
const names = [
  ...['Mr Rohan Raj', 'A.K. RAO', "D'SOUZA", 'O’BRIEN', 'Al-Amin', 'M/S. A & B (INDIA) PVT. LTD.', 'X'],
  ...['7th HEAVEN 24X7', 'मीरा अय्यर', 'காவ்யா', 'MEERA  IYER', 'VENKATA '.repeat(8).trim(), 'NO. 1 STORE'],
  ...['ON TIME LOGISTICS', 'RECEIVER', 'CREDIT SUISSE', 'REFUND KUMAR', 'FAILED FOODS', 'S/O RAM', 'A, B; C'],
];
const references = ['015300112233', '15300112233', '6153001122334', '123456789'];

const greetings = [
  ...['Dear Customer,', 'Dear Mr. A. K. D’Souza,', 'Dear M/S RAJ & SONS,', 'Hi Asha,', 'Dear Sir/ Madam,'],
  'Dear Customer, Greetings from the bank! Thank you for banking with us. We wish to inform you that',
  ...['15-11-2026 Dear NITIN SHARMA,', 'If you are unable to view the below e-mailer, please click here .'],
];
const endings = [
  ...[
    '.',
    '. Avl Bal Rs 3,571.23.',
    '. Total Available Balance INR 3,571.23.',
    '. Avl. Bal. ₹3,571.23',
    '.-SBI',
  ],
  ...[
    '. Thank you for banking with us.',
    '. If this was not you, call 18002586161.',
    '. Do not reply to this mail.',
  ],
];
const layouts: Readonly<Record<string, (text: string) => string>> = {
  'no-break spaces': text => text.replaceAll(' ', '\u00a0'),
  'a line for every word': text => text.replaceAll(' ', '\r\n'),
  'double spaces': text => text.replaceAll(' ', '  '),
  'zero width inside numbers': text => text.replace(/(\d)(?=\d)/g, '$1\u200c'),
  'curly apostrophes': text => text.replaceAll("'", '’'),
  'long dashes': text => text.replace(/(?<= )-(?=[ \p{Lu}])/gu, '–'),
  'no space between sentences': text => text.replace(/\. (?=\p{Lu}\p{Ll})/gu, '.'),
  'A/C in capitals': text => text.replace(/\bA\/c\b/gi, 'A/C'),
  'a/c in small letters': text => text.replace(/\bA\/c\b/gi, 'a/c'),
  'CREDITED in capitals': text => text.replace(/\bcredited\b/gi, 'CREDITED'),
  'credited in small letters': text => text.replace(/\bcredited\b/gi, 'credited'),
  'labels in small letters': text =>
    text.replace(/(?<=\p{L} )\p{Lu}\p{Ll}+(?= ?:)/gu, word => word.toLowerCase()),
  'without the balance': text => text.replace(/\. (?:Avl Bal|New balance is INR)$/, '.-SBI'),
};
const ornaments: Readonly<Record<string, (subject: string) => string>> = {
  'a sign in front': subject => `❗  ${subject}`,
  'View: left out': subject => subject.replace(/^View: /, ''),
  'a full stop': subject => `${subject.replace(/[.!]$/, '')}.`,
  'no full stop': subject => subject.replace(/[.!]$/, ''),
  'double spaces': subject => subject.replaceAll(' ', '  '),
};

/** Every paying wording of these banks that is a sentence, with the bank that writes it. */
export function payingWordings(banks: readonly Bank[]): { bank: Bank; template: Template }[] {
  return banks.flatMap(bank =>
    bank.templates
      .filter(one => one.channel !== 'other' && one.rows === null)
      .map(template => ({ bank, template })),
  );
}
