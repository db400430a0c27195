import type * as english from './en/texts.ts';
import type { FactsOf, NamesIn } from './verdicts.ts';

/** Plural forms (`Intl.PluralRules`). Every language may add `zero` for 0. */
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
export type Plural = { readonly [Form in Exclude<PluralForm, 'other'>]?: string } & {
  readonly other: string;
};
type IsPlural<Text> = 'other' extends keyof Text ? ([keyof Text] extends [PluralForm] ? true : false) : false;

/** A text with placeholders becomes a function of exactly these facts. */
export type Said<Text> = Text extends string
  ? [NamesIn<Text>] extends [never]
    ? string
    : (facts: FactsOf<Text>) => string
  : IsPlural<Text> extends true
    ? (facts: FactsOf<Text[keyof Text] & string> & { readonly count: number }) => string
    : [keyof Text] extends ['subject' | 'text']
      ? SaidMail<Text[keyof Text] & string>
      : { readonly [Key in keyof Text]: Said<Text[Key]> };

/** Subject and text share their facts. */
export type Mail = { readonly subject: string; readonly text: string };
type SaidMail<Text extends string> = [NamesIn<Text>] extends [never] ? Mail : (facts: FactsOf<Text>) => Mail;

/** A translation may have other plural forms for `count`. */
export type Translated<Text> = Text extends string
  ? 'count' extends NamesIn<Text>
    ? string | Plural
    : string
  : IsPlural<Text> extends true
    ? string | Plural
    : { readonly [Key in keyof Text]: Translated<Text[Key]> };

/** Every language has the shape of English, so a missing text does not compile. */
export type TextSet = Translated<typeof english>;
