import paying from '../../../texts/customers/en/paying.json' with { type: 'json' };
import widget from '../../../texts/customers/en/widget.json' with { type: 'json' };
import { customerTags, languageTags } from '../../../texts/language-tags.ts';
import { askJson, giveUpAfter } from './ask-json.ts';
import { complain } from './element.ts';

export const english = { ...paying, ...widget };
export type WidgetTexts = typeof english;

const patience = 3_000;

/** The shop's choice, else the first language of the browser among English, Hindi and those that the shop names. */
export function chooseLanguage(wanted: string | null, further: readonly string[]): string {
  const isKnown = (tag: string) => (customerTags as readonly string[]).includes(tag);
  if (wanted !== null && !isKnown(wanted))
    complain(`language ${wanted} is not spoken here: ${customerTags.join(', ')}`);
  const read = [wanted ?? '', ...(navigator.languages ?? [navigator.language])].map(
    tag => tag.toLowerCase().split('-')[0]!,
  );
  const offered = [read[0]!, ...languageTags, ...further].filter(isKnown);
  return read.find(tag => offered.includes(tag)) ?? 'en';
}

/**
 * English is built in, and replaces a language that cannot be fetched. §4.4 gives the default title and the text for
 * 402 in English. Only a language that the shop itself chose translates these.
 */
export async function loadTexts(origin: string, tag: string, isChosen: boolean): Promise<WidgetTexts> {
  const { body } = await askJson(`${origin}/embed/texts.${tag}.json`, { signal: giveUpAfter(patience) });
  const { title, shopCannot } = english;
  return { ...english, ...(body as object | null), ...(!isChosen && { title, shopCannot }) };
}
