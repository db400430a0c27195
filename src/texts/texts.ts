import type * as english from './en/texts.ts';
import type { Words } from './words.ts';

/** A language is one folder of files of one shape, which English gives: a text that is missing does not compile. */
export type TextSet = Words<typeof english>;
