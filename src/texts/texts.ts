import type * as english from './en/texts.ts';
import type { FactsOf, NamesIn } from './verdicts.ts';

/** Forms that a number decides between (`Intl.PluralRules`). `zero` is for 0 in every language that has it. */
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
export type Plural = { readonly [Form in Exclude<PluralForm, 'other'>]?: string } & {
  readonly other: string;
};
type IsPlural<Text> = 'other' extends keyof Text ? ([keyof Text] extends [PluralForm] ? true : false) : false;

/** A text as a screen uses it. One that names facts in braces becomes a function of exactly these facts. */
export type Said<Text> = Text extends string
  ? [NamesIn<Text>] extends [never]
    ? string
    : (facts: FactsOf<Text>) => string
  : IsPlural<Text> extends true
    ? (facts: FactsOf<Text[keyof Text] & string> & { readonly count: number }) => string
    : [keyof Text] extends ['subject' | 'text']
      ? SaidMail<Text[keyof Text] & string>
      : { readonly [Key in keyof Text]: Said<Text[Key]> };

/** Subject and text of a mail have their facts in common. */
export type Mail = { readonly subject: string; readonly text: string };
type SaidMail<Text extends string> = [NamesIn<Text>] extends [never] ? Mail : (facts: FactsOf<Text>) => Mail;

/** The same text in another language, which may have other forms for a `count`. */
export type Translated<Text> = Text extends string
  ? 'count' extends NamesIn<Text>
    ? string | Plural
    : string
  : IsPlural<Text> extends true
    ? string | Plural
    : { readonly [Key in keyof Text]: Translated<Text[Key]> };

/** A language is one folder of files of one shape, which English gives: a text that is missing does not compile. */
export type TextSet = Translated<typeof english>;
