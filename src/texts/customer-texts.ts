import { readFileSync } from 'node:fs';
import type page from './customers/en/page.json';
import type paying from './customers/en/paying.json';
import type spoken from './customers/en/spoken.json';
import type widget from './customers/en/widget.json';
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
