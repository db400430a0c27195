import type { Bank, Template } from '../banks/bank.ts';
import { type Piece, parseTemplate } from '../banks/parse-template.ts';
import { slots } from '../banks/slots.ts';

export type Values = Readonly<Record<string, string>>;

/** The bank's values, and the values that an attacker wants. */
export const truth: Values = {
  amount: '1.00',
  account: 'XX5521',
  reference: '630711223344',
  utr: 'HDFCN26001122',
  payee_vpa: 'shop@bank',
  date: '03-11-26',
  time: '10:30:00',
  balance: '9,000.00',
  mobile: '919XXXX45100',
  ifsc: 'SBIN0001234',
  token: 'SBIN',
  end: '',
  payer_name: 'ASHA RAO',
  cut_name: 'ASHA RAO',
  payer_vpa: 'asha@ybl',
  note: 'lunch',
  rest: 'lunch',
  text: 'MEERA IYER',
  gap: ' to your account. ',
  narration: 'UPI lunch',
  other_channel: 'NEFT-ACME',
};
export const decoy: Values = {
  ...truth,
  amount: '500.37',
  account: 'XX9999',
  reference: '999999999999',
  utr: 'EVILN99999999',
};
/** The same with the true amount, for an attacker who pays honestly once and wants another reference or account. */
const decoyOfSameAmount: Values = { ...decoy, amount: '1.00' };

/** Fills a template. `choose` decides for each optional part whether the bank prints it. */
export function fill(written: string, values: Values, choose: (at: number) => boolean = () => true): string {
  const say = (piece: Piece, at: number): string => {
    if (piece.kind === 'words') return piece.text;
    if (piece.kind === 'either') return piece.choices[0]!;
    if (piece.kind === 'slot') return values[piece.name]!;
    return choose(at) ? piece.pieces.map(say).join('') : '';
  };
  return parseTemplate(written).map(say).join('');
}

/** A whole wording: its sentence, or its heading with a line for each row below it. */
export function fillWhole(
  { written }: Pick<Template, 'written'>,
  values: Values,
  choose: (at: number) => boolean = () => true,
): string {
  const rows = written.rows.map(([label, value]) => `${bare(label)}: ${fill(value, values, choose)}`);
  return [fill(written.body, values, choose), ...rows].join('\n');
}

function bare(label: string): string {
  return label.replace(/^\[(.*)\]$/, '$1');
}

export function subjectOf(template: Template, values: Values): string {
  const written = template.written.subjects[0]!;
  return written === '{any}' ? '' : fill(written, values);
}

export function payerSlotsOf(template: Template): string[] {
  const { body, rows } = template.written;
  return [...[body, ...rows.map(([, value]) => value)].join(' ').matchAll(/\{([a-z_]+)\}/g)]
    .map(([, name]) => name!)
    .filter(name => slots[name]?.author === 'payer');
}

export type Attacks = {
  /** Whole sentences with other facts. */
  readonly sentences: readonly string[];
  /** Texts that end the bank's sentence early, so that another reference is read. */
  readonly endings: readonly string[];
  readonly phrases: readonly string[];
};

export function attacksOn({ templates }: Pick<Bank, 'templates'>): Attacks {
  const lies = [decoy, decoyOfSameAmount];
  const sentences = templates.flatMap(template =>
    lies.flatMap(lie => [fillWhole(template, lie), fillWhole(template, lie, () => false)]),
  );
  const rows = templates.flatMap(({ written }) =>
    written.rows.flatMap(([label, value]) => [
      `x\n${bare(label)}: ${fill(value, decoy)}`,
      `${bare(label)}: ${fill(value, decoy)}`,
    ]),
  );
  const endings = templates.flatMap(({ written: { body } }) =>
    [
      ...body.matchAll(/\{(?:payer_name|payer_vpa|cut_name|note|rest|narration|gap|other_channel)\}/g),
    ].flatMap(slot => {
      const rest = body.slice(slot.index + slot[0].length).replace(/^([^[]*)\]/, '$1');
      return ['', '.', ' x', ' :'].map(end => `A@BC${fill(rest, decoy)}${end}`);
    }),
  );
  const phrases = templates.flatMap(({ written }) =>
    parseTemplate(written.body).flatMap(piece => (piece.kind === 'words' ? [piece.text] : [])),
  );
  return {
    sentences: [...sentences, ...rows].flatMap(disguises),
    endings: endings.flatMap(disguises),
    phrases: phrases.flatMap(disguises),
  };
}

/** A payer's text must not profit from differences that a template accepts from its bank. */
function disguises(text: string): string[] {
  const marks = ['₹', 'Rs ', 'INR ', 'Rs. INR '].map(mark => text.replace(/(?:\bRs\.?|\bINR|₹) ?/g, mark));
  const accounts = text.replace(/XX9999/g, 'ending in XXXX XXXX 9999');
  const timed = text.replace(/03-11-26/g, '03-11-26, 10:30:00 IST');
  return [text, text.toUpperCase(), text.toLowerCase(), ...marks, accounts, timed];
}
