import { type PaperFile, sentencesOf, wordsOf } from './read-prose.ts';

/** The words of the style guide's table "do not write". A word inside a path, an address or `code` is not prose. */
const banned: [word: string, pattern: string, write: string][] = [
  ['room', 'rooms?', 'module, submodule'],
  ['door', 'doors?', 'entry point'],
  ['house', 'houses?', 'codebase'],
  ['told', 'told', 'notified, sent'],
  ['tells', 'tells', 'reports, says'],
  ['stands', 'stands(?! (?:for|by)\\b)', 'is'],
  [
    'away',
    '(?<=\\b(?:am|are|be|been|being|is|stay|stayed|stays|was|were) )away(?! from)',
    'down, unavailable',
  ],
  ['blind', '(?<!colou?r )blind(?:ly)?(?! (?:people|persons?|users?|readers?))', 'unreachable'],
  ['in hand', 'in hand', 'in progress'],
  ['under way', 'under way', 'in progress'],
  ['anew', 'anew', 'again'],
  ['beside', 'beside', 'next to'],
  ['meanwhile', 'meanwhile', 'while …'],
  ['of before', 'of before', 'previous'],
  // "They are all the same" is plain English.
  ['all the same', '(?<!\\b(?:are|be|is|was|were) )all the same', 'anyway'],
  ['the release before', 'the (?:release|version) (?:directly )?before', 'the previous release'],
  ['ear', 'ears?', 'listener'],
  // A help desk is what people call it.
  ['desk', '(?<!(?:help|service) )desks?', 'worker slots'],
  ['seat', 'seats?', 'slot'],
  ['purse', 'purses?', 'quota'],
  ['gather', 'gather(?:s|ed|ing)?', 'batch, collect'],
  ['aside', 'aside', 'in a worker thread'],
  ['deed', 'deeds?', 'audit entry'],
  ['doer', 'doers?', 'actor'],
  // A deposit slip is paper that a bank gives out.
  ['slip', '(?<!(?:deposit|packing|pay-in|payment) )slips?', 'typo, near miss'],
  ['a taking', '(?:a taking|takings)', 'a payment without an order'],
  // A fencing token is the field's word, and so is a code fence.
  ['fence', '(?<!code )(?:fences?|fenced)(?! (?:block|code)s?)', 'marker'],
  // In front of a quotation or a code, such as till-1, it is a stored value.
  ['till', 'tills?', 'counter'],
];
const bannedPatterns = banned.map(
  ([word, pattern, write]) =>
    [word, write, new RegExp(`(?<![\\w/.-])(?:${pattern})(?![\\w/-])`, 'gi')] as const,
);

/** One look at a piece, since nearly all hold none of the words. */
const anyBanned = new RegExp(`\\b(?:${banned.map(([, pattern]) => pattern).join('|')})\\b`, 'i');

/** Whether a source can have an offence at all, which saves parsing most of them. */
export const mayOffend = (source: string): boolean =>
  anyBanned.test(source) || /(?:\/\/|\*)\s*(?:Of|By|As|Where)\b/.test(source);

/** Files that may hold such words, and why. */
const exempt = new Map([
  ['STYLE.md', 'shows what not to write'],
  ['docs/licences.md', 'quotes the licences of others'],
  ['scripts/prose-rules.ts', 'names the words'],
  ['test/prose.test.ts', 'shows what is refused'],
]);

const maxWords = { sentence: 25, cell: 15, paragraph: 80 };

export type Offence = { file: string; line: number; what: string };

/** Offences fail the check: a word of the table, and a comment that starts with a preposition of place or cause. */
export function offencesOf({ file, pieces }: PaperFile): Offence[] {
  if (exempt.has(file)) return [];
  return pieces.flatMap(piece => {
    const at = { file, line: piece.line };
    const [opening] = (piece.kind === 'comment' && /^(?:Of|By|As|Where)\b/.exec(piece.text)) || [];
    const words = (anyBanned.test(piece.text) ? bannedPatterns : []).flatMap(([word, write, pattern]) =>
      [...piece.text.matchAll(pattern)].map(() => ({ ...at, what: `"${word}": write ${write}` })),
    );
    return opening ? [...words, { ...at, what: `a comment starts with "${opening}"` }] : words;
  });
}

/** Only counted: sentences, cells and paragraphs of documents that are too long to read at once. */
export function longOf({ file, pieces }: PaperFile): Record<keyof typeof maxWords, Offence[]> {
  const long: Record<keyof typeof maxWords, Offence[]> = { sentence: [], cell: [], paragraph: [] };
  const weigh = (kind: keyof typeof maxWords, line: number, text: string) => {
    const words = wordsOf(text);
    if (words > maxWords[kind]) long[kind].push({ file, line, what: `${kind} of ${words} words: ${text}` });
  };
  for (const piece of pieces) {
    if (piece.kind === 'comment' || piece.kind === 'heading') continue;
    if (piece.kind === 'cell') weigh('cell', piece.line, piece.text);
    else {
      weigh('paragraph', piece.line, piece.text);
      for (const sentence of sentencesOf(piece)) weigh('sentence', piece.line, sentence);
    }
  }
  return long;
}

export function countLong(documents: PaperFile[]): Record<string, number> {
  const long = documents.map(longOf);
  const kinds = Object.keys(maxWords) as (keyof typeof maxWords)[];
  return Object.fromEntries(
    kinds.map(kind => [
      `${kind}s above ${maxWords[kind]} words`,
      long.reduce((sum, one) => sum + one[kind].length, 0),
    ]),
  );
}

/** How often a dialect shows: absolute, and for each 1,000 sentences (or comments). */
export function countProse(papers: PaperFile[]): Record<string, number> {
  const documents = papers.filter(({ file }) => file.endsWith('.md'));
  const sentences = documents.flatMap(({ pieces }) =>
    pieces.filter(({ kind }) => kind !== 'heading').flatMap(sentencesOf),
  );
  const comments = papers.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === 'comment'));
  const having = (pattern: RegExp) => sentences.filter(sentence => pattern.test(sentence)).length;
  const starting = (pattern: RegExp) => comments.filter(({ text }) => pattern.test(text)).length;
  return {
    words: documents.flatMap(({ pieces }) => pieces).reduce((sum, { text }) => sum + wordsOf(text), 0),
    sentences: sentences.length,
    'start with What/Who/Whoever …': having(
      /^(?:What|Who|Whoever|Whatever|Whichever|Whom|Whose|Wherever|Whenever)\b.*[^?]$/,
    ),
    'have nobody/nothing/none': having(/\b(?:nobody|nothing|none)\b/i),
    'have told/tells': having(/\b(?:told|tells)\b/i),
    ...countLong(documents),
    comments: comments.length,
    'comments start with Of/By/As/Where': starting(/^(?:Of|By|As|Where)\b/),
    'comments start with What/Who/Whoever …': starting(/^(?:What|Who|Whoever|Whatever|Whichever|Whose)\b/),
    'offences against the word table': papers.flatMap(offencesOf).length,
  };
}
