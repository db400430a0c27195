import { widget as english } from '../../../texts/en/widget.ts';
import { languageTags } from '../../../texts/language-tags.ts';
import { askJson, giveUpAfter } from './ask-json.ts';
import { complain } from './element.ts';

export type WidgetTexts = typeof english;

const patience = 3_000;

/** The shop's word, else the first language of the browser that we speak. */
export function chooseLanguage(wanted: string | null): string {
  const isSpoken = (tag: string) => (languageTags as readonly string[]).includes(tag);
  if (wanted !== null && !isSpoken(wanted))
    complain(`language ${wanted} is not spoken here: ${languageTags.join(', ')}`);
  const spoken = [wanted ?? '', ...(navigator.languages ?? [navigator.language])];
  return spoken.map(tag => tag.toLowerCase().split('-')[0]!).find(isSpoken) ?? 'en';
}

/**
 * English is at hand, and is what a language that cannot be fetched falls back to. §4.4 gives the default title and the
 * words on 402 in English: only a language that the shop itself chose says them in its own.
 */
export async function loadTexts(origin: string, tag: string, isChosen: boolean): Promise<WidgetTexts> {
  const { body } = await askJson(`${origin}/embed/milaan.${tag}.json`, { signal: giveUpAfter(patience) });
  const { title, shopCannot } = english;
  return { ...english, ...(body as object | null), ...(!isChosen && { title, shopCannot }) };
}

/** Puts what is meant into a text. */
export function put(text: string, ...values: readonly string[]): string {
  return text.replace(/{(\d)}/g, (_, at: number) => values[at]!);
}
