import assert from 'node:assert/strict';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { slots } from '../../../src/alerts/banks/slots.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { decoy, fill, subjectOf, truth, type Values } from '../../../src/alerts/workshop/try-out.ts';
import { closers, enders, hiders } from './hiders.ts';
import { bodyOf } from './rows.ts';

/** Every slot in which a payer writes before a reference, at every wording that may pay. */
const places = loadBanks(null).flatMap(bank =>
  bank.templates
    .filter(({ rows, channel }) => rows === null && channel !== 'other')
    .flatMap(template => {
      const { body } = template.written;
      return [...body.matchAll(/\{([a-z_]+)\}/g)]
        .filter(([, slot]) => slots[slot!]?.author === 'payer')
        .map(found => {
          const rest = body.slice(found.index + found[0].length);
          const later = [...rest.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!);
          const second = later.find(name => slots[name]?.author === 'payer') ?? null;
          return { bank, template, slot: found[1]!, rest, second };
        });
    }),
);

const layouts = [
  (said: string) => `<p>Dear Customer,</p><p>${said}</p><p>Thank you.</p>`,
  (said: string) =>
    `<table><tr><td>Dear Customer,<br><span>${said}</span><br><b>Regards</b></td></tr></table>`,
];

/** Unescaped names that end the sentence themselves and hide the bank's end, one in so many; answers how many were read. */
export function tryUnescapedNames(every: number): number {
  assert.ok(places.filter(({ rest }) => rest.includes('{reference}')).length >= 12);
  let tried = 0;
  let all = 0;
  const moved = new Set<string>();
  for (const { bank, template, slot, rest, second } of places) {
    const has = (name: string) => template.written.body.includes(`{${name}}`);
    const ending = fill(rest.replace(/^([^[]*)\]/, '$1'), decoy);
    const tryIn = (values: Values, closer: string) => {
      const said = fill(template.written.body, { ...truth, ...values });
      for (const lay of layouts) {
        tried++;
        const body = bodyOf(lay(said + (values['line'] ?? '')) + closer);
        const reading = body && compareReadings(bank, subjectOf(template, truth), body);
        if (reading?.outcome !== 'credit') continue;
        const { amount, reference, accountDigits } = reading.facts;
        const isTrue =
          amount === 100 &&
          accountDigits === (has('account') ? '5521' : null) &&
          reference === (has('reference') ? truth['reference'] : null);
        if (!isTrue)
          moved.add(`${bank.id} ${template.id} ${reference}: ${JSON.stringify(values)} … ${closer}`);
      }
    };
    for (const hider of hiders) {
      for (const closer of closers)
        for (const name of [`A@BC${ending} ${hider}`, `ASHA RAO${ending}<br>${hider}`, `${hider} x`])
          if (all++ % every === 0) tryIn({ [slot]: name }, closer);
      // The second field closes what the first one opens; if the wording has only one, a later line does.
      for (const ender of hider === '' ? [] : enders)
        for (const start of ['ASHA RAO', ' to your account from ASHA '])
          if (all++ % every === 0)
            tryIn({ [slot]: `${start}${ending} ${hider} `, [second ?? 'line']: ender }, '');
    }
  }
  assert.deepEqual([...moved], []);
  return tried;
}
