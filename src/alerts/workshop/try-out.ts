import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type Clock, later, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { alertAddresses } from '../addresses/queries/addresses.ts';
import type { Bank, Template } from '../banks/bank.ts';
import { hasSlot } from '../banks/bank-support.ts';
import { type Piece, parseTemplate } from '../banks/parse-template.ts';
import { slots } from '../banks/slots.ts';
import type { Judgement } from '../judging/judge-mail.ts';
import { rememberedKeys } from '../judging/remembered-keys.ts';
import { type Judges, startJudges } from '../judging/start-judges.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { parseAmount } from '../mail/plain-text.ts';
import { isSameMoney } from '../reading/compare-readings.ts';
import { readWording } from '../reading/read-wording.ts';
import { type EntryDraft, wordingOf } from './draft-entry.ts';
import { selectKept, selectMailsOf } from './queries.ts';

export type Trial = { readonly fillings: Filled; readonly stored: Tried; readonly maySave: boolean };

type TrialWorld = Pick<World, 'sql' | 'clock' | 'dns' | 'log' | 'metrics' | 'banks'>;

/** The newest mails are tried first, because a person waits. */
const mostMails = 500;
const trialTime = 20 * second;

/** Shows what a drafted entry would do: with hostile values in its slots, and to the stored mails. */
export async function tryOut(world: TrialWorld, draft: EntryDraft): Promise<Trial> {
  const bank = draft.banks.find(({ id }) => id === draft.entry.id)!;
  const fillings = await tryFillings(world.clock, bank, wordingOf(draft));
  const keys = rememberedKeys(world).ask;
  const options = { keys, log: world.log, threads: 1 };
  const before = startJudges({ ...options, banks: world.banks.current });
  const after = startJudges({ ...options, banks: () => draft.banks });
  try {
    const stored = await tryEntry(world, bank.id, { before: before.judge, after: after.judge });
    const maySave = fillings.moved.length === 0 && stored.spoiled === 0;
    return { fillings, stored, maySave };
  } finally {
    await Promise.all([before.close(), after.close()]);
  }
}

type Tried = {
  tried: number;
  /** Mails that were unreadable until now. */
  read: number;
  /** Any other change; then the entry is not saved. */
  spoiled: number;
};

/**
 * Judges stored mails with and without an entry, and loads one at a time to save memory. Only an unreadable mail may
 * change, and only to a credit or no credit. A credit's facts must stay the same.
 */
async function tryEntry(
  { sql, clock }: TrialWorld,
  bank: string,
  { before, after }: Record<'before' | 'after', Judges['judge']>,
): Promise<Tried> {
  const now = clock.now();
  const found: Tried = { tried: 0, read: 0, spoiled: 0 };
  const addresses = new Map<number, string[]>();
  for (const one of await selectMailsOf(sql, bank, mostMails)) {
    if (clock.now() > later(now, trialTime)) break;
    const kept = await selectKept(sql, one);
    if (kept === null) continue;
    const { merchant_id: merchantId, arrived_at: arrivedAt } = kept;
    const own = addresses.get(merchantId) ?? (await alertAddresses(sql, merchantId));
    addresses.set(merchantId, own);
    const raw = await promisify(inflate)(kept.raw, { maxOutputLength: mostMailBytes });
    const mail = { addresses: own, arrivedAt, now };
    const [was, is] = await Promise.all([before(raw, mail), after(raw, mail)]);
    found.tried++;
    if (isSame(was, is)) continue;
    const isAllowed = was.verdict === 'unreadable' && ['credit', 'not_a_credit'].includes(is.verdict);
    found[isAllowed ? 'read' : 'spoiled']++;
  }
  return found;
}

/** Compares all facts that money depends on; another template may have the same words. */
function isSame(one: Judgement, other: Judgement): boolean {
  if (one.verdict !== other.verdict) return false;
  if (one.facts === null || other.facts === null) return one.facts === other.facts;
  return isSameMoney(one.facts, other.facts);
}

type Filled = { readonly tried: number; readonly moved: readonly string[] };

const mostFillings = 3_000;
const fillingTime = 10 * second;
/** Readings between two turns of the event loop. */
const atATime = 20;

/**
 * Fills the template's slots with texts that a payer could write to speak for the bank: whole sentences with other
 * facts, early ends of its sentence, its phrases. Each must be read as nothing, or exactly as the bank's statement.
 */
export async function tryFillings(clock: Clock, bank: Bank, template: Template): Promise<Filled> {
  const until = clock.now().getTime() + fillingTime;
  const moved: string[] = [];
  let tried = 0;
  for (const text of hostileTexts(bank, template)) {
    if (tried >= mostFillings || clock.now().getTime() > until) break;
    if (++tried % atATime === 0) await setImmediate();
    if (isMoved(bank, template, text)) moved.push(text);
  }
  return { tried, moved };
}

function* hostileTexts(bank: Bank, template: Template): Generator<string> {
  // This template's attacks come first, because their total number is limited.
  const attacks = [attacksOn({ templates: [template] }), attacksOn(bank)].flatMap(one => [
    ...one.endings,
    ...one.sentences,
    ...one.phrases,
  ]);
  const end = template.rows === null ? '.' : '\n';
  for (const attack of new Set(attacks)) {
    for (const slot of payerSlotsOf(template))
      for (const said of [attack, `ASHA RAO ${attack}`]) {
        const values: Values = { ...truth, [slot]: said };
        yield `Dear Customer, ${fillWhole(template, values)}${end} Thank you for banking with us.`;
        yield `Dear Customer,\n${fillWhole(template, values, () => false)}\nThank you`;
      }
    yield `Dear Customer, ${fillWhole(template, truth)} ${attack}`;
  }
}

function isMoved(bank: Bank, template: Template, text: string): boolean {
  const reading = readWording(bank, { subject: subjectOf(template, truth), text });
  if (reading.outcome !== 'credit') return false;
  const { amount, reference, accountDigits } = reading.facts;
  const has = (slot: string) => hasSlot(template, slot);
  if (template.channel === 'other' || amount !== parseAmount(truth['amount']!)) return true;
  if (accountDigits !== (has('account') ? '5521' : null)) return true;
  const said = has('reference') ? truth['reference']! : has('utr') ? truth['utr']! : null;
  // An optional part may be missing here, if its value is nowhere in the mail.
  return reference === null ? said !== null && text.includes(said) : reference !== said;
}

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
function fillWhole(
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

type Attacks = {
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
  const signs = ['₹', 'Rs ', 'INR ', 'Rs. INR '].map(sign => text.replace(/(?:\bRs\.?|\bINR|₹) ?/g, sign));
  const accounts = text.replace(/XX9999/g, 'ending in XXXX XXXX 9999');
  const timed = text.replace(/03-11-26/g, '03-11-26, 10:30:00 IST');
  return [text, text.toUpperCase(), text.toLowerCase(), ...signs, accounts, timed];
}
