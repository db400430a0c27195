import * as english from './texts/en.ts';
import * as hindi from './texts/hi.ts';
import type { PageTexts } from './texts/texts.ts';

/** A further language is one more file in `texts/` and one more line here. */
export const languages: readonly PageTexts[] = [english.pageTexts, hindi.pageTexts];

/** The customer's choice (`?lang=`) if there is one, else the first language of the browser that we speak. */
export function chooseLanguage(chosen: unknown, acceptLanguage: string | undefined): PageTexts {
  const byChoice = languages.find(texts => texts.tag === chosen);
  if (byChoice) return byChoice;
  for (const tag of preferred(acceptLanguage ?? '')) {
    const found = languages.find(texts => texts.tag === tag);
    if (found) return found;
  }
  return english.pageTexts;
}

const headerLimit = 500;

/** `hi-IN,hi;q=0.9,en;q=0.8`: the primary tags, best first. Order counts among equals. */
function preferred(header: string): string[] {
  return header
    .slice(0, headerLimit)
    .split(',')
    .map(part => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map(text => /^\s*q=([01](?:\.\d{0,3})?)$/.exec(text)?.[1]).find(Boolean);
      return { tag: range.split('-')[0]!, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
