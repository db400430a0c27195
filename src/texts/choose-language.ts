import { languageTags, type Texts, textsIn } from './languages.ts';

export function chooseLanguage(chosen: unknown, acceptLanguage: string | undefined): Texts {
  return textsIn(chooseTag(languageTags, chosen, acceptLanguage));
}

/** The chosen language (`?lang=`, a setting) if offered, else the browser's first offered one, else English. */
export function chooseTag<Tag extends string>(
  offered: readonly Tag[],
  chosen: unknown,
  acceptLanguage: string | undefined,
): Tag {
  return (
    [chosen, ...preferred(acceptLanguage ?? '')]
      .map(wanted => offered.find(tag => tag === wanted))
      .find(tag => tag !== undefined) ?? offered[0]!
  );
}

const headerLimit = 500;

/** Parses `hi-IN,hi;q=0.9,en;q=0.8` into primary tags, best first. */
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
