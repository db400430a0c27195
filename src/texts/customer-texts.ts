import { readFileSync } from 'node:fs';
import type page from './customers/en/page.json';
import type paying from './customers/en/paying.json';
import type spoken from './customers/en/spoken.json';
import type widget from './customers/en/widget.json';
import { insertFacts } from './insert-facts.ts';
import { type CustomerLanguage, customerTags } from './language-tags.ts';

/** Customers' texts: one folder per language, with the same keys as English (checked in `test/texts`). */
export type CustomerTexts = {
  page: typeof paying & typeof page;
  widget: typeof paying & typeof widget;
  spoken: typeof spoken;
};

const sets = new Map(customerTags.map(tag => [tag, readTexts(tag)]));

export function customerTexts(tag: CustomerLanguage): CustomerTexts {
  return sets.get(tag)!;
}

function readTexts(tag: CustomerLanguage): CustomerTexts {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`customers/${tag}/${name}.json`, import.meta.url), 'utf8'));
  const shared = read('paying') as typeof paying;
  return {
    page: { ...shared, ...read('page') },
    widget: { ...shared, ...read('widget') },
    spoken: read('spoken'),
  };
}

type Spoken = CustomerTexts['spoken'];

/** From the largest unit down. Nobody says "1,50,000 rupees" in digits, and voices read it in millions. */
const units = [
  ['crore', 1_00_00_000],
  ['lakh', 1_00_000],
  ['thousand', 1_000],
] as const satisfies readonly (readonly [keyof Spoken, number])[];

/** A received sum as people say it: 1 lakh 50 thousand rupees. Paise are said if asked for, or if there is nothing else. */
export function sayReceived(spoken: Spoken, paise: number, { withPaise }: { withPaise: boolean }): string {
  const [rupees, rest] = [Math.floor(paise / 100), paise % 100];
  const said = countInWords(spoken, rupees);
  return rest !== 0 && (withPaise || rupees === 0)
    ? insertFacts(spoken.receivedPaise, { rupees: said, paise: String(rest) })
    : insertFacts(spoken.received, { rupees: said });
}

function countInWords(spoken: Spoken, count: number): string {
  const parts: string[] = [];
  let left = count;
  for (const [unit, size] of units) {
    const many = Math.floor(left / size);
    left %= size;
    if (many > 0) parts.push(insertFacts(spoken[unit], { n: String(many) }));
  }
  if (left > 0 || parts.length === 0) parts.push(String(left));
  return parts.join(' ');
}
