import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { second } from '../../base/clock.ts';
import type { Bank, Template } from '../banks/bank.ts';
import { hasSlot } from '../banks/has-slot.ts';
import { parseAmount } from '../reading/parse-amount.ts';
import { readWording } from '../reading/read-wording.ts';
import { attacksOn, fillWhole, payerSlotsOf, subjectOf, truth, type Values } from './hostile-fillings.ts';

export type Filled = { readonly tried: number; readonly moved: readonly string[] };

const mostFillings = 3_000;
const fillingTime = 10 * second;
/** Readings between two breaths of the event loop. */
const atATime = 20;

/**
 * The template's own slots filled with whatever a payer could write to speak for the bank: whole sentences with other
 * facts, early ends of the bank's own, its phrases. Each is read as nothing, or as exactly what the bank said.
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
  // Those of this wording first: the number of all is bounded.
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
  // A part that is missing at times may be missing here, if its value is nowhere in the mail.
  return reference === null ? said !== null && text.includes(said) : reference !== said;
}
