import { chooseLanguage } from '../checkout/choose-language.ts';
import { english } from './texts/en.ts';
import { hindi } from './texts/hi.ts';
import type { Texts } from './texts/texts.ts';

/** The person's setting, else the address's `?lang=`, else the browser's first language that we speak. */
export function chooseTexts(setting: string | null, lang: string, acceptLanguage: string | undefined): Texts {
  const { tag } = chooseLanguage(setting ?? lang, acceptLanguage);
  return tag === hindi.tag ? hindi : english;
}
