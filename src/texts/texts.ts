import type { texts as english } from './en/texts.ts';

/** A language is one folder of files of one shape, which English gives: a text that is missing does not compile. */
export type Texts = Words<typeof english>;

export type Words<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => infer Said
    ? (...given: Given) => Words<Said>
    : { readonly [Key in keyof Text]: Words<Text[Key]> };
