import type { Part } from '../banks/bank.ts';

/**
 * A text in three forms: `text` with lines and spaces; `cells` of the same length with cell borders; and for HTML
 * `source` with all its words, visible or not.
 */
export type Lined = { readonly text: string; readonly cells: string; readonly source?: string | null };

export type Span = readonly [from: number, to: number];

/** One way to split a text into the bank's words and a wording's slots. */
export type Split = {
  readonly from: number;
  readonly to: number;
  readonly spans: Readonly<Record<string, Span>>;
  /** Rows below a payer's words that could have changed them. Only a person may accept the bank's words above. */
  readonly isOdd?: true;
};

/** This many splits count as doubt. */
export const mostSplits = 64;
const longestUnseen = 1_000;
const longestCutName = 20;

/**
 * Every split of a wording from one start. Here a payer's slot accepts any text between the bank's words, however long
 * and odd. If it accepted only proper names, a payer with an odd name could leave a false split as the only one.
 */
export function splitsFrom(parts: readonly Part[], said: Lined, from: number): Split[] {
  const found: Split[] = [];
  /** Places where the rest of the wording did not match. */
  const dead = new Set<string>();
  const walk = (step: number, at: number, spans: Record<string, Span>): boolean => {
    if (found.length >= mostSplits) return true;
    const part = parts[step];
    if (part === undefined) {
      found.push({ from, to: at, spans });
      return true;
    }
    if (dead.has(`${step} ${at}`)) return false;
    const reached =
      part.kind === 'bank'
        ? walkBank(part.pattern, at, at, (end, own) => walk(step + 1, end, { ...spans, ...own }))
        : walkPayer(part.slot, step, at, spans);
    if (!reached) dead.add(`${step} ${at}`);
    return reached;
  };

  const walkPayer = (slot: string, step: number, at: number, spans: Record<string, Span>): boolean => {
    // How adjacent payers' slots share a text decides nothing, so a cut name is kept short here.
    const isShared = slot === 'cut_name' && parts[step + 2]?.kind === 'payer';
    const end = Math.min(endOfSlot(slot, said, at), isShared ? at + longestCutName : Infinity);
    const isEmptyAllowed = slot === 'rest' || slot === 'gap';
    if (!isEmptyAllowed && (end === at || said.text[at] === ' ')) return false;
    if (slot === 'other_channel' && namesChannel.test(said.text.slice(at, at + 40))) return false;
    const next = parts[step + 1];
    if (next?.kind !== 'bank') return walk(step + 1, end, { ...spans, [slot]: [at, end] });
    return walkBank(next.pattern, at + (isEmptyAllowed ? 0 : 1), end, (to, own, ownFrom) =>
      walk(step + 2, to, { ...spans, [slot]: [at, ownFrom], ...own }),
    );
  };

  const walkBank = (
    pattern: RegExp,
    first: number,
    last: number,
    go: (to: number, own: Record<string, Span>, from: number) => boolean,
  ): boolean => {
    let reached = false;
    for (let at = first; at <= last && found.length < mostSplits; at++) {
      pattern.lastIndex = at;
      const match = pattern.exec(said.text);
      if (match === null || match.index > last) break;
      at = match.index;
      const own = Object.entries(match.indices!.groups ?? {}).filter(([, span]) => span !== undefined);
      reached = go(match.index + match[0].length, Object.fromEntries(own), match.index) || reached;
    }
    return reached;
  };

  walk(0, from, {});
  return found;
}

/** The end of a payer's text: its line or cell; for a UPI ID a space, for a name between slashes a slash. */
function endOfSlot(slot: string, { text, cells }: Lined, at: number): number {
  if (slot === 'gap') return Math.min(at + longestUnseen, text.length);
  const border =
    slot === 'payer_vpa' ? /[\s\uE000\uE001]/g : slot === 'cut_name' ? /[/\n\uE000\uE001]/g : borders;
  border.lastIndex = at;
  return border.exec(cells)?.index ?? text.length;
}

/** Every match in the text. The expression keeps its last position, so it starts from the beginning. */
export function placesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  pattern.lastIndex = 0;
  return [...text.matchAll(pattern)];
}

const namesChannel = /^(?:BY TRANSFER-)?(?:UPI|IMPS)/;
const borders = /[\n\uE000\uE001]/g;
