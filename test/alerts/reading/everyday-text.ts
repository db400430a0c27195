import assert from 'node:assert/strict';
import type { Bank, Reading } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { htmlToText } from '../../../src/alerts/mail/html-to-text.ts';
import { normaliseLines, withoutBorders } from '../../../src/alerts/mail/plain-text.ts';
import { compareReadings } from '../../../src/alerts/reading/compare-readings.ts';
import { escaped } from '../../support/bank-mail.ts';
import { above, below, courtesies, moneyBelow, wrapped } from './surroundings.ts';
import { payingWordings, statementOf } from './variations.ts';

export const wordings = payingWordings(loadBanks(null));

export function readHtml(bank: Bank, subject: string, html: string): Reading {
  const cells = normaliseLines(htmlToText(html) as string);
  return compareReadings(bank, subject, { outcome: 'read', html: withoutBorders(cells), cells, text: null });
}

export function readPlain(bank: Bank, subject: string, text: string): Reading {
  return compareReadings(bank, subject, { outcome: 'read', html: null, text });
}

/** Every wording with one line in so many around it, each line with some wording; answers how many mails were read. */
export function tryEverydayText(parts: number): number {
  let tried = 0;
  for (const [at, { bank, template }] of wordings.entries()) {
    const some = (lines: readonly string[]) => lines.filter((_, line) => (line + at) % parts === 0);
    const { subject, statement } = statementOf(template);
    const said = escaped(statement);
    const pays = (html: string, what: string) => {
      tried++;
      const reading = readHtml(bank, subject, html);
      assert.equal(
        reading.outcome,
        'credit',
        `${bank.id} ${template.id}, ${what}: ${JSON.stringify(reading)}`,
      );
    };
    for (const line of some(above)) {
      pays(`<h1>${line}</h1><p>Dear Customer,</p><p>${said}</p>`, line);
      pays(`<div>${line}<br><br>Dear MEERA IYER<br>Greetings from the bank!<br>${said}</div>`, line);
      pays(
        `<table><tr><td>${line}</td></tr><tr><td><p>Hi Asha,</p><p>We wish to inform you that ${said}</p></td></tr></table>`,
        line,
      );
    }
    for (const line of some(courtesies)) {
      pays(`<p>Dear Customer,</p><p>${line}</p><p>${said}</p>`, line);
      pays(`<p>${line}<br>${said}</p>`, line);
    }
    for (const line of some([...below, ...moneyBelow])) {
      pays(`<p>Dear Customer,</p><p>${said}</p><p>${escaped(line)}</p>`, line);
      pays(`Dear Customer,<br>${said}<br>${escaped(line)}`, line);
    }
    for (const line of some(below)) {
      pays(`<p>Dear Customer, ${said}. ${escaped(line)}</p>`, line);
      const plain = `${above[0]}\n\nDear Customer,\n\n${wrapped(`${statement}. ${line}`, 76)}\n`;
      tried++;
      assert.equal(readPlain(bank, subject, plain).outcome, 'credit', `${bank.id} ${template.id}: ${plain}`);
    }
  }
  assert.ok(above.length >= 30 && below.length >= 30);
  return tried;
}
