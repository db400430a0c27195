import type { Part } from '../banks/bank.ts';

/**
 * A text as it is read: `text` with lines and spaces, `cells` of the same length with the borders of cells in it, and of
 * HTML all its words, seen or not.
 */
export type Lined = { readonly text: string; readonly cells: string; readonly source?: string | null };

export type Span = readonly [from: number, to: number];

/** One way to take a stretch of text apart into the bank's words and the slots of a wording. */
export type Split = {
  readonly from: number;
  readonly to: number;
  readonly spans: Readonly<Record<string, Span>>;
  /** Rows below a payer's words that could have changed them: only a person may take what the bank says above. */
  readonly isOdd?: true;
};

/** More of them are as good as doubt. */
export const mostSplits = 64;
const longestUnseen = 1_000;
const longestCutName = 20;

/**
 * Every split of a wording that begins at one place. Here a payer's slot takes whatever stands between the bank's words,
 * however long and odd: were it only what a name may be, then a payer with an odd one could leave a false split as the
 * only one.
 */
export function splitsFrom(parts: readonly Part[], said: Lined, from: number): Split[] {
  const found: Split[] = [];
  /** Places from which the rest of the wording was tried without success. */
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
    // How payers' slots that follow each other share a text decides nothing: there a cut name is as short as it should be.
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

  /** Every place between two at which the bank's next words stand. */
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

/** How far a payer's text may reach: to the end of its line or cell; a UPI ID to a space, a name between slashes to one. */
function endOfSlot(slot: string, { text, cells }: Lined, at: number): number {
  if (slot === 'gap') return Math.min(at + longestUnseen, text.length);
  const border =
    slot === 'payer_vpa' ? /[\s\uE000\uE001]/g : slot === 'cut_name' ? /[/\n\uE000\uE001]/g : borders;
  border.lastIndex = at;
  return border.exec(cells)?.index ?? text.length;
}

/** Every place of a stretch of the bank's, from the beginning: the expression remembers where it was used last. */
export function placesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  pattern.lastIndex = 0;
  return [...text.matchAll(pattern)];
}

const namesChannel = /^(?:BY TRANSFER-)?(?:UPI|IMPS)/;
const borders = /[\n\uE000\uE001]/g;
