import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks, unknownBank } from '../../../src/alerts/banks/load-banks.ts';
import { parseBanks } from '../../../src/alerts/banks/parse-bank.ts';
import { slots } from '../../../src/alerts/banks/slots.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { attacksOn } from '../../../src/alerts/workshop/try-out.ts';
import { escaped } from '../../support/bank-mail.ts';
import { closers, hiders } from './hiders.ts';
import { bodyOf, type Card, cards, layouts, type Rows, withValue } from './rows.ts';

export const shipped = loadBanks(join(import.meta.dirname, '../fixtures/village-bank.json'));
export const payersSlots = Object.keys(slots).filter(
  slot => slots[slot]!.author === 'payer' && slot !== 'gap',
);

const heading = 'UPI payment has been successfully credited to your bank account.';
export const facts = {
  Amount: 'INR {amount}',
  'To Account': '{account}',
  'To VPA': '{payee_vpa}',
  'UPI Ref. No.': '{reference}',
};
export const entryOf = (rows: object, channel = 'upi') => ({
  id: 'new',
  name: 'New',
  senders: ['a@new.bank.in'],
  signing_domains: ['new.bank.in'],
  templates: [{ id: 'rows', channel, unconfirmed: true, subject: '{any}', body: heading, rows }],
});
type Stage = { bank: Bank; card: Card; label: string; isAboveReference: boolean };

/** Every row template that comes with the service or may be added, once for each row that a payer can write. */
export function stages(): Stage[] {
  const hdfc = shipped.find(({ id }) => id === 'hdfc')!;
  const own = cards.flatMap(card => {
    const bank = shipped.find(({ id }) => id === card.bank)!;
    const payers = bank.templates.flatMap(({ rows }) => rows ?? []).filter(row => row.isPayers);
    return [...new Set(payers.map(({ label }) => label))].map(label => ({
      bank,
      card,
      label,
      isAboveReference: card.bank === 'kotak',
    }));
  });
  const made = payersSlots
    .filter(slot => slot !== 'other_channel')
    .map(slot => {
      const { 'UPI Ref. No.': reference, ...money } = facts;
      const [entry] = parseBanks(
        JSON.stringify(entryOf({ ...money, Info: `[{${slot}}]`, 'UPI Ref. No.': reference })),
      );
      const { greetings, openings } = hdfc;
      const bank: Bank = { ...unknownBank, id: 'new', greetings, openings, templates: entry!.templates };
      const rows: Rows = [
        ['Amount', 'INR 4000.00'],
        ['To Account', 'XX2600'],
        ['To VPA', 'shop@bank'],
        ['Info', slot === 'payer_vpa' ? 'asha@ybl' : 'ASHA RAO'],
        ['UPI Ref. No.', '664323243300'],
      ];
      return {
        bank,
        card: { bank: slot, subject: 'Alert', heading, rows },
        label: 'Info',
        isAboveReference: true,
      };
    });
  return [...own, ...made];
}

export function read({ bank, card }: Stage, html: string) {
  const body = bodyOf(html);
  return body === null ? null : compareReadings(bank, card.subject, body);
}

/** Null where the mail is held. */
export function factsIn(stage: Stage, html: string): unknown[] | null {
  const reading = read(stage, html);
  if (reading?.outcome !== 'credit') return null;
  const { amount, reference, accountDigits } = reading.facts;
  return [amount, reference, accountDigits];
}

export const truth = [400_000, '664323243300', '2600'];

/** Rows of a payer's own, as the bank writes them. */
const rowsOf = (rows: Rows) =>
  rows.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join('');

/** Unescaped names that add rows and hide those of the bank, one in so many; answers how many mails were read. */
export function tryUnescapedRows(every: number): number {
  let tried = 0;
  let all = 0;
  const moved: string[] = [];
  for (const stage of stages()) {
    const { card, label } = stage;
    const forged = card.rows.map(
      ([name, value]) =>
        [name, value.replace(/4000\.00/, '9999.00').replace(/664323243300/, '999999999999')] as const,
    );
    const at = forged.findIndex(([name]) => name === label);
    const below = forged.slice(at + 1);
    for (const rows of [below, forged.filter(([, value]) => /9999/.test(value))])
      for (const hider of hiders)
        for (const closer of closers) {
          if (all++ % every > 0) continue;
          for (const [lay, begin] of [
            ['a table', 'ASHA RAO'],
            // Here no words of a payer are left above the reference.
            ['a table', ''],
            ['tables in tables', ' '],
          ] as const) {
            const name = `${begin}</td></tr>${rowsOf(rows)}</table>${hider}`;
            const html = layouts[lay]!(card.heading, withValue(card.rows, label, name)) + closer;
            const found = factsIn(stage, `<html><body>${html}</body></html>`);
            tried++;
            if (found !== null && String(found) !== String(truth))
              moved.push(`${card.bank} ${label}, ${lay}: ${name} … ${closer}`);
          }
          const lines = `ASHA RAO<br>${rows.map(([one, other]) => `${one}: ${other}`).join('<br>')}<br>Bye<br>${hider}`;
          const html = layouts['lines of text']!(card.heading, withValue(card.rows, label, lines)) + closer;
          const found = factsIn(stage, html);
          tried++;
          if (found !== null && String(found) !== String(truth))
            moved.push(`${card.bank} ${label}: ${lines}`);
        }
  }
  assert.deepEqual(moved, []);
  return tried;
}

/** The same with the bank's own words in a payer's row, escaped, unescaped and with line breaks. */
export function tryBanksWords(every: number): number {
  let tried = 0;
  let all = 0;
  for (const stage of stages()) {
    const { bank, card, label } = stage;
    const templates = bank.templates.filter(({ rows }) => rows !== null);
    const { sentences, endings, phrases } = attacksOn({ templates });
    for (const attack of new Set([...sentences, ...endings, ...phrases]))
      for (const said of [escaped(attack), attack, escaped(attack).replaceAll('\n', '<br>')]) {
        if (all++ % every > 0) continue;
        const html = layouts['a table']!(card.heading, withValue(card.rows, label, said));
        const found = factsIn(stage, html);
        tried++;
        if (found !== null) assert.deepEqual(found, truth, `${card.bank} ${label}: ${said}`);
      }
  }
  return tried;
}
